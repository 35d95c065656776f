// The index of turn records in Redis: for each day one sorted set of entries `<kind> <name> <time> <turn>`, in the order of their
// text. An entry is written before its record and may outlive it: the reader of an entry checks the record.
import { experimentsOf, isRefusal, positionOfRecord } from '#domain/turn-records/records-filter.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { RecordPosition, RecordsFilter, StoredRecord } from '#ports/turn-records/port.ts'
import type { Redis } from '../client/connection.ts'
import { INDEX } from './scripts.ts'

export interface DayIndexOptions {
  /** What is indexed: refusals have an index of their own, so that older nodes, and a flood of them, leave turns alone. */
  readonly of: 'turn-records' | 'turn-refusals'
  readonly redis: Redis
  readonly clock: Clock
  readonly keepMs: number
}

const DAY_MS = 86_400_000
/** Times with the same number of digits sort as text as they do as numbers. */
const MOMENT_DIGITS = 15
const ALL = 't '
/** How many days are read at a time: most questions are about few of them. */
const DAYS_AT_ONCE = 8

export class DayIndex {
  readonly #options: DayIndexOptions

  constructor(options: DayIndexOptions) {
    this.#options = options
  }

  async add(entriesOf: readonly { readonly at: number; readonly entries: readonly string[] }[]): Promise<void> {
    const { keepMs, redis } = this.#options
    const days = Map.groupBy(entriesOf, ({ at }) => dayOf(at))
    const write = (day: string, entries: readonly string[]) =>
      redis.run(INDEX, [this.#keyOf(day)], [keepMs + 2 * DAY_MS, ...entries])
    await Promise.all(
      [...days].map(([day, own]) =>
        write(
          day,
          own.flatMap(({ entries }) => entries),
        ),
      ),
    )
  }

  async remove(entriesOf: readonly { readonly at: number; readonly entries: readonly string[] }[]): Promise<void> {
    const days = Map.groupBy(entriesOf, ({ at }) => dayOf(at))
    await Promise.all(
      [...days].map(async ([day, own]) => {
        const [key, entries] = [this.#keyOf(day), own.flatMap((one) => one.entries)]
        if (entries.length > 0) await this.#options.redis.command(key, 'ZREM', key, ...entries)
      }),
    )
  }

  /** Removes every entry of a person or a conversation, also those without a record. */
  async removeAllOf(filter: RecordsFilter): Promise<void> {
    const prefix = prefixOf(filter)
    const days = this.#days({})
    await Promise.all(
      days.map((day) => {
        const key = this.#keyOf(day)
        return this.#options.redis.command(key, 'ZREMRANGEBYLEX', key, `[${prefix}`, `(${prefix}~`)
      }),
    )
  }

  /** The positions of what may match, newest first, in groups of at most `size`. */
  async *positions(
    filter: RecordsFilter,
    size: number,
    after?: RecordPosition,
  ): AsyncGenerator<readonly RecordPosition[]> {
    const prefix = prefixOf(filter)
    const least = `[${prefix}${moment(filter.from ?? 0)}`
    const to = Math.min(filter.to ?? Infinity, after === undefined ? Infinity : after.at + 1)
    const behind = after === undefined || after.at >= to ? undefined : `(${prefix}${placeOf(after)}`
    const most = behind ?? `(${prefix}${Number.isFinite(to) ? moment(to) : '~'}`
    const read = async (day: string, from: string): Promise<readonly string[]> => {
      const key = this.#keyOf(day)
      const bounds = [from, least, 'BYLEX', 'REV', 'LIMIT', '0', String(size)]
      return (await this.#options.redis.command(key, 'ZRANGE', key, ...bounds)) as readonly string[]
    }
    const days = this.#days({ ...filter, ...(Number.isFinite(to) ? { to } : {}) })
    for (let at = 0; at < days.length; at += DAYS_AT_ONCE) {
      const some = days.slice(at, at + DAYS_AT_ONCE)
      const firsts = await Promise.all(some.map((day) => read(day, most)))
      for (const [index, day] of some.entries()) {
        let found = firsts[index] ?? []
        while (found.length > 0) {
          yield found.map((entry) => positionOf(entry.slice(prefix.length)))
          found = found.length < size ? [] : await read(day, `(${found.at(-1)}`)
        }
      }
    }
  }

  /** How many records there are, at most: an entry may have outlived its record. */
  async count(): Promise<number> {
    const counts = await Promise.all(
      this.#days({}).map((day) => {
        const key = this.#keyOf(day)
        return this.#options.redis.command(key, 'ZLEXCOUNT', key, `[${ALL}`, `(${ALL}~`)
      }),
    )
    return counts.reduce<number>((sum, count) => sum + Number(count), 0)
  }

  /** The oldest positions before a time, oldest first. */
  async oldest(before: number, limit: number): Promise<readonly RecordPosition[]> {
    const found: RecordPosition[] = []
    const end = `(${ALL}${moment(before)}`
    for (const day of this.#days({ to: before }).toReversed()) {
      const key = this.#keyOf(day)
      const bounds = [`[${ALL}`, end, 'BYLEX', 'LIMIT', '0', String(limit - found.length)]
      const entries = (await this.#options.redis.command(key, 'ZRANGE', key, ...bounds)) as readonly string[]
      found.push(...entries.map((entry) => positionOf(entry.slice(ALL.length))))
      if (found.length >= limit) break
    }
    return found
  }

  #keyOf(day: string): string {
    return `ma:{${this.#options.of}:${day}}`
  }

  /** Every day that may still be stored, newest first. */
  #days({ from = 0, to = Infinity }: Pick<RecordsFilter, 'from' | 'to'>): readonly string[] {
    const { clock, keepMs } = this.#options
    const newest = Math.floor(Math.min(to, clock.now() + 2 * DAY_MS) / DAY_MS)
    const oldest = Math.floor(Math.max(from, clock.now() - keepMs - DAY_MS) / DAY_MS)
    return Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, index) => dayOf((newest - index) * DAY_MS))
  }
}

