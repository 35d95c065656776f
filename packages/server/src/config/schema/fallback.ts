// What happens when no model answers: cached answers, deferred questions, and the hand-over to a person. A part of
// `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { EnvironmentName, Positive, section } from './section.ts'

export const HandoverShape = section({
  /** The address of the webhook. Either this or `urlEnv` is needed. */
  url: Type.Optional(Type.String({ pattern: '^https?://.+', description: 'an https address' })),
  /** The environment variable that holds the address, when the address itself is a secret. */
  urlEnv: Type.Optional(EnvironmentName),
  /** Whether the question's text is sent. Otherwise only the turn's id, language and reason are. Default: false. */
  withText: Type.Optional(Type.Boolean()),
  /** The deadline of one attempt. Default: 5 s. */
  deadlineMs: Type.Optional(Positive),
  /** The most attempts of one call. Default: 3. */
  triesMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  /** The most calls that one node has in flight; further calls are dropped. Default: 8. */
  underWayMax: Type.Optional(Positive),
  /** The most calls of one node in a minute; further calls are dropped. Default: 6. */
  perMinuteMax: Type.Optional(Positive),
})

export const fallbackShapes = {
  /** The promise of the first word, and cached answers. */
  answers: section({
    /**
     * By this time after its acceptance a question has its first word, from whatever can answer it: a second model is asked
     * beside a slow one, and at the end the cache, the built-in responder or the FAQ answers. The limits of admission, context,
     * retrieval and cache are shares of it.
     */
    firstWordMs: Type.Integer({ minimum: 1000, maximum: 10_000 }),
    /**
     * A fresh answer is used before any model is asked. After this time it is stale: used only when no model answers.
     */
    freshMs: Positive,
    /** How long an answer is stored. */
    keepMs: Positive,
    /** The most stored answers. */
    countMax: Positive,
    /** The size of all answers together, when the store is the memory of the process. */
    bytesMax: Positive,
    /** The size of one answer; larger ones are not stored. */
    answerBytesMax: Positive,
    /** The most stale answers that wait for a refresh on one node. */
    refreshMax: Positive,
    /** The most answers that are refreshed in one round. */
    refreshPerRound: Positive,
    /** The time between two rounds. */
    refreshEveryMs: Positive,
  }),
  /** Deferred questions, which are answered when a model is available again. */
  deferred: section({
    /** The most stored questions. */
    countMax: Positive,
    /** The most stored questions of one principal. */
    perPrincipalMax: Positive,
    /** How long a question waits before the shopper is informed that there will be no answer. */
    waitMs: Positive,
    /** How long a node that took a question has to open its turn, before another node may take it. */
    leaseMs: Positive,
    /** The most questions that a node takes in one round. */
    perRound: Positive,
    /** The time between two rounds of a node. */
    everyMs: Positive,
    /** After a node took some, no node takes more for this time: a model that has recovered has other questions too. */
    spacingMs: Positive,
  }),
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

export const fallbackDefaults: Static<Type.TObject<typeof fallbackShapes>> = {
  answers: {
    firstWordMs: 3 * SECOND_MS,
    freshMs: HOUR_MS,
    keepMs: 24 * HOUR_MS,
    countMax: 20_000,
    bytesMax: 64 * 1024 * 1024,
    answerBytesMax: 16 * 1024,
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
