// Keeps one condition from flooding the log. Of equal lines the first is written at once; those that follow are summed, and the
// last of them is written when its window ends, with `leftOut`, how many others it stands for. So every sum is written, also when the
// condition has ended. While a condition lasts its windows grow, up to a minute.
import type { LogLevel } from '#domain/telemetry/entry.ts'

const WINDOW_MS = 1000
const CONDITIONS_MAX = 500
const CAUSE_LENGTH_MAX = 200
/** The longest window by level. A line of level info is about one request: its id should not be missing for long. */
const WINDOW_MS_MAX: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1000, warn: 60_000, error: 60_000 }
/**
 * The fields by which conditions with the same event are distinguished. Ids and figures are not among them, because
 * they differ in every line.
 */
const PARTS = [
  'lane',
  'model',
  'class',
  'store',
  'task',
  'account',
  'percent',
  'bucket',
  'path',
  'experiment',
  'arm',
  'code',
  'scope',
  'reason',
  'vendorCode',
] as const

/** Ids such as `turn_yfmZbqBS01lT5M7AKam09p`. */
const IDS = /\b[a-z]+_[\w-]{8,}/g
/** Few by themselves, and each of them is about something else: they are never left out. */
const SINGLE = /^(?:alarm|node)\./

export interface FoldedLine {
  readonly level: LogLevel
  readonly event: string
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: string | undefined
  /** Writes the line; `leftOut` is 0 for a line that stands for itself, and `at` is absent for one that is written as it happens. */
  readonly write: (folded: { readonly leftOut: number; readonly at?: number }) => void
}

interface Condition {
  readonly windowMs: number
  readonly endsAt: number
  count: number
  last: FoldedLine | undefined
  lastAt: number
}

export interface LineFoldParts {
  readonly now: () => number
  /** A timer that does not keep the process alive. */
  readonly after: (ms: number, action: () => void) => Disposable
}

export class LineFold {
  readonly #parts: LineFoldParts
  readonly #conditions = new Map<string, Condition>()
  #timer: { readonly at: number; readonly stop: Disposable } | undefined

  constructor(parts: LineFoldParts) {
    this.#parts = parts
  }

  add(line: FoldedLine): void {
    if (SINGLE.test(line.event)) return line.write({ leftOut: 0 })
    const now = this.#parts.now()
    const key = keyOf(line)
    const known = this.#conditions.get(key)
    if (known !== undefined && now < known.endsAt) {
      known.count += 1
      known.last = line
      known.lastAt = now
      return
    }
    // Its window has ended, and the timer is late.
    if (known !== undefined) write(known)
    else if (this.#conditions.size >= CONDITIONS_MAX) this.flush()
    line.write({ leftOut: 0 })
    this.#open(key, { now, windowMs: WINDOW_MS })
  }

  /** Writes every sum now and forgets all conditions: at the end of the process, and when there are too many. */
  flush(): void {
    for (const condition of this.#conditions.values()) write(condition)
    this.#conditions.clear()
  }

  #open(key: string, { now, windowMs }: { readonly now: number; readonly windowMs: number }): void {
    this.#conditions.set(key, { windowMs, endsAt: now + windowMs, count: 0, last: undefined, lastAt: now })
    this.#arm()
  }

  /** One timer for all conditions, at the first end of a window. */
  #arm(): void {
    const ends = [...this.#conditions.values()].map(({ endsAt }) => endsAt)
    const at = Math.min(...ends)
    if (ends.length === 0 || this.#timer?.at === at) return
    this.#timer?.stop[Symbol.dispose]()
    const stop = this.#parts.after(Math.max(0, at - this.#parts.now()), () => {
      this.#timer = undefined
      this.#end()
    })
    this.#timer = { at, stop }
  }

  #end(): void {
    const now = this.#parts.now()
    const over = [...this.#conditions].filter(([, { endsAt }]) => endsAt <= now)
    for (const [key, condition] of over) {
      this.#conditions.delete(key)
      const { last, windowMs } = condition
      // A window in which nothing happened ends the condition.
      if (last === undefined) continue
      write(condition)
      this.#open(key, { now, windowMs: Math.min(windowMs * 2, WINDOW_MS_MAX[last.level]) })
    }
    this.#arm()
  }
}

function write({ count, last, lastAt }: Condition): void {
  last?.write({ leftOut: count - 1, at: lastAt })
}

function keyOf({ event, fields, cause = '' }: FoldedLine): string {
  return [event, ...[cause, ...PARTS.map((part) => fields?.[part] ?? '')].map(alike)].join('\n')
}

/** Addresses, ids and times in a message are no other condition. */
function alike(value: unknown): unknown {
  return typeof value === 'string'
    ? value.slice(0, CAUSE_LENGTH_MAX).replaceAll(IDS, 'id').replaceAll(/\d+/g, '0')
    : value
}
