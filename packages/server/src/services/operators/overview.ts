// The whole cluster at a glance, for operators: each node and their sum in the last minute, the half hour before, lanes, and the day's spending against its ceilings. It
// reads what nodes announce and what this node already knows. Any number of consoles costs one reading a second.
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { addedUp, firstWordsWithin, STEP_MS } from '#domain/nodes/activity.ts'
import type { ActivityStep } from '#domain/nodes/activity.ts'
import { ACTIVITY_MINUTE_MS } from '#domain/nodes/cluster-activity.ts'
import type { ClusterActivity } from '#domain/nodes/cluster-activity.ts'
import type { Mode } from '#domain/settings/run-settings.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { SpendChunks } from '#ports/spend-chunks/port.ts'
import { rejectedView } from '../lanes.ts'
import type { NamedLaneView } from '../lanes.ts'
import type { NodeWatch } from '../nodes.ts'

export interface OverviewParts {
  readonly clock: Pick<Clock, 'now'>
  readonly config: Pick<Config, 'budgets' | 'store'>
  readonly nodes: Pick<NodeWatch, 'list'>
  readonly activity: ClusterActivity
  readonly spendChunks: Pick<SpendChunks, 'taken'>
  readonly seenLanes: () => readonly NamedLaneView[]
  readonly mode: () => Mode
}

const FRESH_MS = 1000
const MEDIAN = 0.5
const SLOWEST = 0.95

export function createOverview(parts: OverviewParts) {
  const { activity, clock, config, spendChunks } = parts
  let made: { readonly at: number; readonly overview: ReturnType<typeof read> } | undefined

  /** Null where the store of the accounts is unavailable. */
  async function spendingToday() {
    const day = dayOf(clock.now(), config.store.timeZone)
    const { guestsMicroUsdPerDay, storeMicroUsdPerDay } = config.budgets
    const limits = { store: storeMicroUsdPerDay, guests: guestsMicroUsdPerDay }
    const accounts = Object.entries(limits) as ['store' | 'guests', number][]
    return Promise.all(
      accounts.map(async ([account, limitMicroUsd]) => {
        const reserved = await spendChunks.taken({ name: account, day, limitMicroUsd }).catch(() => null)
        return { account, day: day.key, limitMicroUsd, reservedMicroUsd: reserved }
      }),
    )
  }

  async function read() {
    const { at, nodes } = await parts.nodes.list()
    const now = clock.now()
    activity.see(nodes, now)
    const shown = nodes.map(({ connections, host, id, isDraining, isLeader, isThis, turns, version, waiting }) => {
      const minute = activity.lastMinute(id, now)
      const state = { id, host, version, self: isThis, leader: isLeader, draining: isDraining }
      return { state, load: { running: turns, connections, waiting: waiting ?? 0 }, minute }
    })
    const total = (name: 'running' | 'connections' | 'waiting') => shown.reduce((sum, { load }) => sum + load[name], 0)
    return {
      at: isoTime(at),
      mode: parts.mode(),
      stepMs: ACTIVITY_MINUTE_MS,
      sum: {
        running: total('running'),
        connections: total('connections'),
        waiting: total('waiting'),
        ...rates(addedUp(shown.map(({ minute }) => minute))),
      },
      nodes: shown.map(({ load, minute, state }) => ({ ...state, ...load, ...rates(minute) })),
      halfHour: halfHourOf(activity, now),
      history: activity
        .minutes(now)
        .map(({ at: began, running, ...step }) => ({ at: isoTime(began), running, ...rates(step) })),
      lanes: parts
        .seenLanes()
        .map(({ inFlight, lane, level, limit, models, operator, phase, recent, rejected, scope }) => {
          const { calls, failures } = recent
          const held = operator?.action ?? null
          const named = { lane, models: [...models], scope, rejected: rejected.map(rejectedView) }
          return { ...named, level, phase, held, inFlight, limit, calls, failures }
        }),
      spending: await spendingToday(),
    }
  }

  return {
    overview(): ReturnType<typeof read> {
      const now = clock.now()
      if (made !== undefined && now - made.at < FRESH_MS) return made.overview
      const overview = read()
      made = { at: now, overview }
      // A failure is not shown to the callers after it.
      overview.catch(() => (made = undefined))
      return overview
    },
  }
}

/** Null until the first ten seconds have ended. */
function halfHourOf(activity: ClusterActivity, now: number) {
  const sum = activity.total(now)
  if (sum === undefined) return null
  // The step that runs is not in it.
  const coveredMs = Math.floor(now / STEP_MS) * STEP_MS - sum.at
  return { since: isoTime(sum.at), coveredMs, ...rates(sum) }
}

function rates({
  costMicroUsd,
  degraded,
  firstWords,
  questions,
  refusals,
  turns,
}: Omit<ActivityStep, 'at' | 'running'>) {
  return {
    questions,
    turns,
    degraded,
    costMicroUsd,
    refused: Object.values(refusals).reduce((sum, count) => sum + count, 0),
    refusals: { ...refusals },
    firstWordsP50Ms: firstWordsWithin(firstWords, MEDIAN),
    firstWordsP95Ms: firstWordsWithin(firstWords, SLOWEST),
  }
}
