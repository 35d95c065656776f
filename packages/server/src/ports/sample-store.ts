// Where a few raw responses of providers are kept, redacted, for whoever has to find out what a provider really sends.
// Bounded: the oldest make room. A failure to keep one is never a turn's trouble.

export interface Sample {
  /** At most 64 characters of `A–Z a–z 0–9 _`. */
  readonly id: string
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
}

/** One response while it comes in. Neither verb throws, and neither copies anything before the response is over. */
export interface RawSample {
  see(event: unknown): void
  end(): void
}

/** Called once per call of a model, and answers nothing for most of them. */
export type StartSample = () => RawSample | undefined
