// Every setting, its shape and its default, in one place; the larger sections have their shapes in `config/`. Parsed once at
// start (`load-config.ts`), then frozen: nothing on a turn's path parses or guesses. Units are the last word of a name.
import Type from 'typebox'
import type { Static } from 'typebox'
import { LOG_BOUNDS } from '#domain/turn/log-bounds.ts'
import { Auth } from './schema/auth.ts'
import { fallbackDefaults, fallbackShapes, HandoverShape } from './schema/fallback.ts'
import { Model } from './schema/model.ts'
import { overloadDefaults, overloadShapes } from './schema/overload.ts'
import { probingDefaults, probingShapes } from './schema/probing.ts'
import { spendingDefaults, spendingShapes } from './schema/spending.ts'
import { Positive, section, Whole } from './schema/section.ts'
import { storesDefaults, storesShapes } from './schema/stores.ts'

const Bilingual = Type.Object({ ja: Type.String(), en: Type.String() }, { additionalProperties: false })

/** For anyone, administrators among them. */
const OUTPUT_TOKENS_PER_REQUEST_MAX = 2048

const Tier = section({
  inputTokensPerDay: Positive,
  outputTokensPerDay: Positive,
  microUsdPerDay: Positive,
  requestsPerMinute: Positive,
  outputTokensPerRequest: Type.Integer({ minimum: 1, maximum: OUTPUT_TOKENS_PER_REQUEST_MAX }),
  /** Multiplies the user's rate and burst. */
  rateFactor: Type.Number({ minimum: 0.1, maximum: 100 }),
  /** Names of models that may be asked for on `/v1`. Default: those of the ladder. Guests have those of the ladder at most. */
  models: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
})

/** A token bucket. */
const Bucket = section({ perSecond: Type.Number({ exclusiveMinimum: 0 }), burst: Positive })

