// What the nodes of a cluster report, as one: the incidents, which of them people were notified of, and the messages that are due. The
// leader decides by this state, which the nodes share, so a new leader neither repeats a message nor forgets that one is resolved.
// Pure; the state is bounded.
import type { Alarm } from './alarm.ts'
import type { Firing } from './evaluator.ts'
import { seriesKey } from './figures.ts'
import type { SeriesLabels } from './figures.ts'

/** What fires on one node. */
export interface NodeReport {
  readonly nodeId: string
  /** The name of its machine, for people. */
  readonly host: string
  readonly firing: readonly Firing[]
}

/** Where an alarm fires in the cluster. */
export interface IncidentSeries {
  readonly labels: SeriesLabels
  readonly value: number
  readonly hosts: readonly string[]
}

export interface Incident {
  readonly id: string
  readonly since: number
  /** When the leader first saw it: it waits a moment for other series before it notifies anyone. */
  readonly seenAt: number
  readonly series: readonly IncidentSeries[]
  readonly more: number
  /** When people were last notified of it; absent: not yet, it is silenced, or no sender is there for it. */
  readonly notifiedAt?: number
  /** The keys of the series that people were notified of. */
  readonly notifiedSeries?: readonly string[]
  /** Since when no node reports it. */
  readonly clearSince?: number
}

export interface Silence {
  readonly until: number
  readonly by: string
  readonly at: number
  readonly reason: string
}

export type NoticeKind = 'fired' | 'spread' | 'resolved'

/** A message that is to be sent. */
export interface Notice {
  /** The same for every try, so that a receiver recognises a repeat. */
  readonly key: string
  readonly kind: NoticeKind
  readonly at: number
  readonly incident: Incident
  /** The senders that have not taken it yet. */
  readonly senders: readonly string[]
  readonly tries: number
  /** Until then the node that claimed it sends it. */
  readonly claimedUntil: number
}

export interface PastIncident {
  readonly id: string
  readonly since: number
  readonly resolvedAt: number
  readonly series: readonly IncidentSeries[]
  readonly more: number
  readonly wasNotified: boolean
}

export interface AlarmState {
  readonly incidents: readonly Incident[]
  readonly notices: readonly Notice[]
  readonly silences: Readonly<Record<string, Silence>>
  /** The newest first. */
  readonly past: readonly PastIncident[]
}

export const NO_ALARM_STATE: AlarmState = { incidents: [], notices: [], silences: {}, past: [] }

export const STORED_SERIES_MAX = 16
const PAST_MAX = 60
const NOTICES_MAX = 40
/** A series that joins an incident is reported at most this often. */
const SPREAD_EVERY_MS = 300_000
/** No node reports an alarm for so long before it is resolved: a node that fired it may be restarting. */
const QUIET_MS = 30_000
/** After its start a node has seen too little to say that an alarm is over: its windows are empty. */
const WARM_UP_MS = 180_000

export interface Deciding {
  readonly now: number
  readonly alarms: ReadonlyMap<string, Alarm>
  readonly reports: readonly NodeReport[]
  /** When the process that decides started. */
  readonly startedAt: number
  /** How long an incident waits for other series before people are notified of it. */
  readonly groupMs: number
  /** The names of the senders that are to notify people of an alarm. */
  readonly sendersFor: (alarm: Alarm) => readonly string[]
  /** False for a node that sees only itself: it cannot know that an alarm is over everywhere. */
  readonly canResolve: boolean
}

export interface Decided {
  readonly state: AlarmState
  /** Incidents that began and ended with this step, for log and counters. */
  readonly fired: readonly Incident[]
  readonly resolved: readonly PastIncident[]
}

export function decide(before: AlarmState, deciding: Deciding): Decided {
  const { alarms, now } = deciding
  const seen = merged(deciding.reports)
  const silences = Object.fromEntries(Object.entries(before.silences).filter(([, { until }]) => until > now))
  const ids = new Set([...before.incidents.map(({ id }) => id), ...seen.keys()].filter((id) => alarms.has(id)))
  const steps = [...ids].map((id) => {
    const incident = before.incidents.find((one) => one.id === id)
    return stepOf(incident, seen.get(id), { ...deciding, id, isSilenced: silences[id] !== undefined })
  })
  const resolved = steps.flatMap(({ past }) => past ?? [])
  const notices = steps.flatMap(({ notice }) => notice ?? [])
  return {
    state: {
      incidents: steps.flatMap(({ incident }) => incident ?? []),
      notices: [...before.notices, ...notices].slice(-NOTICES_MAX),
      silences,
      past: [...resolved, ...before.past].slice(0, PAST_MAX),
    },
    fired: steps.flatMap(({ incident, isNew }) => (isNew && incident !== undefined ? [incident] : [])),
    resolved,
  }
}

type Seen = Pick<Incident, 'since' | 'series' | 'more'>

interface Step {
  readonly incident?: Incident
  readonly past?: PastIncident
  readonly notice?: Notice
  readonly isNew: boolean
}

type StepParts = Deciding & { readonly id: string; readonly isSilenced: boolean }

