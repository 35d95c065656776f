// The schema and the default of every setting; larger sections are in `schema/`. Parsed once at the start
// (`load-config.ts`), then frozen: nothing on a turn's path parses settings. A unit is the last word of a name.
import Type from 'typebox'
import type { Static } from 'typebox'
import { LOG_BOUNDS } from '#domain/turn/log-bounds.ts'
import { Auth } from './schema/auth.ts'
import { commerceDefaults, commerceShapes, shippingDefaults, ShippingShape } from './schema/commerce.ts'
import { deadlinesDefaults, deadlinesShapes } from './schema/deadlines.ts'
import { dynamodbDefaults, dynamodbShapes } from './schema/dynamodb.ts'
import { s3Defaults, s3Shapes } from './schema/s3.ts'
import { experimentsDefaults, experimentsShapes } from './schema/experiments.ts'
import { fallbackDefaults, fallbackShapes, HandoverShape } from './schema/fallback.ts'
import { Model } from './schema/model.ts'
import { opensearchDefaults, opensearchShapes } from './schema/opensearch.ts'
import { overloadDefaults, overloadShapes } from './schema/overload.ts'
import { prewarmDefaults, PrewarmShape } from './schema/prewarm.ts'
import { probingDefaults, probingShapes } from './schema/probing.ts'
import { ratesDefaults, ratesShapes } from './schema/rates.ts'
import { routingDefaults, routingShapes } from './schema/routing.ts'
import { searchDefaults, searchShapes } from './schema/search.ts'
import { spendingDefaults, spendingShapes } from './schema/spending.ts'
import { Positive, section, Whole } from './schema/section.ts'
import { PLACEHOLDER_CONTACT } from '#domain/desk/placeholder.ts'
import { deskDefaults, DeskShape } from './schema/desk.ts'
import { storesDefaults, storesShapes } from './schema/stores.ts'
import { telemetryDefaults, telemetryShapes } from './schema/telemetry.ts'
import { Tier } from './schema/tier.ts'

const Bilingual = Type.Object({ ja: Type.String(), en: Type.String() }, { additionalProperties: false })

