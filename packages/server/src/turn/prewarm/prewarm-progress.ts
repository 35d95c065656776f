// How far the prewarm of a release day is, as one node leaves it to the next. Stored as JSON with the task.

export interface PrewarmProgress {
  /** The products that the running pass is about (`DueReleases.digest`), and the next of its questions. */
  readonly digest: string
  readonly next: number
  /** Spent for this day in all passes, with what a running call may cost at most. */
  readonly microUsd: number
  /** The passes that are complete, by digest. */
  readonly done: readonly string[]
  /** The cost limit of the day was reached: nothing more is asked for it. */
  readonly isSpent: boolean
}

/**
 * Prices and stock may change after a pass, which is then repeated for what changed. A catalogue that keeps changing, or
 * nodes that do not agree on it, must not repeat it forever.
 */
const PASSES_MAX = 4

const NOTHING_DONE = { next: 0, microUsd: 0, done: [], isSpent: false } as const

/** Where to continue for these products. A text that cannot be read, of another version, starts again. */
export function progressFor(digest: string, stored: string | undefined): PrewarmProgress {
  const last = stored === undefined ? undefined : parsed(stored)
  if (last === undefined) return { ...NOTHING_DONE, digest }
  return last.digest === digest ? last : { ...last, digest, next: 0 }
}

/** Whether there is nothing left to ask for these products. */
export function isComplete({ digest, done, isSpent }: PrewarmProgress): boolean {
  return isSpent || done.includes(digest) || done.length >= PASSES_MAX
}

function parsed(stored: string): PrewarmProgress | undefined {
  try {
    const { digest, next, microUsd, done, isSpent } = JSON.parse(stored) as Partial<PrewarmProgress>
    const isRight =
      typeof digest === 'string' &&
      Number.isSafeInteger(next) &&
      Number.isSafeInteger(microUsd) &&
      Array.isArray(done) &&
      typeof isSpent === 'boolean'
    return isRight ? { digest, next: next ?? 0, microUsd: microUsd ?? 0, done, isSpent } : undefined
  } catch {
    return undefined
  }
}
