// The traits of a record: everything that it can be asked for and that has few values, with its cost and its time as classes. Many
// records share the same traits, so a store that indexes traits finds any combination of them without reading the rest.
import { costOf, isRefusal, kindOf, reasonsOf, totalMsOf } from './records-filter.ts'
import type { RecordKind, RecordsFilter, StoredRecord } from './turn-record.ts'

export interface RecordTraits {
  readonly kind: RecordKind
  readonly door: string
  readonly tier: string
  readonly model: string
  readonly outcome: string
  /** The words, with a space between them. */
  readonly reason: string
  readonly isDegraded: boolean
  /** The lower bounds of the classes, of `CLASS_BOUNDS`; -1 where the class is not known. */
  readonly costFrom: number
  readonly totalMsFrom: number
}

/** Round numbers, which people ask for: then no record of a class has to be looked at. */
const CLASS_BOUNDS = [
  0, 1, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
] as const
export const UNKNOWN_CLASS = -1

/** The filters that traits decide, or narrow. */
export const TRAIT_FILTERS = [
  'kind',
  'door',
  'model',
  'tier',
  'reason',
  'outcome',
  'isDegraded',
  'costMicroUsdMin',
  'costMicroUsdMax',
  'totalMsMin',
] as const satisfies readonly (keyof RecordsFilter)[]

export function traitsOf(record: StoredRecord): RecordTraits {
  const [kind, reason, door] = [kindOf(record), reasonsOf(record).join(' '), record.door ?? '']
  const classes = { costFrom: classOf(costOf(record)), totalMsFrom: classOf(totalMsOf(record)) }
  if (isRefusal(record))
    return { kind, door, tier: '', model: '', outcome: record.code, reason, isDegraded: false, ...classes }
  const { finishReason: outcome, isDegraded, model, tier } = record
  return { kind, door, tier, model, outcome, reason, isDegraded, ...classes }
}

/** Whether all records with these traits match, some may, or none does. */
export function traitsMatch(traits: RecordTraits, filter: RecordsFilter): 'all' | 'some' | 'none' {
  const { door, isDegraded, kind, model, outcome, reason, tier } = filter
  const isRefused = traits.kind === 'refusal'
  const matches =
    (kind === undefined || kind === traits.kind || (kind === 'turn' && !isRefused)) &&
    (door === undefined || door === traits.door) &&
    (model === undefined || (!isRefused && model === traits.model)) &&
    (tier === undefined || (!isRefused && tier === traits.tier)) &&
    (isDegraded === undefined || (!isRefused && isDegraded === traits.isDegraded)) &&
    (outcome === undefined || outcome === traits.outcome || (isRefused && outcome === 'refused')) &&
    (reason === undefined || traits.reason.split(' ').includes(reason))
  if (!matches) return 'none'
  const within = [
    classWithin(traits.costFrom, filter.costMicroUsdMin, filter.costMicroUsdMax),
    classWithin(traits.totalMsFrom, filter.totalMsMin, undefined),
  ]
  return within.includes('none') ? 'none' : within.includes('some') ? 'some' : 'all'
}

function classWithin(from: number, min = 0, max = Infinity): 'all' | 'some' | 'none' {
  if (min <= 0 && max === Infinity) return 'all'
  if (from === UNKNOWN_CLASS) return 'some'
  const last = lastOf(from)
  if (last < min || from > max) return 'none'
  return from >= min && last <= max ? 'all' : 'some'
}

function classOf(value: number): number {
  return CLASS_BOUNDS.findLast((bound) => bound <= value) ?? 0
}

/** The greatest whole number of the class. */
function lastOf(from: number): number {
  return (CLASS_BOUNDS.find((bound) => bound > from) ?? Infinity) - 1
}
