// OpenAI's chat completions and list of models over our pipeline, in OpenAI's own shapes: `/v1` for clients that know
// nothing of us. Nobody can resume such an answer, so a caller that goes away stops its turn.
import type { DoneFrame } from '@mangaassist/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Static } from 'typebox'
import type { App, TurnFrame } from '#app/app.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { quotaWarningHeader } from '#domain/budget/quota-view.ts'
import { Refusal } from '#domain/refusal.ts'
import { attemptIn } from '../http/attempt-header.ts'
import { ChatCompletion, completionEvents, completionFrom, completionHead, finishReasonOf } from './answer.ts'
import { openAiRefuser, unknownUrl, withOpenAiLimits } from './error.ts'
import type { OpenAiRefusal } from './error.ts'
import { ChatCompletionRequest, promptFrom } from './request.ts'
import { rateLimitHeaders } from '../http/refuse.ts'
import { goneSignal } from '../http/route-parts.ts'
import type { HttpParts, Routes } from '../http/route-parts.ts'
import { EventStream, takeOver } from '../sse/sse.ts'
import type { EventWords } from '../sse/sse.ts'

/** A prompt may fill a model's window: far more than a shopper's question, which `server.bodyBytesMax` is for. */
const PROMPT_BYTES_MAX = 1024 * 1024
const AUTO = { name: 'auto', vendor: 'mangaassist' }

const OpenAiModel = Type.Object({
  /** What to send as `model`. */
  id: Type.String(),
  object: Type.Literal('model'),
  /** Seconds since the epoch: since when it can be asked for here. */
  created: Type.Integer(),
  owned_by: Type.String(),
})
const OpenAiModels = Type.Object({ object: Type.Literal('list'), data: Type.Array(OpenAiModel) })

export function openAiRoutes(v1: Routes, parts: HttpParts): void {
  const { app, clock } = parts
  const refuse = openAiRefuser(parts.refuse)
  v1.setErrorHandler((error, request, reply) => sendRefusal(reply, refuse(error, request.id)))
  // As a route: beside it the pages, which take every other address, would answer.
  v1.all('/*', (request, reply) => sendRefusal(reply, unknownUrl(request.method, request.url)))
  v1.addHook('onSend', async (_request, reply) => void reply.headers(processingTime(reply)))

  v1.post(
    '/chat/completions',
    {
      bodyLimit: PROMPT_BYTES_MAX,
      schema: {
        operationId: 'createChatCompletion',
        summary: 'Complete a chat, as OpenAI’s clients ask for it',
        description:
          'The messages are taken as they are, and nothing of them is kept in a conversation. With `stream` the answer comes as `chat.completion.chunk`s and ends with `[DONE]`; without that it is not whole. A parameter that cannot be followed is refused as `unsupported_parameter`.',
        body: ChatCompletionRequest,
        response: { 200: ChatCompletion },
      },
      config: {
        wire: 'openai',
        streams: true,
        limited: true,
        errors: [
          'INVALID_REQUEST',
          'NOT_FOUND',
          'PAYLOAD_TOO_LARGE',
          'CONTENT_BLOCKED',
          'QUOTA_EXCEEDED',
          'RATE_LIMITED',
          'QUEUE_FULL',
          'MODEL_TIMEOUT',
          'MAINTENANCE',
        ],
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const gone = goneSignal(reply.raw)
      const { quota, turnId } = await app.complete({
        ...promptFrom(body),
        ...(body.stream === true ? {} : { inOnePiece: true as const }),
        principal,
        requestId: request.id,
        network: parts.nameNetwork(request.raw),
        ...attemptIn(request),
      })
      const warning = quotaWarningHeader(quota)
      reply.headers({
        ...withOpenAiLimits(rateLimitHeaders(quota.requestsPerMinute)),
        ...(warning === undefined ? {} : { 'x-quota-warning': warning }),
      })
      const frames = readOrStop(parts, { request, turnId }, gone)
      const head = completionHead(turnId, clock.now())
      if (body.stream !== true) {
        const answer = await collect(frames, gone)
        return answer === undefined ? reply.hijack() : completionFrom(head, answer.text, answer.done)
      }
      const early = await untilSpoken(frames, gone)
      if (early === undefined) return reply.hijack()
      const words: EventWords = {
        frame: completionEvents(head, body.stream_options?.include_usage === true),
        heartbeat: () => ': heartbeat\n\n',
        error: (error) => `data: ${JSON.stringify(refuse(error, request.id).body)}\n\n`,
      }
      const response = takeOver(reply, processingTime(reply))
      const events = new EventStream({
        response,
        clock,
        telemetry: parts.telemetry,
        streaming: parts.config.streaming,
        words,
      })
      return events.send('', async () => inTurn(early, frames))
    },
  )

  const modelsOf = modelLister(parts)
  v1.get(
    '/models',
    {
      schema: {
        operationId: 'listModels',
        summary: 'The models that you can ask for',
        description: 'By their configured names and by their vendors’ ids; `auto` is the order of the configuration.',
        response: { 200: OpenAiModels },
      },
      config: { wire: 'openai' },
    },
    ({ principal }) => ({ object: 'list' as const, data: modelsOf(principal) }),
  )

  v1.get(
    '/models/:model',
    {
      schema: {
        operationId: 'retrieveModel',
        summary: 'One of the models',
        params: Type.Object({ model: Type.String() }),
        response: { 200: OpenAiModel },
      },
      config: { wire: 'openai', errors: ['NOT_FOUND'] },
    },
    (request) => {
      const found = modelsOf(request.principal).find(({ id }) => id === request.params.model)
      if (found === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'model' } })
      return found
    },
  )
}

