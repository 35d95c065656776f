// The books: a row of the ledger for every call that the models received, turn by turn, and budgets that equal the ledger, with
// nothing left reserved.
import type { UsageRow } from '../../../packages/protocol/src/admin/index.ts'
import type { ClusterApi, EndedCall } from '../cluster-api.ts'
import { sleep } from '../reader.ts'
import type { Seen } from '../record.ts'

/** A hold of a lost node stays for `turns.holdMs`. */
const RESERVED_MS_MAX = 75_000
const AGAIN_MS = 2000
const SHOP = 'shop'

export interface Books {
  readonly rows: readonly UsageRow[]
  readonly calls: readonly EndedCall[]
  readonly users: number
  readonly violations: readonly string[]
}

export async function checkBooks(seen: Seen, api: ClusterApi): Promise<Books> {
  const rows = await api.rows()
  const calls = api.calls()
  const users = Map.groupBy(rows, ({ principalId }) => principalId)
  const wrongBudgets: string[] = []
  // Calls that the shop pays for, such as those that were left for another model, are in its ceilings and in no budget.
  for (const [userId, own] of users) if (userId !== SHOP) wrongBudgets.push(...(await checkBudget(userId, own, api)))
  wrongBudgets.push(...(await chargedWithoutRows(seen, rows, api)))
  return { rows, calls, users: users.size, violations: [...rowsAgainstCalls(seen, rows, calls), ...wrongBudgets] }
}

/** Shoppers whose conversation has no row must not have been charged. */
async function chargedWithoutRows(seen: Seen, rows: readonly UsageRow[], api: ClusterApi): Promise<string[]> {
  const booked = new Set(rows.map(({ sessionId }) => sessionId))
  const found: string[] = []
  for (const { cookie, questions, sessionId } of seen.conversations) {
    const hasRows = sessionId !== undefined && booked.has(sessionId)
    if (hasRows || questions.some(({ lost }) => lost.size > 0)) continue
    const { costMicroUsd } = await api.quota(cookie)
    if (costMicroUsd.used !== 0) found.push(`${sessionId}: ${costMicroUsd.used} was charged, and there is no row`)
  }
  return found
}

export type BookedCall = Pick<
  UsageRow,
  'turnId' | 'attempt' | 'outcome' | 'inputTokens' | 'outputTokens' | 'costMicroUsd' | 'estimated'
>

/** Figures that were not estimated are those of a call at the models. */
function unlikeTokens(marker: string, rows: readonly BookedCall[], calls: readonly EndedCall[]): string[] {
  const known = calls.map(({ promptTokens, tokensSent }) => `${promptTokens} in, ${tokensSent} out`)
  const exact = rows.filter((row) => !row.estimated && !mayNotHaveArrived(row))
  return exact.flatMap(({ attempt, inputTokens, outputTokens }) => {
    const at = known.indexOf(`${inputTokens} in, ${outputTokens} out`)
    if (at !== -1) known.splice(at, 1)
    return at === -1 ? [`${marker}: row ${attempt} has ${inputTokens} in, ${outputTokens} out, and no call has`] : []
  })
}

/**
 * A call that may be unknown to the models: its connection failed before anything was received, at no cost, or it was stopped because the model beside it
 * spoke first. Such a call is booked in full, and may have been stopped before it was sent.
 */
export function mayNotHaveArrived({ costMicroUsd, inputTokens, outcome }: BookedCall): boolean {
  return outcome === 'cancelled' || (outcome === 'connection' && inputTokens === 0 && costMicroUsd === 0)
}

/** Turn by turn; an answer that needed no model has a row with the attempt 0. */
export function rowsAgainstCalls(seen: Seen, rows: readonly BookedCall[], calls: readonly EndedCall[]): string[] {
  const markers = new Map(
    seen.questions.flatMap(({ marker, turns }) => [...turns.keys()].map((turnId) => [turnId, marker] as const)),
  )
  const ofModels = rows.filter(({ attempt }) => attempt > 0)
  const rowsByMarker = Map.groupBy(ofModels, ({ turnId }) => markers.get(turnId) ?? `unknown turn ${turnId}`)
  const callsByMarker = Map.groupBy(calls, ({ marker }) => marker ?? 'no marker')
  // The rows of a lost turn are lost with its node.
  const lost = new Set(seen.questions.filter((question) => question.lost.size > 0).map(({ marker }) => marker))
  const all = new Set([...rowsByMarker.keys(), ...callsByMarker.keys()])
  return [...all.difference(lost)].flatMap((marker) => {
    const [own, made] = [rowsByMarker.get(marker) ?? [], callsByMarker.get(marker) ?? []]
    const arrived = own.filter((row) => !mayNotHaveArrived(row))
    if (arrived.length <= made.length && made.length <= own.length) return unlikeTokens(marker, own, made)
    const shown = own.map(({ attempt, outcome, turnId }) => `${turnId} ${attempt} ${outcome}`)
    const ended = made.map(({ number, outcome }) => `${number} ${outcome}`)
    return [`${marker}: ${own.length} rows (${shown.join(', ')}) for ${made.length} calls (${ended.join(', ')})`]
  })
}

async function checkBudget(userId: string, rows: readonly UsageRow[], api: ClusterApi): Promise<string[]> {
  const sum = (field: 'inputTokens' | 'outputTokens' | 'costMicroUsd') =>
    rows.reduce((total, row) => total + row[field], 0)
  const expected = { input: sum('inputTokens'), output: sum('outputTokens'), costMicroUsd: sum('costMicroUsd') }
  const lines = ['input', 'output', 'costMicroUsd'] as const
  const giveUpAt = Date.now() + RESERVED_MS_MAX
  for (;;) {
    const { quota } = await api.user(userId)
    const reserved = lines.filter((line) => quota[line].reserved !== 0)
    if (reserved.length > 0 && Date.now() < giveUpAt) {
      await sleep(AGAIN_MS)
      continue
    }
    return [
      ...reserved.map((line) => `${userId}: ${quota[line].reserved} of ${line} is left reserved`),
      ...lines
        .filter((line) => quota[line].used !== expected[line])
        .map((line) => `${userId}: used ${quota[line].used} of ${line}, the ledger has ${expected[line]}`),
    ]
  }
}
