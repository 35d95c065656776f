// The WebSocket's contract as an AsyncAPI 3.0 document, made from the protocol's own schemas. The document describes the
// server: it receives what a client sends.
import {
  clientFrames,
  closeCodes,
  ErrorBody,
  ProductCard,
  PROTOCOL,
  QuotaView,
  serverFrames,
} from '@mangaassist/protocol'
import { frameExamples } from './frame-examples.ts'
import type { FrameExamples } from './frame-examples.ts'
import { errorTable, schemaBook } from './schema-book.ts'
import type { JsonObject } from './schema-book.ts'

type FrameType = keyof FrameExamples

const CHANNEL = { $ref: '#/channels/socket' } as const

const SUMMARIES: Readonly<Record<FrameType, string>> = {
  chat: 'A question. `requestId` is the client’s own and comes back in `accepted`; with an `idempotencyKey` it can be sent again safely, and `attempt` counts the sendings',
  resume: 'Read a turn from where this client left it; `offset` is how many UTF-16 units it has',
  stop: 'End a turn; what was said stays',
  watch: 'Follow a conversation that another device writes',
  ping: 'Ask for a heartbeat',
  ready: 'The first frame: who the server takes the client for, and what that one may use',
  accepted: 'The question is on disk, and its answer is under way',
  queued: 'Every model is busy; the answer waits in line',
  meta: 'Where the answer comes from and what it shows. May repeat: the last one wins',
  chunk:
    'A piece of the answer. `offset` is where it begins, in UTF-16 units: drop what is there already, resume on a gap',
  heartbeat: 'Nothing else was sent for a while',
  backpressure: 'Send slower, or not at all for a while',
  transferred: 'Another device writes the conversation now; this one reads on',
  done: 'The end of an answer. What was put together has `length` UTF-16 units and, as UTF-8, the hash `sha256`',
  error: 'A refusal, of a request, of a turn or of the connection. The connection stays unless a close follows',
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
  goingAway: 'The server is shutting down: reconnect, and resume what was being read',
  policy: 'The origin is not allowed or the identity not verified; the `error` before it says which',
  tooBig: 'A frame was too big',
  internal: 'The server could not serve the connection: come back after a while',
  identityExpired:
    'The token that proved the identity has run out: reconnect with a new one, or a new ticket, and resume',
  idle: 'Nothing was said or followed for too long: reconnect when there is something to say',
  tooSlow: 'The client did not read: reconnect and resume',
  tooManyConnections: 'There are too many connections: come back after a growing, jittered delay',
}

const schemaName = (type: string): string => `${type.charAt(0).toUpperCase()}${type.slice(1)}Frame`
const frames = { ...clientFrames, ...serverFrames }
const book = schemaBook({
  ...Object.fromEntries(Object.entries(frames).map(([type, schema]) => [schemaName(type), schema])),
  ErrorBody,
  ProductCard,
  QuotaView,
})

export function asyncApi(): JsonObject {
  const types = Object.keys(frames) as FrameType[]
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'MangaAssist over WebSocket',
      version: '1.0.0',
      description:
        'Questions and streamed answers, on the host that serves this document. A turn is detached from the connection that asked: whoever reads it can leave, come back and resume. Unknown fields are ignored; an unknown `type` is INVALID_REQUEST and the connection stays. Fields are added, never changed.',
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
            ticket: { type: 'string', description: 'Of `POST /api/ticket`: who asks, where no cookie can say so' },
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