export const ConfigSchema = section({
  server: section({
    host: Type.String({ minLength: 1 }),
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    /** Folder of all stored data; relative to the workspace root, or to the current folder of an installed package. */
    dataDir: Type.String({ minLength: 1 }),
    /** Folder of the backups that operators ask the server for, each a new folder in it; relative like `dataDir`. Default: it makes none. */
    backupDir: Type.Optional(Type.String({ minLength: 1 })),
    /** Origins, besides the server's own, whose pages may use the API and the WebSocket. */
    allowedOrigins: Type.Array(
      Type.String({
        pattern: '^https?://[^/]+$',
        description: 'an origin such as https://shop.example, without a path and without a trailing slash',
      }),
    ),
    /**
     * The public address, such as `https://assist.shop.example`. When it is set, requests to other hosts are refused.
     */
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#@]+$',
        description: 'an address such as https://assist.shop.example, without a path and without a trailing slash',
      }),
    ),
    /**
     * Take the client's address and scheme from the headers of a proxy. Only with a proxy in front: else clients forge
     * them.
     */
    trustProxy: Type.Boolean(),
    /** Number of proxies in a row: the address that the outermost of them saw is the client's. */
    proxies: Positive,
    /** Largest body of an HTTP request. */
    bodyBytesMax: Positive,
    /** Largest WebSocket frame from a client. */
    frameBytesMax: Positive,
    /** Open WebSocket connections at one node. */
    connectionsMax: Positive,
    /** A WebSocket without frames from the client and without readers for this long is closed with 4408. */
    connectionIdleMs: Positive,
    /** How long after SIGTERM running turns may take to finish. */
    drainMs: Positive,
    /**
     * How long after SIGTERM the node still answers as usual, while `/readyz` says 503 so that a balancer notices. Default: 5 s where the
     * registry has another node, at most `drainMs`; otherwise nothing.
     */
    lameDuckMs: Type.Optional(Type.Integer({ minimum: 0 })),
    logLevel: Type.Enum(['debug', 'info', 'warn', 'error', 'silent']),
  }),
  auth: Auth,
  ...commerceShapes,
  store: section({
    name: Bilingual,
    /** Daily budgets start again at midnight of this time zone. */
    timeZone: Type.String({ minLength: 1 }),
    /** How a shopper reaches a person; shown when the assistant cannot help. */
    contact: Bilingual,
    /**
     * Folder of the shop's own system prompts, `bookseller.ja.md` and `bookseller.en.md`; relative like `dataDir`. Default: the
     * bundled prompts.
     */
    prompts: Type.Optional(Type.String({ minLength: 1 })),
    /** A webhook that calls a person of the shop to a conversation (hand-over). */
    handover: Type.Optional(HandoverShape),
    /** The people who answer when a shopper asks for one. */
    desk: DeskShape,
    prewarm: PrewarmShape,
    shipping: ShippingShape,
  }),
  models: Type.Record(Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9-]*$' }), Model, {
    description: 'a name of letters, digits and dashes that begins with a letter',
  }),
  /** Names of `models`, in the order in which they are asked. Empty: the built-in responder. */
  ladder: Type.Array(Type.String()),
  ...routingShapes,
  streaming: section({
    /** After the first word, text is buffered at most this long before it is sent. */
    flushMs: Positive,
    /** Buffered text is sent at once when it reaches this size. */
    flushBytes: Positive,
    /** Largest encoded frame to a client. */
    frameBytesMax: Type.Integer({ minimum: 1024 }),
    /** A heartbeat is sent when nothing else was sent on a connection for this long. */
    heartbeatMs: Positive,
    /** With more unsent bytes than this, live delivery to a client pauses until they are sent. */
    highWaterBytes: Positive,
    /** A slow client is closed with 4409 after this many polls without progress. */
    stalledPollsMax: Positive,
    /** Time between two polls of a slow client. */
    stalledPollMs: Positive,
  }),
  tokens: section({
    /**
     * Input tokens of one prompt. A longer message raises the limit for its own request, to message + system + safety.
     */
    inputPerRequestMax: Positive,
    /** The part of it that is reserved for the system prompt. */
    systemShare: Positive,
    /** The part of it that retrieved products and FAQ entries may use. */
    retrievalShare: Positive,
    /** The part of it that stays unused, for errors of the estimate. */
    safetyShare: Positive,
    /** Input tokens of one conversation. */
    inputPerSessionMax: Positive,
    /** Output tokens of one conversation. */
    outputPerSessionMax: Positive,
    /** With less room for output than this, no model is asked. */
    outputUsefulMin: Positive,
    /** How much a model may think before its first word. It is output, and counts within the output of the request. */
    thinkingTokensMax: Positive,
    /** Longest message, in code points. */
    messageLengthMax: Type.Integer({ minimum: 1, maximum: 5000 }),
    /** An incomplete answer with this many characters (UTF-16 units) or more is not continued. It can be asked again. */
    continuedCharactersMax: Positive,
    /** The most question–answer pairs of the conversation in a prompt, as far as they fit. */
    historyPairsMax: Whole,
    /** The part of the history's tokens that is reserved for pinned facts, such as genres that the shopper avoids. */
    factsShare: Whole,
    /** An answer is cut when it has this many times the granted output tokens. */
    overshootFactor: Type.Number({ minimum: 1, maximum: 2 }),
    temperature: Type.Number({ minimum: 0, maximum: 1 }),
    /** At the start, use vendors' free counting of tokens for models whose estimator has learnt nothing yet. */
    warmStart: Type.Boolean(),
    /** Products and FAQ entries that retrieval returns. */
    retrieved: Positive,
    /** Those of them that go into the prompt. */
    retrievedInPrompt: Positive,
  }),
  tiers: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), Tier, {
    description: 'a name of lower-case letters, digits and dashes that begins with a letter',
  }),
  ...ratesShapes,
  ...deadlinesShapes,
  ...overloadShapes,
  turns: section({
    /** How long a node owns a turn after it last renewed the lease. */
    leaseMs: Positive,
    /** How often the owner renews the lease. */
    renewMs: Positive,
    /** How long the hold of a turn stays after its owner last renewed it: long enough for a takeover. */
    holdMs: Positive,
    /** How often a node searches for lapsed leases. */
    orphanScanMs: Positive,
    /** How long an ended turn can be resumed. */
    keepMs: Positive,
    /** How long a turn without readers continues, so that a client can reconnect and read on. */
    resumeWindowMs: Positive,
    /** What happens then: `stop` ends the turn with the text so far, `finish` lets the model finish. */
    unread: Type.Enum(['stop', 'finish']),
    /** Turns that one node runs at once; further questions are refused until some have ended. */
    runningMax: Positive,
    /** A turn log with more records is trimmed to a snapshot and the records after it. */
    logRecordsMax: Type.Integer({ minimum: 8 }),
    /** A larger turn log is trimmed in the same way. */
    logBytesMax: Type.Integer({ minimum: 4096 }),
  }),
  /** The store that the nodes of a cluster share. Without `redis`, one process stores everything in DATA_DIR. */
  state: section({
    /** The `redis://` or `rediss://` address of a Redis or Valkey server, or of one node of a Redis cluster. */
    redis: Type.Optional(
      Type.String({
        pattern: '^rediss?://.+',
        description: 'an address such as redis://host:6379, or rediss:// for TLS',
      }),
    ),
    /** The deadline of a call to Redis; after it the node continues standalone. */
    callMs: Positive,
    /** The deadline of connecting to Redis. */
    connectMs: Positive,
    /** The allowance that a standalone node grants from. What it grants is charged when Redis is available again. */
    alone: section({
      /**
       * The least number of nodes that share the rates: each grants its part. A node otherwise uses the number that it last saw in
       * the registry, and 4 until it has seen one for a while.
       */
      nodes: Type.Optional(Positive),
      /** Input tokens of one user, for each node and day. */
      inputTokensPerUser: Positive,
      /** Output tokens of one user, for each node and day. */
      outputTokensPerUser: Positive,
      /** Cost of one user, for each node and day. */
      microUsdPerUser: Positive,
      /** Cost of all users together, for each node and day. */
      microUsdPerNode: Positive,
    }),
  }),
  ...storesShapes,
  ...dynamodbShapes,
  ...opensearchShapes,
  ...s3Shapes,
  ...searchShapes,
  sessions: section({
    /** A conversation without questions for this long expires. */
    idleExpiryMs: Positive,
    /** How long an expired conversation is stored before it is deleted. */
    keepMs: Positive,
    /** Conversations on one page of `GET /api/sessions`. */
    listMax: Positive,
  }),
  /**
   * Summaries of the turns that no longer fit into the prompt. A house call to the last model of the ladder makes them.
   */
  summaries: section({
    enabled: Type.Boolean(),
    /** Cost of all summaries in a day. */
    microUsdPerDay: Whole,
    /** The last summary and the turns since then are cut to this. */
    inputTokens: Type.Integer({ minimum: 1000 }),
    /** Output tokens of one summary. */
    outputTokens: Type.Integer({ minimum: 20 }),
    /** The deadline of the call. */
    deadlineMs: Positive,
    /** Conversations of one node that wait for a summary; further ones get none. */
    queueMax: Positive,
  }),
  idempotency: section({
    /** How long an idempotency key that the client sent is remembered after the end of its turn. */
    afterEndMs: Positive,
    /** The same text of the same user within this time counts as a double tap. */
    doubleTapMs: Positive,
  }),
  ...spendingShapes,
  ...fallbackShapes,
  ...probingShapes,
  ...telemetryShapes,
  ...experimentsShapes,
})
export type Config = Static<typeof ConfigSchema>

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