export const ConfigSchema = section({
  server: section({
    host: Type.String({ minLength: 1 }),
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    /** Where everything that persists lives; relative to the workspace root, or of an installed package to the current folder. */
    dataDir: Type.String({ minLength: 1 }),
    /** Origins, besides the server's own, whose pages may use the API and the WebSocket. */
    allowedOrigins: Type.Array(
      Type.String({
        pattern: '^https?://[^/]+$',
        description: 'an origin such as https://shop.example, without a path and without a trailing slash',
      }),
    ),
    /** Where shoppers reach us, such as `https://assist.shop.example`: with it, no other host name is answered. */
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#@]+$',
        description: 'an address such as https://assist.shop.example, without a path and without a trailing slash',
      }),
    ),
    /** A proxy in front sets the client's address and scheme; believe its headers only if there is one. */
    trustProxy: Type.Boolean(),
    /** How many proxies stand in a row: the address that the outermost of them saw is the client's. */
    proxies: Positive,
    bodyBytesMax: Positive,
    frameBytesMax: Positive,
    connectionsMax: Positive,
    /** A WebSocket that says nothing and follows nothing for this long is closed with 4408. */
    connectionIdleMs: Positive,
    /** At shutdown, how long running turns may take to finish. */
    drainMs: Positive,
    logLevel: Type.Enum(['debug', 'info', 'warn', 'error', 'silent']),
  }),
  auth: Auth,
  store: section({
    name: Bilingual,
    /** The day of budgets is cut here. */
    timeZone: Type.String({ minLength: 1 }),
    /** Where a shopper finds a person, shown when the assistant cannot help. */
    contact: Bilingual,
    /** A webhook that calls a person to a conversation in which the assistant could not help. */
    handover: Type.Optional(HandoverShape),
  }),
  models: Type.Record(Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9-]*$' }), Model, {
    description: 'a name of letters, digits and dashes that begins with a letter',
  }),
  /** Names of `models`, in the order they are asked. Empty: the embedded model. */
  ladder: Type.Array(Type.String()),
  streaming: section({
    /** After the first word, text waits at most this long for company. */
    flushMs: Positive,
    flushBytes: Positive,
    /** The longest encoded frame to a client. */
    frameBytesMax: Type.Integer({ minimum: 1024 }),
    /** A connection that was sent nothing for this long is sent a heartbeat. */
    heartbeatMs: Positive,
    /** Unsent bytes past which a client is taken off live delivery until it drains. */
    highWaterBytes: Positive,
    /** Looks without progress before a slow client is closed with 4409, and the time between two looks. */
    stalledLooksMax: Positive,
    lookMs: Positive,
  }),
  tokens: section({
    /** A longer message raises it for its own request, to itself with the shares for the system prompt and for safety. */
    inputPerRequestMax: Positive,
    systemShare: Positive,
    retrievalShare: Positive,
    safetyShare: Positive,
    inputPerSessionMax: Positive,
    outputPerSessionMax: Positive,
    outputUsefulMin: Positive,
    /** How much a model may think before its first word. It is output: it counts within what a request is granted. */
    thinkingTokensMax: Positive,
    /** In code points. */
    messageLengthMax: Type.Integer({ minimum: 1, maximum: 5000 }),
    /** Question–answer pairs of the conversation that a prompt may hold, as far as they fit. */
    historyPairsMax: Whole,
    /** Of the history: what the shopper told before, such as what they avoid, whichever pairs fit. */
    factsShare: Whole,
    /** Output past this share of the grant is cut. */
    overshootFactor: Type.Number({ minimum: 1, maximum: 2 }),
    temperature: Type.Number({ minimum: 0, maximum: 1 }),
    /** At the start, ask vendors that count tokens free of charge about models that nothing was learnt of yet. */
    warmStart: Type.Boolean(),
    retrieved: Positive,
    retrievedInPrompt: Positive,
  }),
  tiers: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), Tier, {
    description: 'a name of small letters, digits and dashes that begins with a letter',
  }),
  rates: section({
    userPerSecond: Type.Number({ exclusiveMinimum: 0 }),
    userBurst: Positive,
    messagesPerDay: Positive,
    /** Of all nodes together: questions by every door, those by the chat's own, and new WebSocket connections. */
    global: Bucket,
    chat: Bucket,
    connections: Bucket,
    /** Of one network address at this node, whoever asks, in units of work: a file 1, a call 5, a search 40. */
    requests: Bucket,
    /** Of one WebSocket connection. */
    frames: Bucket,
    /** Open WebSocket connections of one guest, user or key, by node. */
    userConnectionsMax: Positive,
    /** Of all guests behind one network address, or one /64 of IPv6: a new cookie is no new budget. */
    address: section({
      perSecond: Type.Number({ exclusiveMinimum: 0 }),
      burst: Positive,
      messagesPerDay: Positive,
      /** A day's tokens and dollars, in those of one guest. */
      guestsPerDay: Positive,
      /** Open WebSocket connections, by node, of guests and others; of HTTP there may be twice as many. */
      connectionsMax: Positive,
    }),
  }),
  deadlines: section({
    rest: section({ firstWordMs: Positive, endMs: Positive }),
    stream: section({ firstWordMs: Positive, endMs: Positive }),
    /** Of `/v1`, streamed or not: no gateway's limit is assumed there. */
    v1: section({ firstWordMs: Positive, endMs: Positive }),
    /** Kept back from `endMs` for settling. */
    settleMs: Positive,
    /** With less than this left to the first word, the economy model is asked if there is one; with less than that, none. */
    economyUnderMs: Positive,
    noModelUnderMs: Positive,
    /** A useful answer is due after this: where a sure one is ready, a model is waited for longer only in its usual time. */
    usefulMs: Positive,
    /** A REST answer that is expected to take longer than this comes with the advice to use the WebSocket. */
    adviseOverMs: Positive,
    contextMs: Positive,
    retrievalMs: Positive,
    /** The longest silence before a model's first token, and between two. */
    firstTokenMs: Positive,
    stallMs: Positive,
    /** A model that thinks first has this long to its first word of the answer, within the first-word deadline. */
    thinkingMs: Positive,
  }),
  ...overloadShapes,
  turns: section({
    leaseMs: Positive,
    renewMs: Positive,
    /** How long the money of a turn stays held after its owner was last heard of: long enough for another to go on. */
    holdMs: Positive,
    /** How often lapsed leases are looked for. */
    orphanScanMs: Positive,
    /** How long an ended turn can be resumed. */
    keepMs: Positive,
    /** How long a turn that nobody reads goes on, so that a lost connection is no lost answer. */
    resumeWindowMs: Positive,
    /** What becomes of it then: `stop` ends it with what there is, `finish` lets it end by itself. */
    unread: Type.Enum(['stop', 'finish']),
    /** Turns that one node runs at once; past it, questions are refused until some have ended. */
    runningMax: Positive,
    /** A log past either bound is trimmed to a snapshot and what follows it. */
    logRecordsMax: Type.Integer({ minimum: 8 }),
    logBytesMax: Type.Integer({ minimum: 4096 }),
  }),
  /** What the nodes of a fleet share. Without it, one process keeps everything in DATA_DIR. */
  state: section({
    /** `redis://` or `rediss://` address of a Redis or Valkey, one server or a node of a cluster. */
    redis: Type.Optional(
      Type.String({
        pattern: '^rediss?://.+',
        description: 'an address such as redis://host:6379, or rediss:// for TLS',
      }),
    ),
    /** The longest a call may take before the node helps itself. */
    callMs: Positive,
    connectMs: Positive,
    /** What a node grants by itself while Redis is away. It is counted, and charged when Redis is back. */
    alone: section({
      /** How many nodes there are: each takes its part of the rates. */
      nodes: Positive,
      /** Of a user, by node and day. */
      inputTokensPerUser: Positive,
      outputTokensPerUser: Positive,
      microUsdPerUser: Positive,
      /** Of all users together, by node and day. */
      microUsdPerNode: Positive,
    }),
  }),
  ...storesShapes,
  sessions: section({
    idleExpiryMs: Positive,
    /** How long an expired conversation is kept before it is forgotten. */
    keepMs: Positive,
    listMax: Positive,
  }),
  /** Of what a prompt has no room for any more, made beside the turns by the last model of the ladder; the shop pays. */
  summaries: section({
    enabled: Type.Boolean(),
    /** For all of the store's conversations together. */
    microUsdPerDay: Whole,
    /** What one is made of: the summary before it and the turns since, cut to this. */
    inputTokens: Type.Integer({ minimum: 1000 }),
    outputTokens: Type.Integer({ minimum: 20 }),
    deadlineMs: Positive,
    /** Conversations of this node that wait for theirs; past it, they go without. */
    queueMax: Positive,
  }),
  idempotency: section({
    /** How long an explicit key outlives its turn. */
    afterEndMs: Positive,
    /** The same text again this soon is a double tap. */
    doubleTapMs: Positive,
  }),
  ...spendingShapes,
  ...fallbackShapes,
  ...probingShapes,
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
  auth: { ticketMs: 5 * MINUTE_MS, issuers: [], apiKeys: [], admins: [] },
  store: {
    name: { ja: 'マンガアシスト書店', en: 'MangaAssist Books' },
    timeZone: 'Asia/Tokyo',
    // A placeholder: each shop puts its own address here.
    contact: {
      ja: 'サポート窓口 support@shop.example（10:00〜21:00）',
      en: 'our support desk, support@shop.example (10:00–21:00 JST)',
    },
  },
  models: {},
  ladder: [],
  streaming: {
    flushMs: 100,
    flushBytes: 4096,
    frameBytesMax: 32 * 1024,
    heartbeatMs: 5 * SECOND_MS,
    highWaterBytes: 256 * 1024,
    stalledLooksMax: 10,
    lookMs: 500,
  },
  tokens: {
    inputPerRequestMax: 4000,
    systemShare: 300,
    retrievalShare: 800,
    safetyShare: 500,
    inputPerSessionMax: 50_000,
    outputPerSessionMax: 25_000,
    outputUsefulMin: 64,
    thinkingTokensMax: 2048,
    messageLengthMax: 5000,
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
  rates: {
    userPerSecond: 5,
    userBurst: 10,
    messagesPerDay: 5000,
    global: { perSecond: 2000, burst: 4000 },
    chat: { perSecond: 2000, burst: 4000 },
    connections: { perSecond: 500, burst: 1000 },
    // About forty calls a second, or forty pages opened at once.
    requests: { perSecond: 200, burst: 2000 },
    frames: { perSecond: 20, burst: 60 },
    userConnectionsMax: 20,
    // Generous: a family, an office or a school is one address.
    address: { perSecond: 10, burst: 40, messagesPerDay: 20_000, guestsPerDay: 20, connectionsMax: 200 },
  },
  deadlines: {
    rest: { firstWordMs: 20 * SECOND_MS, endMs: 25 * SECOND_MS },
    stream: { firstWordMs: 25 * SECOND_MS, endMs: 120 * SECOND_MS },
    v1: { firstWordMs: 25 * SECOND_MS, endMs: 120 * SECOND_MS },
    settleMs: SECOND_MS,
    economyUnderMs: 8 * SECOND_MS,
    noModelUnderMs: 3 * SECOND_MS,
    usefulMs: 3 * SECOND_MS,
    adviseOverMs: 20 * SECOND_MS,
    contextMs: 10 * SECOND_MS,
    retrievalMs: 8 * SECOND_MS,
    firstTokenMs: 8 * SECOND_MS,
    stallMs: 10 * SECOND_MS,
    thinkingMs: 15 * SECOND_MS,
  },
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
      nodes: 4,
      inputTokensPerUser: 20_000,
      outputTokensPerUser: 5000,
      microUsdPerUser: 100_000,
      microUsdPerNode: 10_000_000,
    },
  },
  ...storesDefaults,
  sessions: { idleExpiryMs: 24 * HOUR_MS, keepMs: 7 * 24 * HOUR_MS, listMax: 50 },
  // As long as a fleet's ledger is stored at all.
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
}