function stepOf(incident: Incident | undefined, seen: Seen | undefined, parts: StepParts): Step {
  if (seen !== undefined) return notified(continued(incident, seen, parts), incident === undefined, parts)
  if (incident === undefined) return { isNew: false }
  return quiet(incident, parts)
}

function continued(before: Incident | undefined, seen: Seen, { id, now }: StepParts): Incident {
  if (before === undefined) return { id, seenAt: now, ...seen }
  const { clearSince: _, ...rest } = before
  return { ...rest, series: seen.series, more: seen.more, since: Math.min(before.since, seen.since) }
}

/** Whether people are due to hear of an incident, or of new series of it. */
function notified(incident: Incident, isNew: boolean, parts: StepParts): Step {
  const { groupMs, isSilenced, now } = parts
  const { notifiedAt, notifiedSeries = [] } = incident
  const keys = incident.series.map(({ labels }) => seriesKey(labels))
  const isFirst = notifiedAt === undefined && now - incident.seenAt >= groupMs
  const hasSpread =
    notifiedAt !== undefined && now - notifiedAt >= SPREAD_EVERY_MS && keys.some((key) => !notifiedSeries.includes(key))
  if (isSilenced || (!isFirst && !hasSpread)) return { incident, isNew }
  // Without a sender no message is due, and the incident stays one that people were not notified of.
  if (sendersOf(parts).length === 0) return { incident, isNew }
  const after = {
    ...incident,
    notifiedAt: now,
    notifiedSeries: [...new Set([...notifiedSeries, ...keys])].slice(-STORED_SERIES_MAX),
  }
  return { incident: after, isNew, ...noticed(isFirst ? 'fired' : 'spread', after, parts) }
}

function quiet(incident: Incident, parts: StepParts): Step {
  const { alarms, canResolve, id, now, startedAt } = parts
  const clearSince = incident.clearSince ?? now
  const warmMs = WARM_UP_MS + (alarms.get(id)?.forMs ?? 0)
  if (!canResolve || now - clearSince < QUIET_MS || now - startedAt < warmMs)
    return { incident: { ...incident, clearSince }, isNew: false }
  const { more, series, since, notifiedAt } = incident
  const past = { id, since, resolvedAt: now, series, more, wasNotified: notifiedAt !== undefined }
  return { past, isNew: false, ...(notifiedAt === undefined ? {} : noticed('resolved', incident, parts)) }
}

function sendersOf({ alarms, id, sendersFor }: StepParts): readonly string[] {
  const alarm = alarms.get(id)
  return alarm === undefined ? [] : sendersFor(alarm)
}

function noticed(kind: NoticeKind, incident: Incident, parts: StepParts): { readonly notice?: Notice } {
  const { now } = parts
  const senders = sendersOf(parts)
  if (senders.length === 0) return {}
  const key = [incident.id, incident.since, kind, ...(kind === 'spread' ? [now] : [])].join(':')
  return { notice: { key, kind, at: now, incident, senders, tries: 0, claimedUntil: 0 } }
}

/** The reports of all nodes by alarm: each series once, with its largest value and the nodes that see it. */
function merged(reports: readonly NodeReport[]): ReadonlyMap<string, Seen> {
  const byAlarm = new Map<string, { since: number; more: number; series: Map<string, IncidentSeries> }>()
  for (const { firing, host } of reports) {
    for (const { id, more, series } of firing) {
      const seen = byAlarm.get(id) ?? { since: Infinity, more: 0, series: new Map<string, IncidentSeries>() }
      byAlarm.set(id, seen)
      seen.more = Math.max(seen.more, more)
      for (const { labels, since, value } of series) {
        const key = seriesKey(labels)
        const before = seen.series.get(key)
        const hosts = [...new Set([...(before?.hosts ?? []), host])].slice(0, STORED_SERIES_MAX)
        seen.series.set(key, { labels, value: Math.max(value, before?.value ?? -Infinity), hosts })
        seen.since = Math.min(seen.since, since)
      }
    }
  }
  return new Map(
    [...byAlarm].map(([id, { more, series, since }]) => {
      const all = [...series.values()]
      const kept = all.slice(0, STORED_SERIES_MAX)
      return [id, { since, series: kept, more: more + all.length - kept.length }]
    }),
  )
}

/** The state with what a node notified people of while it saw only itself, so that it is not repeated, and is resolved later. */
export function joined(state: AlarmState, own: readonly Incident[], now: number): AlarmState {
  const byId = new Map(state.incidents.map((incident) => [incident.id, incident]))
  for (const incident of own) {
    const { notifiedAt, notifiedSeries } = incident
    if (notifiedAt === undefined) continue
    const known = byId.get(incident.id)
    if (known === undefined) byId.set(incident.id, { ...incident, clearSince: now })
    else if (known.notifiedAt === undefined)
      byId.set(incident.id, { ...known, notifiedAt, ...(notifiedSeries === undefined ? {} : { notifiedSeries }) })
  }
  return { ...state, incidents: [...byId.values()] }
}