function sendRefusal(reply: FastifyReply, { body, headers, status }: OpenAiRefusal): void {
  void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}

function processingTime(reply: FastifyReply): Record<string, string> {
  return { 'openai-processing-ms': String(Math.round(reply.elapsedTime)) }
}

function modelLister({ app, clock }: HttpParts): (principal: Principal) => Static<typeof OpenAiModel>[] {
  const created = Math.floor(clock.now() / 1000)
  return (principal) => listed(app.models(principal), created)
}

function listed(configured: ReturnType<App['models']>, created: number): Static<typeof OpenAiModel>[] {
  const asked = [
    AUTO,
    ...configured.map(({ name, vendor }) => ({ name, vendor })),
    ...configured.map(({ id, vendor }) => ({ name: id, vendor })),
  ]
  // A name counts before an id that is spelled the same.
  const owners = new Map(asked.toReversed().map(({ name, vendor }) => [name, vendor]))
  return [...new Set(asked.map(({ name }) => name))].map((id) => ({
    id,
    object: 'model',
    created,
    owned_by: owners.get(id) ?? AUTO.vendor,
  }))
}

/** The frames of a turn. Whoever stops reading before its end stops the turn, and its bill. */
async function* readOrStop(
  { app, telemetry }: HttpParts,
  { request, turnId }: { request: FastifyRequest; turnId: string },
  gone: AbortSignal,
): AsyncGenerator<TurnFrame, undefined> {
  let isEnded = false
  try {
    for await (const frame of await app.read(request.principal, turnId, { offset: 0 }, gone)) {
      isEnded = frame.type === 'done'
      yield frame
    }
  } catch (error) {
    if (!gone.aborted) throw error
  } finally {
    if (!isEnded) await app.stop(request.principal, turnId).catch(failed)
  }

  function failed(error: unknown): void {
    telemetry.log('error', 'completion-not-stopped', { requestId: request.id, turnId }, error)
  }
}

/** The whole answer; undefined when there is nobody left to be answered. */
async function collect(
  frames: AsyncIterable<TurnFrame>,
  gone: AbortSignal,
): Promise<{ text: string; done: DoneFrame } | undefined> {
  let text = ''
  for await (const frame of frames) {
    if (frame.type === 'chunk') text += frame.text
    if (frame.type === 'done') return { text, done: frame }
  }
  return nobodyLeft(gone)
}

/**
 * The frames until the first words, before anything is sent: while there are none, what fails can still be told by its
 * status, which clients understand best. Undefined when there is nobody left to be answered.
 */
async function untilSpoken(
  frames: AsyncGenerator<TurnFrame, undefined>,
  gone: AbortSignal,
): Promise<readonly TurnFrame[] | undefined> {
  const early: TurnFrame[] = []
  for (let next = await frames.next(); next.done !== true; next = await frames.next()) {
    early.push(next.value)
    if (next.value.type === 'done') finishReasonOf(next.value)
    if (next.value.type === 'chunk' || next.value.type === 'done') return early
  }
  return nobodyLeft(gone)
}

function nobodyLeft(gone: AbortSignal): undefined {
  if (!gone.aborted) throw new Error('a turn was read to its end without being told how it ended')
}

async function* inTurn(
  early: readonly TurnFrame[],
  rest: AsyncGenerator<TurnFrame, undefined>,
): AsyncGenerator<TurnFrame> {
  try {
    yield* early
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
