// What must be true of a world at rest, whatever happened in it. Each breach is a sentence.
import { createHash } from 'node:crypto'
import { dayOf } from '#domain/day.ts'
import { tierLimits } from '#domain/tier-limits.ts'
import type { LogRecord } from '#ports/turn-log.ts'
import { worldConfig } from './world.ts'
import type { WorldResult } from './world.ts'

export async function breachesOf(world: WorldResult): Promise<readonly string[]> {
  const breaches = [...world.breaches]
  const { ports } = world
  for (const turnId of world.turnIds) breaches.push(...(await turnBreaches(world, turnId)))
  for (const principal of world.principals) breaches.push(...(await bookBreaches(world, principal)))
  if ((await ports.turnLog.orphans(10)).length > 0) breaches.push('an orphan was left')
  if ((await ports.deferred.count()) > 0) breaches.push('a kept question was never asked again')
  if (world.model.alive() > 0) breaches.push(`${world.model.alive()} model calls are still alive`)
  return breaches
}

async function turnBreaches({ ports }: WorldResult, turnId: string): Promise<readonly string[]> {
  const records = (await ports.turnLog.read(turnId, -1)) ?? []
  const breaches: string[] = []
  const breach = (what: string) => breaches.push(`${turnId}: ${what}`)
  const ends = records.filter((record) => record.kind === 'turn-end')
  const last = records.at(-1)
  if (ends.length !== 1 || last?.kind !== 'turn-end') return [`${turnId}: has ${ends.length} ends`]
  const text = textOf(records, breach)
  if (!text.isWellFormed()) breach('has half a character')
  if (text.length !== last.end.length) breach('its length is told wrong')
  if (createHash('sha256').update(text).digest('hex') !== last.end.sha256) breach('its hash is told wrong')
  if (records.some((record, index) => record.seq !== index)) breach('its sequence has a hole')
  if (records.some((record, index) => record.epoch < (records[index - 1]?.epoch ?? 0))) breach('an old epoch wrote')
  const rows = await ports.ledger.ofTurn(turnId)
  const cost = rows.reduce((sum, row) => sum + row.outputTokens, 0)
  if (rows.length === 0) breach('is not in the books')
  if (cost !== last.end.usage.outputTokens)
    breach(`the books say ${cost} output tokens, its end ${last.end.usage.outputTokens}`)
  return breaches
}

function textOf(records: readonly LogRecord[], breach: (what: string) => void): string {
  let text = ''
  for (const record of records) {
    if (record.kind !== 'text') continue
    if (record.offset !== text.length) breach(`text at ${record.offset} follows ${text.length} units`)
    text += record.text
  }
  return text
}

async function bookBreaches({ ports }: WorldResult, principalId: string): Promise<readonly string[]> {
  const breaches: string[] = []
  const day = dayOf(ports.clock.now(), worldConfig.store.timeZone)
  const quota = await ports.state.quota(principalId, tierLimits(worldConfig, 'free'), day)
  const books = await ports.ledger.totals({ principalId, day: day.key })
  if (quota.reserved.outputTokens !== 0)
    breaches.push(`${principalId}: ${quota.reserved.outputTokens} tokens stay reserved`)
  if (quota.used.outputTokens !== books.outputTokens || quota.used.inputTokens !== books.inputTokens) {
    breaches.push(`${principalId}: the budget says ${quota.used.outputTokens}, the books ${books.outputTokens}`)
  }
  for (const session of await ports.sessions.listOf(principalId, 1000)) {
    const turns = await ports.sessions.recentTurns(session.id, 1000)
    if (turns.length !== session.version)
      breaches.push(`${session.id}: version ${session.version} with ${turns.length} turns`)
    if (new Set(turns.map((turn) => turn.turnId)).size !== turns.length) breaches.push(`${session.id}: a turn twice`)
    if (await ports.state.runningTurn(session)) breaches.push(`${session.id}: still busy`)
  }
  return breaches
}
