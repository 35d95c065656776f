// Stores a few raw responses of providers, redacted, to show what a provider really sends. Each names its turn, so that it
// can be removed with a person's data. Bounded: the oldest are removed. A failure to store a sample never fails a turn.

export interface Sample {
  /** At most 64 characters of `A–Z a–z 0–9 _`. */
  readonly id: string
  /** The turn it answered; the same characters as in `id`. */
  readonly turnId: string
  readonly at: number
  /** The model's configured name. */
  readonly model: string
  /** The events in order, redacted, as JSON. */
  readonly events: readonly unknown[]
  /** How many events were left out. */
  readonly eventsLeftOut: number
}

export interface SampleLimits {
  readonly countMax: number
  /** Size limit of all samples together, as JSON. */
  readonly bytesMax: number
}

export interface SampleStore {
  /** Stores a sample and removes the oldest until all fit; one that is too large by itself is not stored. */
  keep(sample: Sample): Promise<void>
  /** The newest, newest first. */
  newest(max: number): Promise<readonly Sample[]>
  /** The turns that have samples, and the times of the samples. */
  turns(): Promise<readonly Pick<Sample, 'turnId' | 'at'>[]>
  /** Removes the samples of these turns; returns how many. */
  forget(turnIds: ReadonlySet<string>): Promise<number>
}

/** One response while it arrives. Neither verb throws, and nothing is copied before the response has ended. */
export interface RawSample {
  see(event: unknown): void
  end(): void
}

/** Called once for each model call; returns undefined for most of them, and for calls outside a turn. */
export type StartSample = (turnId: string | undefined) => RawSample | undefined
