// Where a few raw responses of providers are stored, redacted, to find out what a provider really sends. Each names its turn, so
// that it can be removed with what else is stored of a person. Bounded: the oldest make room. A failure to store one is never a
// turn's failure.

export interface Sample {
  /** At most 64 characters of `A–Z a–z 0–9 _`. */
  readonly id: string
  /** The turn it answered; letters as in `id`. */
  readonly turnId: string
  readonly at: number
  /** The model's configured name. */
  readonly model: string
  /** As they came, redacted. JSON. */
  readonly events: readonly unknown[]
  /** How many came between the kept ones and were left out. */
  readonly eventsLeftOut: number
}

export interface SampleLimits {
  readonly countMax: number
  /** Of all samples together, as JSON. */
  readonly bytesMax: number
}

export interface SampleStore {
  /** Keeps it and lets the oldest go until all fit; one that alone does not fit is not kept. */
  keep(sample: Sample): Promise<void>
  /** The newest, newest first. */
  newest(max: number): Promise<readonly Sample[]>
  /** The turns that there are samples of, and when they were made. */
  turns(): Promise<readonly Pick<Sample, 'turnId' | 'at'>[]>
  /** Removes the samples of these turns; answers how many. */
  forget(turnIds: ReadonlySet<string>): Promise<number>
}

/** One response while it comes in. Neither verb throws, and neither copies anything before the response is over. */
export interface RawSample {
  see(event: unknown): void
  end(): void
}

/** Called once per call of a model, and answers nothing for most of them, nor for one that is of no turn. */
export type StartSample = (turnId: string | undefined) => RawSample | undefined
