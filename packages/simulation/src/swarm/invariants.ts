// The invariants of a fleet at rest, whatever happened to it, and the work that still prevents rest. The watchers check
// the other invariants while the run goes. Each breach is a sentence that begins with its kind.
import { SHOP } from '@mangaassist/server/domain/identity/principal'
import { add, NOTHING } from '@mangaassist/server/domain/budget/quota'
import type { Amounts } from '@mangaassist/server/domain/budget/quota'
import { tierLimits } from '@mangaassist/server/domain/budget/tier-limits'
import type { StoredTurn } from '@mangaassist/server/ports/session-store/port'
import type { CallFacts } from '../provider/call.ts'
import type { Region } from '../provider/region.ts'
import type { AnswerCheck } from '../world/answer-check.ts'
import type { Crowd } from '../world/crowd.ts'
import type { FleetWorld } from '../world/fleet-world.ts'
import { CallCheck } from './check-calls.ts'
import { formatAmounts, isSame } from './watch/money-watch.ts'
import type { WatchedTurn } from './watch/turn-watch.ts'
import type { Watchers } from './watched-stores.ts'

export interface WatchedRun {
  readonly world: FleetWorld
  readonly watchers: Watchers
  readonly crowd: Crowd
  readonly regions: ReadonlyMap<string, Region>
  /** Every call of a vendor, in order. */
  readonly calls: readonly CallFacts[]
  /** Every text that was shown to any client. */
  readonly answers: readonly AnswerCheck[]
  /** Number of charges lost with their node before any other node knew of them. */
  readonly chargesLost: () => number
  readonly breach: (kind: string, detail: string) => void
}

const SESSIONS_MAX = 1000

