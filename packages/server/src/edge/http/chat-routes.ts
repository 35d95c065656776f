// Asking and reading over HTTP: a question answered as JSON or as an event stream, a turn resumed, a turn stopped.
// A caller that goes away ends its reading; the turn is detached from it and runs on.
import { ChatAnswer, ChatMetadata, ChatRequest, EnvelopeMetadata, Id, successEnvelope } from '@mangaassist/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { isoTime } from '#lib/time/iso-time.ts'
import { attemptIn } from './attempt-header.ts'
import { answerFrom, collect } from './collect.ts'
import { receivedFrom } from '../connection/received.ts'
import { rateLimitHeaders } from './refuse.ts'
import { goneSignal, languageOf } from './route-parts.ts'
import type { HttpParts, Routes } from './route-parts.ts'
import { EventStream, formatEvent, resumeOffset, takeOver } from '../sse/sse.ts'
import type { EventWords } from '../sse/sse.ts'

const TurnParams = Type.Object({ turnId: Id })
/** As text: a number made of it would be cut from `1.5` and found in nothing at all, and text would be missed. */
const Offset = Type.String({ pattern: '^[0-9]{1,15}$' })

export function chatRoutes(api: Routes, parts: HttpParts): void {
  const { app, clock, config, telemetry } = parts

  api.post(
    '/api/chat',
    {
      schema: {
        operationId: 'chat',
        summary: 'Ask a question',
        description:
          'Answers as JSON within the REST deadline, with what there is when the answer is longer. With `Accept: text/event-stream` the answer streams: `accepted`, then `meta`, `chunk`s and `done`. The header `Idempotency-Attempt` says which sending of its `idempotencyKey` this is, from 1; a key without it may be a repeat.',
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
    },
    async (request, reply) => {
      const startedAt = clock.now()
      const streams = wantsEvents(request)
      const received = receivedFrom(request.body, {
        principal: request.principal,
        route: streams ? 'stream' : 'rest',
        requestId: request.body.requestId ?? request.id,
        // Each request is a device of its own: whoever has the conversation open elsewhere reads on.
        writer: request.id,
        network: parts.nameNetwork(request.raw),
        ...attemptIn(request),
      })
      const accepted = await app.chat(received)
      reply.headers(rateLimitHeaders(accepted.quota.requestsPerMinute))
      const { duplicate, sessionId, turnId } = accepted
      if (streams) {
        const frame = {
          type: 'accepted',
          requestId: received.requestId,
          turnId,
          sessionId,
          ...(duplicate ? { duplicate } : {}),
        } as const
        const read = (signal: AbortSignal) => app.read(request.principal, turnId, { offset: 0 }, signal)
        return stream(parts, { request, reply }).send(formatEvent(frame), read)
      }
      // Past the turn's own end only a turn that came in by another door still runs: its caller gets what there is.
      const limitMs = config.deadlines.rest.endMs
      const collected = await collect({ app, clock, limitMs }, { received, turnId }, goneSignal(reply.raw))
      return {
        success: true as const,
        ...answerFrom(collected, {
          accepted,
          clock,
          language: languageOf(request),
          received,
          startedAt,
          adviseOverMs: config.deadlines.adviseOverMs,
        }),
      }
    },
  )

  api.get(
    '/api/turns/:turnId/events',
    {
      schema: {
        operationId: 'turnEvents',
        summary: 'Resume or watch a turn',
        description:
          'The latest `meta`, the text from `offset` (or from `Last-Event-ID`, which counts first), what follows live, and `done`.',
        params: TurnParams,
        querystring: Type.Object({ offset: Type.Optional(Offset) }),
      },
      config: { streams: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
    },
    async (request, reply) => {
      const { principal } = request
      const { turnId } = request.params
      const offset = resumeOffset(request.headers['last-event-id'], request.query.offset)
      // Opened before the head is written, so that someone else's turn is still a plain 404.
      const gone = goneSignal(reply.raw)
      const frames = await app.read(principal, turnId, { offset }, gone)
      telemetry.count('delivery.resumed', { door: 'sse' })
      return stream(parts, { request, reply }).send('', async () => frames)
    },
  )

  api.post(
    '/api/turns/:turnId/stop',
    {
      schema: {
        operationId: 'stopTurn',
        summary: 'Stop a turn',
        description: 'Ends the model call and its bill; the text so far stays. Repeating it changes nothing.',
        params: TurnParams,
        response: { 200: successEnvelope(TurnParams, EnvelopeMetadata) },
      },
      config: { errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
    },
    async (request) => {
      await app.stop(request.principal, request.params.turnId)
      return {
        success: true as const,
        data: { turnId: request.params.turnId },
        metadata: { timestamp: isoTime(clock.now()) },
      }
    },
  )
}

function wantsEvents(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/event-stream') === true
}

function stream(
  { clock, config, refuse, telemetry }: HttpParts,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): EventStream {
  const { reply, request } = exchange
  const language = languageOf(request)
  const words: EventWords = {
    frame: formatEvent,
    heartbeat: () => formatEvent({ type: 'heartbeat', at: isoTime(clock.now()) }),
    error: (error) => formatEvent({ type: 'error', ...refuse(error, language, { requestId: request.id }).body }),
  }
  const response = takeOver(reply)
  response.flushHeaders()
  return new EventStream({ response, clock, telemetry, streaming: config.streaming, words })
}
