// The promise of the first word: by `answers.firstWordMs` after its acceptance a question has been offered to everything that may
// answer it, and something has begun to answer. Everything that takes time before the first word takes a share of it, and all
// shares are here. The deadlines of `deadline.ts` are the outer walls, for turns without the promise.

/** What each step before the first word may take, in milliseconds. */
export interface FirstWordShares {
  /** Reading the conversation. */
  readonly historyMs: number
  /** One retrieval; a second one, where the conversation changes the meaning, must end within `contextMs` too. */
  readonly retrievalMs: number
  /** The whole context stage. */
  readonly contextMs: number
  /** A lookup in the answer cache. */
  readonly lookupMs: number
  /** The wait for another turn's answer to the same question. */
  readonly followMs: number
}

/** A second model is asked after this share of the promise at the latest, so that it has the rest for itself. */
const SECOND_SHARE = 1 / 2
/** While another model is free, a turn pauses before retries for at most this share, all pauses together. */
const PAUSES_SHARE = 1 / 4
/** What answers without a model needs a moment: models are left this share before the promise ends. */
const FALLBACK_SHARE = 1 / 20
/** A model asked late is not left before it had this share, if the promise allows. */
const LEAST_SHARE = 1 / 6
/** With less than this share left no model is asked any more. */
const ASKED_SHARE = 1 / 3

/** A call without a word counts against its model after this share, or after the model's usual time, but not later than the second one. */
const SILENT_SHARE = 1 / 3
const SILENT_MAX_SHARE = 3 / 4

/** Shops whose models all need longer wait for the quickest, but not longer than this. */
export const STRETCHED_MAX_MS = 10_000
/** A stretched promise has room for the steps before and after the model. */
const STRETCHED_ROOM = 1.1
/** A model that reports that it is thinking is given its usual time, at most this long. */
export const THINKING_MAX_MS = 8000

export function sharesOf(firstWordMs: number): FirstWordShares {
  return {
    historyMs: firstWordMs / 4,
    retrievalMs: firstWordMs / 3,
    contextMs: (firstWordMs * 2) / 5,
    lookupMs: firstWordMs / 10,
    followMs: firstWordMs / 3,
  }
}

/** The promise of a turn, in milliseconds since the epoch. */
export interface FirstWord {
  /** The last moment for a model's first word: what answers without a model answers then. */
  readonly modelsBy: number
  /** When a second model is asked at the latest. */
  readonly secondBy: number
  /** What all pauses before retries may take together while another model is free. */
  readonly pausesMs: number
  /** The minimum time that a model gets before another one is asked instead. */
  readonly leastMs: number
  /** With less time left than this, or than a model's usual time where that is shorter, it is not asked. */
  readonly askedMs: number
  /** A model whose usual time is not known is silent when it has sent nothing for this long. */
  readonly silentMs: number
  /** So is any model after this long, however slow it is by nature. */
  readonly silentMaxMs: number
}

/** For a turn without fallback, or without a reader: the outer walls alone bound it. */
export const NO_PROMISE: FirstWord = {
  modelsBy: Number.POSITIVE_INFINITY,
  secondBy: Number.POSITIVE_INFINITY,
  pausesMs: 2000,
  leastMs: 0,
  askedMs: 0,
  silentMs: 0,
  silentMaxMs: 0,
}

export function isPromised({ modelsBy }: FirstWord): boolean {
  return modelsBy !== Number.POSITIVE_INFINITY
}

export function firstWordOf(acceptedAt: number, firstWordMs: number): FirstWord {
  return {
    modelsBy: acceptedAt + Math.round(firstWordMs * (1 - FALLBACK_SHARE)),
    secondBy: acceptedAt + firstWordMs * SECOND_SHARE,
    pausesMs: firstWordMs * PAUSES_SHARE,
    leastMs: firstWordMs * LEAST_SHARE,
    askedMs: firstWordMs * ASKED_SHARE,
    silentMs: firstWordMs * SILENT_SHARE,
    silentMaxMs: firstWordMs * SILENT_MAX_SHARE,
  }
}

/**
 * The promise of a shop whose models are slow by nature: as long as the quickest of them usually needs. `p95sMs` are those of the models that may be
 * asked; one that is not known yet counts as quick.
 */
export function stretchedFirstWordMs(firstWordMs: number, p95sMs: readonly (number | undefined)[]): number {
  const quickest = p95sMs.length === 0 ? 0 : Math.min(...p95sMs.map((ms) => ms ?? 0))
  return Math.max(firstWordMs, Math.min(Math.round(quickest * STRETCHED_ROOM), STRETCHED_MAX_MS))
}
