// The WebSocket's contract as an AsyncAPI 3.0 document, made from the protocol's own schemas. The document describes the
// server: it receives what a client sends.
import {
  clientFrames,
  closeCodes,
  ErrorBody,
  ProductCard,
  PROTOCOL,
  QuotaView,
  Source,
  Suggestion,
  serverFrames,
} from '@mangaassist/protocol'
import { frameExamples } from './frame-examples.ts'
import type { FrameExamples } from './frame-examples.ts'
import { errorTable, schemaBook } from './schema-book.ts'
import type { JsonObject } from './schema-book.ts'

type FrameType = keyof FrameExamples

const CHANNEL = { $ref: '#/channels/socket' } as const

const SUMMARIES: Readonly<Record<FrameType, string>> = {
  chat: 'A question. The client chooses `requestId`, and `accepted` repeats it; with an `idempotencyKey` the question can be sent again safely, and `attempt` counts how often it was sent',
  resume: 'Continue to read a turn; `offset` is how many UTF-16 units the client already has',
  stop: 'Stop a turn; the text so far stays',
  watch: 'Receive the turns that other devices start in a conversation',
  ping: 'Ask for a heartbeat',
  ready: 'The first frame: the client’s identity and limits',
  accepted: 'The question is stored, and its answer has started',
  queued: 'Every model is busy; the turn waits in the queue',
  meta: 'The source of the answer and its product cards. May be sent again: the last one counts',
  chunk:
    'A piece of the answer. `offset` is its position in UTF-16 units: drop text that you already have, and resume after a gap',
  heartbeat: 'Nothing else was sent for a while',
  backpressure: 'Send slower, or not at all for a while',
  transferred: 'Another device now writes in the conversation; this one continues to read',
  done: 'The end of an answer. The whole text has `length` UTF-16 units, and `sha256` is the hash of its UTF-8 bytes',
  error: 'An error of a request, a turn or the connection. The connection stays open unless a close follows',
}

/** The possible replies to a client frame; an `error` is always possible. */
const REPLIES: Readonly<Record<keyof typeof clientFrames, readonly FrameType[]>> = {
  chat: ['accepted', 'queued', 'meta', 'chunk', 'done', 'error'],
  resume: ['meta', 'chunk', 'done', 'error'],
  stop: ['done', 'error'],
  watch: ['accepted', 'meta', 'chunk', 'done', 'error'],
  ping: ['heartbeat', 'error'],
}

const CLOSES: Readonly<Record<keyof typeof closeCodes, string>> = {
  goingAway: 'The server is shutting down: reconnect, and resume your turns',
  policy: 'The origin is not allowed or the identity not verified; the `error` before it says which',
  tooBig: 'A frame was too big',
  internal: 'The server could not serve the connection: reconnect later',
  identityExpired: 'The token or ticket has expired: reconnect with a new one, or a new ticket, and resume',
  idle: 'The connection was idle for too long: reconnect when needed',
  tooSlow: 'The client did not read: reconnect and resume',
  tooManyConnections: 'There are too many connections: reconnect after a growing delay with jitter',
}

const schemaName = (type: string): string => `${type.charAt(0).toUpperCase()}${type.slice(1)}Frame`
const frames = { ...clientFrames, ...serverFrames }
const book = schemaBook({
  ...Object.fromEntries(Object.entries(frames).map(([type, schema]) => [schemaName(type), schema])),
  ErrorBody,
  ProductCard,
  QuotaView,
  Source,
  Suggestion,
})

export function asyncApi(): JsonObject {
  const types = Object.keys(frames) as FrameType[]
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'MangaAssist over WebSocket',
      version: '1.0.0',
      description:
        'Questions and streamed answers, on the host that serves this document. A turn does not depend on the connection that started it: a reader can disconnect, reconnect and resume. Unknown fields are ignored; an unknown `type` is INVALID_REQUEST and the connection stays. Fields are added, never changed.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels: { socket: socket(types) },
    operations: { ...receives(), ...sends() },
    components: {
      messages: Object.fromEntries(types.map((type) => [type, message(type)])),
      schemas: book.schemas,
    },
    'x-errors': errorTable(),
  }
}

function socket(types: readonly FrameType[]): JsonObject {
  return {
    address: '/ws',
    title: 'The chat',
    description: `JSON text frames under the subprotocol \`${PROTOCOL}\`. Pages of other origins must be allowed by the server’s configuration.`,
    messages: Object.fromEntries(types.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
    bindings: {
      ws: {
        method: 'GET',
        query: {
          type: 'object',
          properties: {
            ticket: {
              type: 'string',
              description: 'From `POST /api/ticket`: identifies the caller where no cookie can',
            },
          },
        },
        headers: {
          type: 'object',
          properties: {
            'Sec-WebSocket-Protocol': { type: 'string', const: PROTOCOL },
            Cookie: {
              type: 'string',
              description: '`ma_guest`, behind TLS `__Host-ma_guest`, as issued on first contact, also on the 101',
            },
            Origin: { type: 'string', description: 'Checked against the allowed ones; absent outside browsers' },
          },
        },
        bindingVersion: '0.1.0',
      },
    },
    'x-subprotocol': PROTOCOL,
    'x-close-codes': Object.entries(closeCodes).map(([name, code]) => ({
      code,
      name,
      description: CLOSES[name as keyof typeof closeCodes],
    })),
  }
}

function message(type: FrameType): JsonObject {
  return {
    name: type,
    title: type,
    summary: SUMMARIES[type],
    payload: book.ref(schemaName(type)),
    examples: [{ name: type, payload: book.show(frameExamples[type]) as JsonObject }],
  }
}

function receives(): JsonObject {
  const operations = Object.entries(REPLIES).map(([type, replies]) => [
    `receive${schemaName(type)}`,
    {
      action: 'receive',
      channel: CHANNEL,
      title: `A client sends ${type}`,
      messages: [inChannel(type)],
      reply: { channel: CHANNEL, messages: replies.map(inChannel) },
    },
  ])
  return Object.fromEntries(operations) as JsonObject
}

function sends(): JsonObject {
  return {
    sendFrames: {
      action: 'send',
      channel: CHANNEL,
      title: 'What a client may get at any time',
      description: 'On connecting, from turns it reads or watches, and about the connection itself.',
      messages: Object.keys(serverFrames).map(inChannel),
    },
  }
}

function inChannel(type: string): JsonObject {
  return { $ref: `${CHANNEL.$ref}/messages/${type}` }
}
