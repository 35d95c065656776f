// Keeps one condition from flooding the log: of equal warnings and errors one is written in a second, and the next says how many were
// left out since. A store that is unavailable would otherwise write a line for every call.
import { BoundedMap } from '#lib/collections/bounded-map.ts'

const EVERY_MS = 1000
const CONDITIONS_MAX = 500
const CAUSE_LENGTH_MAX = 200
/** What tells one condition from another with the same event. Ids and figures do not: each line has its own. */
const PARTS = ['lane', 'model', 'store', 'task', 'account', 'percent', 'bucket', 'path', 'experiment', 'arm'] as const

/** Ids such as `turn_yfmZbqBS01lT5M7AKam09p`. */
const IDS = /\b[a-z]+_[\w-]{8,}/g
/** Few by themselves, and each of them is about something else: they are never left out. */
const SINGLE = /^(?:alarm|node)\./

interface Written {
  readonly at: number
  leftOut: number
}

export class LineFold {
  readonly #written = new BoundedMap<string, Written>(CONDITIONS_MAX)
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** How many lines were left out since the last one; undefined when this one is left out too. */
  enter(event: string, fields: Readonly<Record<string, unknown>> = {}, cause = ''): number | undefined {
    if (SINGLE.test(event)) return 0
    // Addresses, ids and times in a message are no other condition.
    const said = cause.slice(0, CAUSE_LENGTH_MAX).replaceAll(IDS, 'id').replaceAll(/\d+/g, '0')
    const key = [event, said, ...PARTS.map((part) => fields[part])].join('\n')
    const now = this.#now()
    const last = this.#written.get(key)
    if (last !== undefined && now - last.at < EVERY_MS) {
      last.leftOut += 1
      return undefined
    }
    this.#written.set(key, { at: now, leftOut: 0 })
    return last?.leftOut ?? 0
  }
}