export function entriesOf(record: StoredRecord): { readonly at: number; readonly entries: readonly string[] } {
  const { at, principalId, requestId, sessionId } = record
  const filters: readonly RecordsFilter[] = [
    {},
    ...(sessionId === '' ? [] : [{ sessionId }]),
    ...(principalId === '' ? [] : [{ principalId }]),
    ...(requestId === undefined ? [] : [{ requestId }]),
    ...experimentsOf(record).map((experiment) => ({ experiment })),
    ...ofKind(record),
  ]
  return { at, entries: filters.map((filter) => entryOf(filter, positionOfRecord(record))) }
}

/** What is rare enough to have an entry of its own: a thumb, an end that is not plain, a degraded answer. */
function ofKind(record: StoredRecord): readonly RecordsFilter[] {
  if (isRefusal(record)) return []
  const { finishReason, isDegraded, received } = record
  return [
    ...(received.feedback === undefined ? [] : [{ feedback: received.feedback.value }]),
    ...(finishReason === PLAIN_END ? [] : [{ outcome: finishReason }]),
    ...(isDegraded ? [{ isDegraded }] : []),
  ]
}

export function entryOf(filter: RecordsFilter, position: RecordPosition): string {
  return `${prefixOf(filter)}${placeOf(position)}`
}

/** Almost all turns end so: it has no entry. */
const PLAIN_END = 'stop'

/** The narrowest kind of entry that includes all that match. Older nodes write no entries for requests, ends and degraded answers. */
function prefixOf(filter: RecordsFilter): string {
  const { experiment, feedback, isDegraded, outcome, principalId, requestId, sessionId } = filter
  if (requestId !== undefined) return `q ${encodeURIComponent(requestId)} `
  if (sessionId !== undefined) return `s ${encodeURIComponent(sessionId)} `
  if (principalId !== undefined) return `p ${encodeURIComponent(principalId)} `
  if (feedback !== undefined) return `f ${feedback} `
  if (experiment !== undefined) return `e ${encodeURIComponent(experiment)} `
  if (outcome !== undefined && outcome !== PLAIN_END && !isOfRefusals(filter))
    return `o ${encodeURIComponent(outcome)} `
  return isDegraded === true ? 'd ' : ALL
}

/** Only refusals match. Error codes are in capitals, finish reasons are not. */
export function isOfRefusals({ kind, outcome }: RecordsFilter): boolean {
  return kind === 'refusal' || outcome === 'refused' || (outcome !== undefined && /^[A-Z_]+$/.test(outcome))
}

/** No refusal matches. */
export function isOfTurns({ experiment, feedback, isDegraded, kind, model, outcome, tier }: RecordsFilter): boolean {
  const isOther = kind !== undefined && kind !== 'refusal'
  const isEnd = outcome !== undefined && !isOfRefusals({ outcome })
  return isOther || isEnd || [experiment, feedback, isDegraded, model, tier].some((value) => value !== undefined)
}

function placeOf({ at, turnId }: RecordPosition): string {
  return `${moment(at)} ${turnId}`
}

function positionOf(place: string): RecordPosition {
  return { at: Number(place.slice(0, MOMENT_DIGITS)), turnId: place.slice(MOMENT_DIGITS + 1) }
}

function moment(at: number): string {
  return String(Math.max(0, Math.floor(at))).padStart(MOMENT_DIGITS, '0')
}

function dayOf(at: number): string {
  return isoTime(at).slice(0, 10)
}
