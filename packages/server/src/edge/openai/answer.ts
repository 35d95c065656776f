// A turn in the format of OpenAI's chat completions: whole, or chunk by chunk as server-sent events. A cut answer is never
// sent as a complete one: it is thrown as `UnfinishedAnswer`.
import type { AnswerTier, DoneFrame } from '@mangaassist/protocol'
import Type from 'typebox'
import type { Static } from 'typebox'
import type { TurnFrame } from '#app/app.ts'
import { Refusal } from '#domain/refusal.ts'

const FinishReason = Type.Enum(['stop', 'length', 'content_filter'])
type FinishReason = Static<typeof FinishReason>

const CompletionUsage = Type.Object({
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
})

const common = {
  id: Type.String({ pattern: '^chatcmpl-' }),
  /** Seconds since the epoch. */
  created: Type.Integer(),
  /** The vendor's id of the model that really answered. */
  model: Type.String(),
}

export const ChatCompletion = Type.Object({
  ...common,
  object: Type.Literal('chat.completion'),
  choices: Type.Array(
    Type.Object({
      index: Type.Literal(0),
      message: Type.Object({ role: Type.Literal('assistant'), content: Type.String(), refusal: Type.Null() }),
      logprobs: Type.Null(),
      finish_reason: FinishReason,
    }),
  ),
  usage: CompletionUsage,
})

export const ChatCompletionChunk = Type.Object({
  ...common,
  object: Type.Literal('chat.completion.chunk'),
  /** Empty in the chunk with the usage. */
  choices: Type.Array(
    Type.Object({
      index: Type.Literal(0),
      delta: Type.Object({ role: Type.Optional(Type.Literal('assistant')), content: Type.Optional(Type.String()) }),
      logprobs: Type.Null(),
      finish_reason: Type.Union([FinishReason, Type.Null()]),
    }),
  ),
  /** Only with `stream_options.include_usage`, and then null in all but the last. */
  usage: Type.Optional(Type.Union([CompletionUsage, Type.Null()])),
})

export interface CompletionHead {
  readonly id: string
  /** Seconds since the epoch. */
  readonly created: number
}

/** The answer broke off, or there was none. */
export class UnfinishedAnswer extends Error {
  /** A class of model error, or the way the turn ended. */
  readonly failure: string
  /** The provider's Retry-After, or the lane's. */
  readonly retryAfterMs: number | undefined

  constructor(failure: string, retryAfterMs?: number) {
    super(`a completion ended without a whole answer: ${failure}`)
    this.name = 'UnfinishedAnswer'
    this.failure = failure
    this.retryAfterMs = retryAfterMs
  }
}

export function completionHead(turnId: string, nowMs: number): CompletionHead {
  return { id: `chatcmpl-${turnId.replace(/^turn_/, '')}`, created: Math.floor(nowMs / 1000) }
}

export function completionFrom(head: CompletionHead, text: string, done: DoneFrame): Static<typeof ChatCompletion> {
  const finish_reason = finishReasonOf(done)
  const message = { role: 'assistant' as const, content: text, refusal: null }
  return {
    ...head,
    object: 'chat.completion',
    model: done.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: usageOf(done),
  }
}

/** Translates each frame to events, '' for none. Throws instead of ending an incomplete answer. */
export function completionEvents(head: CompletionHead, includeUsage: boolean): (frame: TurnFrame) => string {
  let model = ''
  let isOpened = false
  /** The common beginning of the chunks of one model; another model has another. */
  let before: string | undefined
  const withUsage = (usage: object | null) => (includeUsage ? `,"usage":${JSON.stringify(usage)}` : '')
  const between = `},"logprobs":null,"finish_reason":`
  const after = `}]${withUsage(null)}}\n\n`
  const start = (): string => {
    const named = JSON.stringify({ ...head, object: 'chat.completion.chunk', model }).slice(0, -1)
    return `data: ${named},"choices":[`
  }
  const choice = (delta: string, finishReason = 'null'): string =>
    `${(before ??= `${start()}{"index":0,"delta":{`)}${delta}${between}${finishReason}${after}`
  const opening = (): string => {
    if (isOpened) return ''
    isOpened = true
    return choice(`"role":"assistant","content":"","refusal":null`)
  }

  return (frame) => {
    if (frame.type === 'queued') return ''
    if (frame.type === 'chunk') return `${opening()}${choice(`"content":${JSON.stringify(frame.text)}`)}`
    if (model !== frame.model) before = undefined
    model = frame.model
    if (frame.type === 'meta') return ''
    const finishReason = finishReasonOf(frame)
    const usage = includeUsage ? `${start()}]${withUsage(usageOf(frame))}}\n\n` : ''
    return `${opening()}${choice('', `"${finishReason}"`)}${usage}data: [DONE]\n\n`
  }
}

const BY_MODELS: ReadonlySet<AnswerTier> = new Set(['primary', 'economy', 'embedded', 'cached'])

export function finishReasonOf({ failure, finishReason, length, tier, retryAfterMs }: DoneFrame): FinishReason {
  const isSpoken = length > 0 && BY_MODELS.has(tier)
  if (finishReason === 'blocked') {
    if (!isSpoken) throw new Refusal('CONTENT_BLOCKED')
    return 'content_filter'
  }
  if (failure !== undefined) throw new UnfinishedAnswer(failure, retryAfterMs)
  // The granted tokens were used up: by the model's count, or by ours.
  if (finishReason === 'length' || finishReason === 'budget') return 'length'
  if (finishReason === 'stop' && isSpoken) return 'stop'
  throw new UnfinishedAnswer(finishReason === 'stop' ? 'empty' : finishReason)
}

function usageOf({ usage }: DoneFrame): Static<typeof CompletionUsage> {
  const { inputTokens, outputTokens } = usage
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens }
}
