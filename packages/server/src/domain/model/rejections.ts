// What the last calls of each model said about us: a vendor that rejects our key, the name of the model or the form of our requests rejects the next call too,
// until an operator acts. Such calls are no failure of the lane, whose circuit stays closed. One for a node; bounded by the configured models.

export const REJECTION_CAUSES = ['access-denied', 'not-found', 'invalid'] as const
export type RejectionCause = (typeof REJECTION_CAUSES)[number]

/** A model whose vendor has rejected its last calls, `REJECTED_CALLS` of them at least. */
export interface Rejected {
  /** Its configured name. */
  readonly model: string
  /** That of the last call. */
  readonly cause: RejectionCause
  /** The HTTP status of the last call, where one came. */
  readonly status?: number
  /** How many in a row. */
  readonly calls: number
  /** When the first of them ended. */
  readonly since: number
}

/** The end of a call: the outcome of its record, or the class of its error. */
interface EndedCall {
  readonly outcome: string
  readonly fault?: { readonly status?: number } | undefined
}

type Changed = (model: string, now: Rejected | undefined) => void

/** One rejection may be about its prompt; some vendors answer 403 to a text that they moderate. */
export const REJECTED_CALLS = 3
/** A model that turns do not ask is asked by a probe as often as this. */
const PROBE_EVERY_MS = 10_000
/** Ends before the vendor has decided whether it takes the call. */
const UNDECIDED: ReadonlySet<string> = new Set([
  'throttled',
  'timeout',
  'unavailable',
  'internal',
  'not-ready',
  'connection',
  'cancelled',
  'stopped',
  'interrupted',
])
/** The prompt is no part of these causes: a probe of any text shows whether they last. */
const BARRING: ReadonlySet<RejectionCause> = new Set(['access-denied', 'not-found'])

export class Rejections {
  readonly #clock: { now(): number }
  readonly #changed: Changed
  readonly #runs = new Map<string, Rejected & { readonly lastAt: number }>()

  constructor(clock: { now(): number }, changed: Changed = () => {}) {
    this.#clock = clock
    this.#changed = changed
  }

  /** Counts the end of a call, of a turn's or of the shop's. */
  ended(model: string, { fault, outcome }: EndedCall): void {
    const lastAt = this.#clock.now()
    const run = this.#runs.get(model)
    const cause = REJECTION_CAUSES.find((known) => known === outcome)
    if (cause === undefined) {
      if (run === undefined) return
      if (UNDECIDED.has(outcome)) return void this.#runs.set(model, { ...run, lastAt })
      this.#runs.delete(model)
      if (run.calls >= REJECTED_CALLS) this.#changed(model, undefined)
      return
    }
    const calls = (run?.calls ?? 0) + 1
    const status = fault?.status === undefined ? {} : { status: fault.status }
    this.#runs.set(model, { model, cause, ...status, calls, since: run?.since ?? lastAt, lastAt })
    if (calls === REJECTED_CALLS) this.#changed(model, this.of(model))
  }

  of(model: string): Rejected | undefined {
    const run = this.#runs.get(model)
    if (run === undefined || run.calls < REJECTED_CALLS) return undefined
    const { lastAt: _, ...rejected } = run
    return rejected
  }

  all(): readonly Rejected[] {
    return [...this.#runs.keys()].flatMap((model) => this.of(model) ?? [])
  }

  /**
   * Why turns must not ask the model while another can answer: its vendor would reject the call, which costs time
   * before the first word.
   */
  barred(model: string): RejectionCause | undefined {
    const cause = this.of(model)?.cause
    return cause !== undefined && BARRING.has(cause) ? cause : undefined
  }

  /** Whether a barred model should be asked again, by a call of the shop. */
  isProbeDue(model: string): boolean {
    const { lastAt = Infinity } = this.#runs.get(model) ?? {}
    return this.barred(model) !== undefined && this.#clock.now() - lastAt >= PROBE_EVERY_MS
  }
}

/** Merges the rejections that nodes announce: for each model the first one. */
export function rejectedIn(lists: readonly (readonly Rejected[] | undefined)[]): readonly Rejected[] {
  const byModel = new Map<string, Rejected>()
  for (const rejected of lists.flatMap((list) => list ?? []))
    if (!byModel.has(rejected.model)) byModel.set(rejected.model, rejected)
  return [...byModel.values()]
}

/** The most that a node announces. */
const ANNOUNCED_MAX = 16

/** Reads the announcement of a node of any version; unknown forms are left out. */
export function readRejected(value: unknown): readonly Rejected[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, ANNOUNCED_MAX).flatMap((one: Partial<Rejected> | null) => {
    const { calls, cause, model, since, status } = one ?? {}
    const isKnown = typeof model === 'string' && REJECTION_CAUSES.some((known) => known === cause)
    if (!isKnown || cause === undefined || !Number.isSafeInteger(calls) || !Number.isSafeInteger(since)) return []
    const of = Number.isSafeInteger(status) ? { status: status as number } : {}
    return [{ model, cause, ...of, calls: calls as number, since: since as number }]
  })
}
