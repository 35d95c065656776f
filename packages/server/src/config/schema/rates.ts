// How often users, network addresses and the whole store may ask. A part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Positive, section } from './section.ts'

/** A token bucket. */
const Bucket = section({
  /** Tokens that are added in a second. */
  perSecond: Type.Number({ exclusiveMinimum: 0 }),
  /** The most tokens that the bucket holds. */
  burst: Positive,
})

export const ratesShapes = {
  rates: section({
    /** Questions of one user in a second; multiplied by the tier's `rateFactor`. */
    userPerSecond: Type.Number({ exclusiveMinimum: 0 }),
    /** Questions of one user at once; multiplied by the tier's `rateFactor`. */
    userBurst: Positive,
    /** Questions of one user in a day. */
    messagesPerDay: Positive,
    /** Questions at every door, over all nodes. */
    global: Bucket,
    /** Questions of the chat, without `/v1`, over all nodes. */
    chat: Bucket,
    /** New WebSocket connections, over all nodes. */
    connections: Bucket,
    /** Requests of one network address at one node, in units of work: a file costs 1, a call 5, a search 40. */
    requests: Bucket,
    /** Requests of one operator to the admin API of one node. */
    operators: Bucket,
    /** Failed sign-ins and wrong admin tokens of one network address at one node. */
    signIns: Bucket,
    /** Frames of one WebSocket connection. */
    frames: Bucket,
    /** Open WebSocket connections of one guest, user or API key at one node. */
    userConnectionsMax: Positive,
    /** All guests behind one network address, or one /64 of IPv6, together: a new cookie gives no new budget. */
    address: section({
      /** Questions in a second. */
      perSecond: Type.Number({ exclusiveMinimum: 0 }),
      /** Questions at once. */
      burst: Positive,
      /** Questions in a day. */
      messagesPerDay: Positive,
      /** The daily budget of tokens and dollars, as a multiple of one guest's. */
      guestsPerDay: Positive,
      /** Open WebSocket connections at one node, of guests and others. HTTP connections: twice as many. */
      connectionsMax: Positive,
    }),
  }),
}

export const ratesDefaults: Static<Type.TObject<typeof ratesShapes>> = {
  rates: {
    userPerSecond: 5,
    userBurst: 10,
    messagesPerDay: 5000,
    global: { perSecond: 2000, burst: 4000 },
    chat: { perSecond: 2000, burst: 4000 },
    connections: { perSecond: 500, burst: 1000 },
    // About forty calls a second, or forty pages opened at once.
    requests: { perSecond: 200, burst: 2000 },
    operators: { perSecond: 50, burst: 500 },
    // Ten wrong tokens, then one every ten seconds.
    signIns: { perSecond: 0.1, burst: 10 },
    frames: { perSecond: 20, burst: 60 },
    userConnectionsMax: 20,
    // Generous: a family, an office or a school shares one address.
    address: { perSecond: 10, burst: 40, messagesPerDay: 20_000, guestsPerDay: 20, connectionsMax: 200 },
  },
}
