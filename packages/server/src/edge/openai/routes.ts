// OpenAI's chat completions and list of models over our pipeline, in OpenAI's format: `/v1` for clients that know nothing
// of us. Such an answer cannot be resumed, so a caller that leaves stops its turn.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Static } from 'typebox'
import type { App, TurnFrame } from '#app/app.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { QuotaState } from '#domain/budget/quota.ts'
import { quotaWarningHeader } from '#domain/budget/quota-view.ts'
import { Refusal } from '#domain/refusal.ts'
import { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import { attemptIn } from '../http/attempt-header.ts'
import { collect } from '../http/collect.ts'
import { ChatCompletion, completionEvents, completionFrom, completionHead, finishReasonOf } from './answer.ts'
import type { CompletionHead } from './answer.ts'
import { refusedBy } from '../http/refused-by.ts'
import { openAiRefuser, unknownUrl, withOpenAiLimits } from './error.ts'
import type { OpenAiRefusal } from './error.ts'
import { ChatCompletionRequest, promptFrom, taggedPrincipal } from './request.ts'
import { rateLimitHeaders } from '../http/refuse.ts'
import { countBody, goneSignal } from '../http/route-parts.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { EventStream, takeOver } from '../sse/sse.ts'
import type { EventWords } from '../sse/sse.ts'

/** A prompt may fill a model's window: far more than a shopper's question, which `server.bodyBytesMax` limits. */
const PROMPT_BYTES_MAX = 1024 * 1024
const AUTO = { name: 'auto', vendor: 'mangaassist' }

const OpenAiModel = Type.Object({
  /** What to send as `model`. */
  id: Type.String(),
  object: Type.Literal('model'),
  /** Seconds since the epoch: when it became available here. */
  created: Type.Integer(),
  owned_by: Type.String(),
})
const OpenAiModels = Type.Object({ object: Type.Literal('list'), data: Type.Array(OpenAiModel) })

type OpenAiParts = Pick<HttpParts, 'app' | 'clock' | 'config' | 'nameNetwork' | 'refuse'>
type Asked = FastifyRequest<{ Body: Static<typeof ChatCompletionRequest> }>

const createChatCompletion = {
  schema: {
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion in OpenAI’s format',
    description:
      'The messages are sent to the model unchanged and stored in no conversation. With `stream` the answer comes as `chat.completion.chunk`s and ends with `[DONE]`; without that it is not whole. A parameter that cannot be followed is refused as `unsupported_parameter`.',
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
} satisfies RouteDescription

const listModels = {
  schema: {
    operationId: 'listModels',
    summary: 'List the models that the caller may use',
    description: 'By configured name and by the vendor’s id; `auto` uses the configured order.',
    response: { 200: OpenAiModels },
  },
  config: { wire: 'openai' },
} satisfies RouteDescription

const retrieveModel = {
  schema: {
    operationId: 'retrieveModel',
    summary: 'Get one model',
    params: Type.Object({ model: Type.String() }),
    response: { 200: OpenAiModel },
  },
  config: { wire: 'openai', errors: ['NOT_FOUND'] },
} satisfies RouteDescription

export function openAiRoutes(v1: Routes, parts: OpenAiParts): void {
  const refuse = openAiRefuser(parts.refuse)
  v1.setErrorHandler((error, request, reply) =>
    sendRefusal(reply, refuse(error, request.scope, refusedBy(request, parts.nameNetwork))),
  )
  // Without this route the pages would answer every unknown address below `/v1`.
  v1.all('/*', (request, reply) => sendRefusal(reply, unknownUrl(request.method, request.url)))
  v1.addHook('onSend', async (_request, reply) => void reply.headers(processingTime(reply)))
  completionRoute(v1, parts)
  modelRoutes(v1, parts)
}

function completionRoute(v1: Routes, parts: OpenAiParts): void {
  const { app, clock } = parts

  v1.post('/chat/completions', { ...createChatCompletion, bodyLimit: PROMPT_BYTES_MAX }, async (request, reply) => {
    const gone = goneSignal(reply.raw)
    const { quota, turnId } = await app.complete(completionAsked(request, parts))
    reply.headers(limitHeaders(quota))
    const meter = new ReaderMeter('v1', clock)
    const frames = readOrStop(parts, { request, turnId, meter }, gone)
    const head = completionHead(turnId, clock.now())
    if (request.body.stream !== true) {
      countBody(reply, meter)
      const { done, text } = await collect(async () => frames, gone)
      if (done === undefined) return abandon(reply, gone)
      return completionFrom(head, text, done)
    }
    const early = await untilSpoken(frames)
    if (early === undefined) return abandon(reply, gone)
    return eventStream(parts, { request, reply, meter }, head).send('', async () => inTurn(early, frames))
  })
}

function completionAsked(request: Asked, { nameNetwork }: OpenAiParts): Parameters<App['complete']>[0] {
  const { body, principal } = request
  return {
    ...promptFrom(body),
    ...(body.stream === true ? {} : { inOnePiece: true as const }),
    principal: taggedPrincipal(principal, body),
    requestId: request.id,
    network: nameNetwork(request.raw),
    scope: request.scope,
    ...attemptIn(request),
  }
}

function limitHeaders(quota: QuotaState): Record<string, string> {
  const warning = quotaWarningHeader(quota)
  return {
    ...withOpenAiLimits(rateLimitHeaders(quota.requestsPerMinute)),
    ...(warning === undefined ? {} : { 'x-quota-warning': warning }),
  }
}

function eventStream(
  { clock, config, refuse }: OpenAiParts,
  { request, reply, meter }: { readonly request: Asked; readonly reply: FastifyReply; readonly meter: ReaderMeter },
  head: CompletionHead,
): EventStream {
  const words: EventWords = {
    frame: completionEvents(head, request.body.stream_options?.include_usage === true),
    heartbeat: () => ': heartbeat\n\n',
    error: (error) => `data: ${JSON.stringify(openAiRefuser(refuse)(error, request.scope).body)}\n\n`,
  }
  const response = takeOver(reply, processingTime(reply))
  return new EventStream({ response, clock, telemetry: request.scope, streaming: config.streaming, words, meter })
}

/** Ends the response for a caller that has left. If the caller still waits, the turn has no end, which is a defect. */
function abandon(reply: FastifyReply, gone: AbortSignal) {
  if (!gone.aborted) throw new Error('a turn was read to its end without an end record')
  return reply.hijack()
}

function modelRoutes(v1: Routes, parts: OpenAiParts): void {
  const modelsOf = modelLister(parts)

  v1.get('/models', listModels, ({ principal }) => ({ object: 'list' as const, data: modelsOf(principal) }))

  v1.get('/models/:model', retrieveModel, (request) => {
    const found = modelsOf(request.principal).find(({ id }) => id === request.params.model)
    if (found === undefined) throw new Refusal('NOT_FOUND', { details: { field: 'model' } })
    return found
  })
}

function sendRefusal(reply: FastifyReply, { body, headers, status }: OpenAiRefusal): void {
  void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}

function processingTime(reply: FastifyReply): Record<string, string> {
  return { 'openai-processing-ms': String(Math.round(reply.elapsedTime)) }
}

function modelLister({ app, clock }: OpenAiParts): (principal: Principal) => Static<typeof OpenAiModel>[] {
  const created = Math.floor(clock.now() / 1000)
  return (principal) => listed(app.models(principal), created)
}

function listed(configured: ReturnType<App['models']>, created: number): Static<typeof OpenAiModel>[] {
  const asked = [
    AUTO,
    ...configured.map(({ name, vendor }) => ({ name, vendor })),
    ...configured.map(({ id, vendor }) => ({ name: id, vendor })),
  ]
  // A name takes precedence over an equal id.
  const owners = new Map(asked.toReversed().map(({ name, vendor }) => [name, vendor]))
  return [...new Set(asked.map(({ name }) => name))].map((id) => ({
    id,
    object: 'model',
    created,
    owned_by: owners.get(id) ?? AUTO.vendor,
  }))
}

/** The frames of a turn. A reader that stops before its end stops the turn and its cost. */
async function* readOrStop(
  { app }: OpenAiParts,
  { request, turnId, meter }: { request: FastifyRequest; turnId: string; meter: ReaderMeter },
  gone: AbortSignal,
): AsyncGenerator<TurnFrame, undefined> {
  let isEnded = false
  try {
    for await (const frame of await app.read(request.principal, { turnId, offset: 0, meter }, gone)) {
      isEnded = frame.type === 'done'
      if (isEnded) meter.ended('complete')
      yield frame
    }
  } catch (error) {
    if (!gone.aborted) throw error
  } finally {
    meter.ended(gone.aborted ? 'left' : 'failed')
    if (!isEnded) await app.stop(request.principal, turnId).catch(failed)
  }

  function failed(error: unknown): void {
    request.scope.log('error', 'completion.stop-failed', { requestId: request.id, turnId }, error)
  }
}

/**
 * The frames before the first text, collected before anything is sent: until then a failure can still be reported by its
 * status, which clients understand best. Undefined when the caller has left.
 */
async function untilSpoken(frames: AsyncGenerator<TurnFrame, undefined>): Promise<readonly TurnFrame[] | undefined> {
  const early: TurnFrame[] = []
  for (let next = await frames.next(); next.done !== true; next = await frames.next()) {
    early.push(next.value)
    if (next.value.type === 'done') finishReasonOf(next.value)
    if (next.value.type === 'chunk' || next.value.type === 'done') return early
  }
  return undefined
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
