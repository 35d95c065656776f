// How far cumulative figures have risen within windows of time. For each window it stores about sixty samples, whatever the interval
// at which figures are added, so memory is bounded. A figure starts at zero when the process does. Pure.

type Figures = readonly number[]

interface Sample {
  readonly at: number
  readonly figures: Figures
}

const SAMPLES_PER_WINDOW = 60

export class History {
  readonly #windows: ReadonlyMap<number, Sample[]>
  #latest: Sample

  constructor(windowsMs: readonly number[], { at, width }: { readonly at: number; readonly width: number }) {
    const first = { at, figures: Array.from({ length: width }, () => 0) }
    this.#windows = new Map(windowsMs.map((ms) => [ms, [first]]))
    this.#latest = first
  }

  add(at: number, figures: Figures): void {
    this.#latest = { at, figures }
    for (const [windowMs, samples] of this.#windows) {
      const last = samples.at(-1)?.at ?? 0
      if (at - last >= windowMs / SAMPLES_PER_WINDOW) samples.push(this.#latest)
      // The first sample is the newest that is at least a window old, or the oldest there is.
      while ((samples[1]?.at ?? Infinity) <= at - windowMs) samples.shift()
    }
  }

  /** The increase of each figure from the start of the window to the last sample. */
  increase(windowMs: number): Figures {
    const from = this.#windows.get(windowMs)?.[0]?.figures ?? []
    return this.#latest.figures.map((figure, index) => figure - (from[index] ?? 0))
  }

  get samples(): number {
    return [...this.#windows.values()].reduce((sum, samples) => sum + samples.length, 0)
  }
}
