// The settings of what is done when no model answers: answers that are given again, questions that are kept for later, and
// the call to a person. A part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { EnvironmentName, Positive, section } from './section.ts'

export const HandoverShape = section({
  url: Type.Optional(Type.String({ pattern: '^https?://.+', description: 'an https address' })),
  /** The variable of the environment that holds the address, where that is itself a secret. */
  urlEnv: Type.Optional(EnvironmentName),
  /** Sends what was asked along. Without it, only which turn it was, its language and the reason. Default: false. */
  withText: Type.Optional(Type.Boolean()),
  /** For one try, by default 5 s; and how many there are, by default 3. */
  deadlineMs: Type.Optional(Positive),
  triesMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  /** The most calls that one node has in flight (default 8) and makes in a minute (default 6); past either it makes none. */
  underWayMax: Type.Optional(Positive),
  perMinuteMax: Type.Optional(Positive),
})

export const fallbackShapes = {
  /** Answers that may be given again to the same question. */
  answers: section({
    /** So long an answer is given before any model is asked; after that only when no model answers. */
    freshMs: Positive,
    keepMs: Positive,
    countMax: Positive,
    /** Of all answers together, where they are kept in the process. */
    bytesMax: Positive,
    answerBytesMax: Positive,
    /** How long a look may take. */
    lookMs: Positive,
    /** How long someone waits for the answer to the same question that another is just getting. */
    followMs: Positive,
    /** Stale answers that wait to be refreshed on one node, how many at each round, and the time between rounds. */
    refreshMax: Positive,
    refreshPerRound: Positive,
    refreshEveryMs: Positive,
  }),
  /** Questions that are kept for when a model is back. */
  deferred: section({
    countMax: Positive,
    perPrincipalMax: Positive,
    /** How long a question waits before the shopper is informed that there will be no answer. */
    waitMs: Positive,
    /** How long a node has to open the turn of a question that it took. */
    leaseMs: Positive,
    /** How many a node takes at each round, and how often it looks. */
    perRound: Positive,
    everyMs: Positive,
    /** After a node took some, how long no node of a fleet takes more: a model that is back has others to answer too. */
    spacingMs: Positive,
  }),
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

export const fallbackDefaults: Static<Type.TObject<typeof fallbackShapes>> = {
  answers: {
    freshMs: HOUR_MS,
    keepMs: 24 * HOUR_MS,
    countMax: 20_000,
    bytesMax: 64 * 1024 * 1024,
    answerBytesMax: 16 * 1024,
    lookMs: 3 * SECOND_MS,
    followMs: 3 * SECOND_MS,
    refreshMax: 100,
    refreshPerRound: 2,
    refreshEveryMs: 5 * SECOND_MS,
  },
  deferred: {
    countMax: 1000,
    perPrincipalMax: 3,
    waitMs: 15 * MINUTE_MS,
    leaseMs: 30 * SECOND_MS,
    perRound: 5,
    everyMs: 2 * SECOND_MS,
    spacingMs: 1250,
  },
}
