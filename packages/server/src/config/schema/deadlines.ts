// The outer walls of a turn and its calls. What a shopper waits for is `answers.firstWordMs`; these bound turns without that
// promise (`/v1`, deferred questions) and whatever follows the first word. A part of `config.ts`.
import type Type from 'typebox'
import type { Static } from 'typebox'
import { Positive, section } from './section.ts'

/** Both count from the acceptance of the question. */
const Deadline = section({
  /** The first text must be sent by then. */
  firstWordMs: Positive,
  /** The turn must have ended by then, settlement included. */
  endMs: Positive,
})

export const deadlinesShapes = {
  deadlines: section({
    /** Questions on `POST /api/chat` without a stream. */
    rest: Deadline,
    /** Questions on the WebSocket and by SSE. */
    stream: Deadline,
    /** Questions on `/v1`, streamed or not. No timeout of an API gateway is assumed there. */
    v1: Deadline,
    /** The part of `endMs` that is reserved for settlement. */
    settleMs: Positive,
    /** With less than this until the first-word deadline, the economy model is asked instead of the primary one. */
    economyUnderMs: Positive,
    /** With less than this until the first-word deadline, no model is asked. */
    noModelUnderMs: Positive,
    /** A REST answer that is expected to take longer than this advises the client to use the WebSocket. */
    adviseOverMs: Positive,
    /** The longest silence of a model before its first token. */
    firstTokenMs: Positive,
    /** The longest silence of a model between two tokens. */
    stallMs: Positive,
    /** How long a model may think before the first token of its answer, within the first-word deadline. */
    thinkingMs: Positive,
  }),
}

const SECOND_MS = 1000

export const deadlinesDefaults: Static<Type.TObject<typeof deadlinesShapes>> = {
  deadlines: {
    rest: { firstWordMs: 20 * SECOND_MS, endMs: 25 * SECOND_MS },
    stream: { firstWordMs: 25 * SECOND_MS, endMs: 120 * SECOND_MS },
    v1: { firstWordMs: 25 * SECOND_MS, endMs: 120 * SECOND_MS },
    settleMs: SECOND_MS,
    economyUnderMs: 8 * SECOND_MS,
    noModelUnderMs: 3 * SECOND_MS,
    adviseOverMs: 20 * SECOND_MS,
    firstTokenMs: 8 * SECOND_MS,
    stallMs: 10 * SECOND_MS,
    thinkingMs: 15 * SECOND_MS,
  },
}