/** Lists the unfinished work; empty when the fleet is at rest. */
export async function unfinishedWork(watched: WatchedRun): Promise<readonly string[]> {
  const { crowd, regions, watchers, world } = watched
  const alive = regions.values().reduce((sum, region) => sum + region.alive(), 0)
  const ofNodes = (count: (node: FleetWorld['nodes'][number]) => number) =>
    world.nodes.reduce((sum, node) => sum + count(node), 0)
  const open = watchers.turns.open().filter((turn) => !isUnknownToClients(turn, watched))
  const counts = {
    'shoppers without an answer': crowd.people.size,
    'turns without an end': open.length,
    'provider calls in flight': alive,
    'unsettled holds': watchers.money.live().length,
    'queued questions': ofNodes(({ app }) => queued(app.waiting())),
    'running turns': ofNodes((node) => node.app.running()),
    'waiting charges': ofNodes((node) => node.unsettled),
    'deferred questions': await world.stores.deferred.count(),
  }
  const reasons = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${what}: ${count}`]))
  // Named first, so that the report includes the events of this turn.
  return open[0] === undefined ? reasons : [`turns without an end: ${open[0].turnId}`, ...reasons]
}

/**
 * Its owner died before the lease index had the turn and before any client knew of it: no one waits for it, and it
 * expires. A repeated request finds it by its key, and reading it puts it into the index.
 */
function isUnknownToClients({ count, start, turnId }: WatchedTurn, { answers, world }: WatchedRun): boolean {
  const isKnown = count > 1 || start.deferredFrom !== undefined || answers.some((answer) => answer.turnId === turnId)
  if (isKnown || world.nodes.some((node) => node.app.running() > 0)) return false
  world.see('an unreported turn was lost')
  return true
}

/** Checks the bounds of every node; valid at any time. */
export function checkBounds({ breach, world }: Pick<WatchedRun, 'breach' | 'world'>): void {
  const { queue, turns } = world.config
  for (const { app, name } of world.nodes) {
    const waiting = queued(app.waiting())
    if (waiting > queue.entriesMax) breach('a queue is too long', `${name}: ${waiting}`)
    if (app.running() > turns.runningMax) breach('a node runs too many turns', `${name}: ${app.running()}`)
  }
}

function queued(byLane: ReadonlyMap<string, number>): number {
  return byLane.values().reduce((sum, count) => sum + count, 0)
}

export async function checkRest(watched: WatchedRun): Promise<void> {
  checkShown(watched)
  await checkBooks(watched)
  await checkBudgets(watched)
  await checkSessions(watched)
  checkKeys(watched)
}

/** A key gives one answered and charged turn, however often and wherever it was sent, until it expires. */
function checkKeys({ breach, watchers, world }: WatchedRun): void {
  const { afterEndMs } = world.config.idempotency
  const ended = watchers.turns.turns.values().filter(({ end, start }) => end !== undefined && isAsked(start))
  for (const [key, turns] of Map.groupBy(ended, ({ start }) => `${start.principal.id} ${start.requestId}`)) {
    const inOrder = turns.toSorted((one, other) => one.start.acceptedAt - other.start.acceptedAt)
    const repeated = inOrder.find(({ start }, index) => {
      const before = inOrder[index - 1]
      return before?.endedAt !== undefined && start.acceptedAt <= before.endedAt + afterEndMs
    })
    if (repeated === undefined) continue
    const ids = inOrder.map(({ turnId }) => turnId)
    breach('a key was answered twice', `${key.split(' ')[1]}: ${ids.join(', ')}`)
  }
}

/** Whether a shopper asked, not the server for a deferred question. */
function isAsked({ deferredFrom }: WatchedTurn['start']): boolean {
  return deferredFrom === undefined
}

/**
 * Every client has the turn's text, or a part of it if it left. An owner that is cut off continues, and a new owner may
 * then write a different text: a client that has read the first one keeps it, and may at most see the end
 * `interrupted`.
 */
function checkShown({ answers, breach, watchers, world }: WatchedRun): void {
  for (const { endedAs, text, turnId } of answers) {
    const turn = watchers.turns.turns.get(turnId)
    if (turn === undefined) {
      world.see('a turn died with its node')
      continue
    }
    const isForked = turn.epoch > 1 && !turn.text.startsWith(text)
    if (isForked && (endedAs === undefined || endedAs === 'interrupted')) {
      world.see('two texts of a turn')
      continue
    }
    if (!turn.text.startsWith(text)) breach('the shown text is not the stored text', `${turnId}: ${text.length} units`)
    else if (endedAs !== undefined && text !== turn.text) {
      breach('an answer ended before its turn', `${turnId}: ${endedAs} at ${text.length} of ${turn.text.length} units`)
    }
  }
}

/**
 * Ledger rows and charges must agree for every turn, and so must its `done` frame, without the calls of lost owners that
 * the log does not have.
 */
async function checkBooks(watched: WatchedRun): Promise<void> {
  const { breach, chargesLost, watchers, world } = watched
  const calls = new CallCheck(watched)
  let missing = 0
  for (const turn of watchers.turns.turns.values()) {
    if (turn.end === undefined) continue
    const rows = await world.stores.ledger.ofTurn(turn.turnId)
    // The shop pays the calls that were left for another model.
    const booked = rows.filter(({ principalId }) => principalId !== SHOP).reduce<Amounts>(add, NOTHING)
    const charged = chargedFor(turn, watchers)
    const { costMicroUsd, usage } = turn.end
    const ended = { ...usage, costMicroUsd }
    if (rows.length === 0 || charged === undefined) {
      missing += 1
      if (missing > chargesLost()) breach('a turn is not in the ledger', `${turn.turnId}: ${rows.length} rows`)
      continue
    }
    calls.check(turn, rows)
    if (!isSame(charged, ended)) {
      breach(
        'the charge and the end of a turn differ',
        `${turn.turnId}: ${formatAmounts(charged)}; ${formatAmounts(ended)}`,
      )
    }
    const whole = watchers.money.chargedBeside(turn.start.hold.id).reduce(add, charged)
    if (!isSame(booked, whole)) {
      breach(
        'the ledger and the charge of a turn differ',
        `${turn.turnId}: ${formatAmounts(booked)}; ${formatAmounts(whole)}`,
      )
    }
  }
}

function chargedFor({ start }: WatchedTurn, { money }: Watchers): Amounts | undefined {
  const held = money.holds.get(start.hold.id)
  return held?.state === 'settled' ? held.charged : undefined
}

/** The budgets in the store must equal the charges. */
async function checkBudgets({ breach, watchers, world }: WatchedRun): Promise<void> {
  const limits = tierLimits(world.config, 'free')
  const days = new Map(
    [...watchers.money.holds.values()].map(({ hold }) => [`${hold.day.key} ${hold.principalId}`, hold]),
  )
  for (const [key, { day, principalId }] of days) {
    const { reserved, used } = await world.stores.budgets.quota(principalId, limits, day)
    const charged = watchers.money.usedOfDay.get(key) ?? NOTHING
    if (!isSame(used, charged)) {
      breach('a budget differs from its charges', `${principalId}: ${formatAmounts(used)}; ${formatAmounts(charged)}`)
    }
    if (!isSame(reserved, NOTHING)) breach('an amount stays reserved', `${principalId}: ${formatAmounts(reserved)}`)
  }
}

async function checkSessions(watched: WatchedRun): Promise<void> {
  const { breach, watchers, world } = watched
  const { sessions, budgets: state } = world.stores
  const principals = new Set(watchers.turns.turns.values().map(({ start }) => start.principal.id))
  for (const principalId of principals) {
    for (const session of await sessions.listOf(principalId, SESSIONS_MAX)) {
      const turns = await sessions.recentTurns(session.id, SESSIONS_MAX)
      if (turns.length !== session.version) breach('a version differs from the number of turns', session.id)
      checkOrder(watched, session.id, turns)
      if (await state.runningTurn(session)) breach('a session stays busy', session.id)
      for (const { answer, turnId } of turns) {
        const turn = watchers.turns.turns.get(turnId)
        if (turn !== undefined && turn.text !== answer) {
          breach('a conversation and its turn have different answers', `${session.id} ${turnId}`)
        }
      }
    }
  }
}

/** A conversation has the questions of each person in the order in which they were asked. */
function checkOrder({ breach, watchers, world }: WatchedRun, sessionId: string, turns: readonly StoredTurn[]): void {
  const last = new Map<string, WatchedTurn['start']>()
  for (const { turnId } of turns) {
    const start = watchers.turns.turns.get(turnId)?.start
    if (start === undefined || !isAsked(start)) continue
    const [, person = '', number = ''] = /^(.*)-(\d+)$/.exec(start.requestId) ?? []
    const before = last.get(person)
    last.set(person, start)
    if (before === undefined || Number(number) >= Number(/\d+$/.exec(before.requestId)?.[0])) continue
    // Nodes whose clocks differ by more than the time between two questions cannot know which came first.
    if (before.acceptedAt <= start.acceptedAt) world.see('clocks out of order')
    else breach('a conversation is out of order', `${sessionId} ${start.turnId} after ${before.turnId}`)
  }
}