export const defaults: Config = {
  server: {
    host: '127.0.0.1',
    port: 8080,
    dataDir: 'data/local',
    allowedOrigins: [],
    trustProxy: false,
    proxies: 1,
    bodyBytesMax: 64 * 1024,
    frameBytesMax: 64 * 1024,
    connectionsMax: 10_000,
    connectionIdleMs: 10 * MINUTE_MS,
    drainMs: 20 * SECOND_MS,
    logLevel: 'info',
  },
  auth: {
    ticketMs: 5 * MINUTE_MS,
    issuers: [],
    apiKeys: [],
    admins: [],
    operatorSessions: { lifeMs: 12 * 60 * MINUTE_MS, idleMs: 60 * MINUTE_MS },
  },
  ...commerceDefaults,
  store: {
    name: { ja: 'マンガアシスト書店', en: 'MangaAssist Books' },
    timeZone: 'Asia/Tokyo',
    // A placeholder: each shop sets its own address.
    contact: { ...PLACEHOLDER_CONTACT },
    desk: deskDefaults,
    prewarm: prewarmDefaults,
    shipping: shippingDefaults,
  },
  models: {},
  ladder: [],
  ...routingDefaults,
  streaming: {
    flushMs: 100,
    flushBytes: 4096,
    frameBytesMax: 32 * 1024,
    heartbeatMs: 5 * SECOND_MS,
    highWaterBytes: 256 * 1024,
    stalledPollsMax: 10,
    stalledPollMs: 500,
  },
  tokens: {
    inputPerRequestMax: 4000,
    systemShare: 400,
    retrievalShare: 800,
    safetyShare: 500,
    inputPerSessionMax: 50_000,
    outputPerSessionMax: 25_000,
    outputUsefulMin: 64,
    thinkingTokensMax: 2048,
    messageLengthMax: 5000,
    continuedCharactersMax: 8000,
    historyPairsMax: 10,
    factsShare: 120,
    overshootFactor: 1.1,
    temperature: 0.3,
    warmStart: false,
    retrieved: 5,
    retrievedInPrompt: 3,
  },
  tiers: {
    free: {
      inputTokensPerDay: 100_000,
      outputTokensPerDay: 50_000,
      microUsdPerDay: 1_000_000,
      requestsPerMinute: 10,
      outputTokensPerRequest: 512,
      rateFactor: 1,
    },
    standard: {
      inputTokensPerDay: 500_000,
      outputTokensPerDay: 200_000,
      microUsdPerDay: 5_000_000,
      requestsPerMinute: 30,
      outputTokensPerRequest: 1024,
      rateFactor: 1,
    },
    premium: {
      inputTokensPerDay: 2_000_000,
      outputTokensPerDay: 1_000_000,
      microUsdPerDay: 20_000_000,
      requestsPerMinute: 60,
      outputTokensPerRequest: 2048,
      rateFactor: 3,
    },
  },
  ...ratesDefaults,
  ...deadlinesDefaults,
  ...overloadDefaults,
  turns: {
    leaseMs: 10 * SECOND_MS,
    renewMs: 3 * SECOND_MS,
    holdMs: 45 * SECOND_MS,
    orphanScanMs: 3 * SECOND_MS,
    keepMs: HOUR_MS,
    resumeWindowMs: 30 * SECOND_MS,
    unread: 'stop',
    runningMax: 4000,
    logRecordsMax: LOG_BOUNDS.recordsMax,
    logBytesMax: LOG_BOUNDS.bytesMax,
  },
  state: {
    callMs: 50,
    connectMs: 2 * SECOND_MS,
    alone: {
      inputTokensPerUser: 20_000,
      outputTokensPerUser: 5000,
      microUsdPerUser: 100_000,
      microUsdPerNode: 10_000_000,
    },
  },
  ...storesDefaults,
  ...dynamodbDefaults,
  ...opensearchDefaults,
  ...s3Defaults,
  ...searchDefaults,
  sessions: { idleExpiryMs: 24 * HOUR_MS, keepMs: 7 * 24 * HOUR_MS, listMax: 50 },
  summaries: {
    enabled: true,
    microUsdPerDay: 5_000_000,
    inputTokens: 3000,
    outputTokens: 150,
    deadlineMs: 20 * SECOND_MS,
    queueMax: 100,
  },
  idempotency: { afterEndMs: 30 * SECOND_MS, doubleTapMs: 5 * SECOND_MS },
  ...spendingDefaults,
  ...fallbackDefaults,
  ...probingDefaults,
  ...telemetryDefaults,
  ...experimentsDefaults,
}
