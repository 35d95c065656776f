// Questions over HTTP: answered as JSON or as an event stream, resumed, stopped. A caller that leaves ends its reading; the
// turn is detached from it and continues.
import { ChatAnswer, ChatMetadata, ChatRequest, Id, successEnvelope } from '@mangaassist/protocol'
import type { AcceptedFrame, QuotaView } from '@mangaassist/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Accepted } from '#app/app.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Received } from '#turn/turn.ts'
import { attemptIn } from './attempt-header.ts'
import { answerFrom, collectWithin } from './collect.ts'
import { answers, envelopes } from './envelope.ts'
import { receivedFrom } from '../connection/received.ts'
import { rateLimitHeaders } from './refuse.ts'
import { wantsEvents } from './request-scope.ts'
import { countBody, goneSignal, languageOf } from './route-parts.ts'
import { refusedBy } from './refused-by.ts'
import type { HttpParts, RouteDescription, Routes } from './route-parts.ts'
import { EventStream, formatEvent, resumeOffset, takeOver } from '../sse/sse.ts'
import type { EventWords } from '../sse/sse.ts'

const TurnParams = Type.Object({ turnId: Id })
/** As text, because a conversion to a number would cut `1.5`, accept an empty value, and miss invalid text. */
const Offset = Type.String({ pattern: '^[0-9]{1,15}$' })

type ChatParts = Pick<HttpParts, 'app' | 'clock' | 'config' | 'nameNetwork' | 'refuse'>
type Asked = FastifyRequest<{ Body: ChatRequest }>

const chat = {
  schema: {
    operationId: 'chat',
    summary: 'Ask a question',
    description:
      'Replies with JSON within the REST deadline, with the text so far if the answer takes longer. With `Accept: text/event-stream` the answer streams: `accepted`, then `meta`, `chunk`s and `done`. The header `Idempotency-Attempt` says which sending of its `idempotencyKey` this is, from 1; a key without it may be a repeat.',
    body: ChatRequest,
    response: { 200: successEnvelope(ChatAnswer, ChatMetadata) },
  },
  config: {
    streams: true,
    limited: true,
    errors: [
      'INVALID_REQUEST',
      'NOT_FOUND',
      'SESSION_EXPIRED',
      'SESSION_BUSY',
      'VERSION_CONFLICT',
      'PAYLOAD_TOO_LARGE',
      'QUOTA_EXCEEDED',
      'RATE_LIMITED',
      'QUEUE_FULL',
      'MAINTENANCE',
    ],
  },
} satisfies RouteDescription

const turnEvents = {
  schema: {
    operationId: 'turnEvents',
    summary: 'Resume or watch a turn',
    description:
      'The latest `meta`, the text from `offset` (or from `Last-Event-ID`, which counts first), what follows live, and `done`.',
    params: TurnParams,
    querystring: Type.Object({ offset: Type.Optional(Offset) }),
  },
  config: { streams: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

const stopTurn = {
  schema: {
    operationId: 'stopTurn',
    summary: 'Stop a turn',
    description: 'Ends the model call and its cost; the text so far stays. A repeat changes nothing.',
    params: TurnParams,
    response: answers(TurnParams),
  },
  config: { errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

export function chatRoutes(api: Routes, parts: ChatParts): void {
  const { app, clock, config } = parts
  const { success } = envelopes(clock)

  api.post('/api/chat', chat, async (request, reply) => {
    const startedAt = clock.now()
    const received = receivedIn(request, parts)
    const accepted = await app.chat(received)
    reply.headers(rateLimitHeaders(accepted.quota.requestsPerMinute))
    const { turnId } = accepted
    if (received.route === 'stream') {
      const meter = new ReaderMeter('sse', clock)
      const read = (signal: AbortSignal) => app.read(request.principal, { turnId, offset: 0, meter }, signal)
      return stream(parts, { request, reply, meter }).send(formatEvent(acceptedFrame(received, accepted)), read)
    }
    const meter = new ReaderMeter('http', clock)
    countBody(reply, meter)
    // After this deadline only a turn from another door still runs: the caller gets the text so far.
    const limitMs = config.deadlines.rest.endMs
    const collected = await collectWithin({ app, clock, limitMs, meter }, { received, turnId }, goneSignal(reply.raw))
    const { adviseOverMs } = config.deadlines
    const language = languageOf(request)
    const quota = await quotaNow(app, request.principal)
    const answer = answerFrom(collected, { accepted, clock, language, quota, received, startedAt, adviseOverMs })
    return { success: true as const, ...answer }
  })

  api.get('/api/turns/:turnId/events', turnEvents, async (request, reply) => {
    const { principal } = request
    const { turnId } = request.params
    const offset = resumeOffset(request.headers['last-event-id'], request.query.offset)
    // Opened before the head is written, so that another principal's turn is still a plain 404.
    const gone = goneSignal(reply.raw)
    const meter = new ReaderMeter('sse', clock)
    const frames = await app.read(principal, { turnId, offset, resumedBy: request.scope, meter }, gone)
    request.scope.count('reader_resumed_total', { door: 'sse' })
    return stream(parts, { request, reply, meter }).send('', async () => frames)
  })

  api.post('/api/turns/:turnId/stop', stopTurn, async (request) => {
    await app.stop(request.principal, request.params.turnId)
    return success({ turnId: request.params.turnId })
  })
}

/** The quota in `meta` is that of the admission, with all that was held for the turn. */
async function quotaNow(app: ChatParts['app'], principal: Principal): Promise<QuotaView | undefined> {
  const quota = await orUnavailable(() => app.quota(principal))
  return quota instanceof StoreUnavailable ? undefined : quota
}

function receivedIn(request: Asked, { nameNetwork }: Pick<ChatParts, 'nameNetwork'>): Received {
  return receivedFrom(request.body, {
    principal: request.principal,
    route: wantsEvents(request) ? 'stream' : 'rest',
    requestId: request.body.requestId ?? request.id,
    // Each request counts as a device of its own: readers of the conversation elsewhere continue.
    writer: request.id,
    network: nameNetwork(request.raw),
    scope: request.scope,
    ...attemptIn(request),
  })
}

function acceptedFrame({ requestId }: Received, { duplicate, sessionId, turnId }: Accepted): AcceptedFrame {
  return { type: 'accepted', requestId, turnId, sessionId, ...(duplicate ? { duplicate } : {}) }
}

function stream(
  { clock, config, nameNetwork, refuse }: ChatParts,
  exchange: { request: FastifyRequest; reply: FastifyReply; meter: ReaderMeter },
): EventStream {
  const { meter, reply, request } = exchange
  const language = languageOf(request)
  const words: EventWords = {
    frame: formatEvent,
    heartbeat: () => formatEvent({ type: 'heartbeat', at: isoTime(clock.now()) }),
    error: (error) =>
      formatEvent({
        type: 'error',
        ...refuse(error, language, { scope: request.scope, by: refusedBy(request, nameNetwork) }).body,
      }),
  }
  const response = takeOver(reply)
  response.flushHeaders()
  return new EventStream({ response, clock, telemetry: request.scope, streaming: config.streaming, words, meter })
}
