// Decides a pair by a model. It sees the answers in both orders, and a verdict that changes with the order is a tie: models prefer
// the answer that stands first, or last.
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { costMicroUsd, FREE } from '#domain/budget/money.ts'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { textMessage } from '#domain/model/model-message.ts'
import type { ModelErrorClass, ModelPart } from '#domain/model/model-part.ts'
import { attemptsAfter } from '#domain/retry/retryable.ts'
import { NEVER } from '#lib/async/never.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model } from '#ports/model/port.ts'
import { CostReached } from './cost-meter.ts'
import type { CostMeter } from './cost-meter.ts'
import type { JudgePair, PairVerdict } from './pair.ts'
import { readVerdict, verdictMessage } from './verdict-prompt.ts'
import type { KnownFacts, Verdict } from './verdict-prompt.ts'

export interface JudgeParts {
  readonly model: Model
  /** The system prompt. */
  readonly prompt: string
  readonly facts: KnownFacts
  readonly meter: CostMeter
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

interface Reply {
  readonly text: string
  readonly costMicroUsd: number
  readonly failure?: { readonly class: ModelErrorClass; readonly message: string; readonly retryAfterMs?: number }
}

/** A model that thinks does so within this limit. */
const OUTPUT_TOKENS_MAX = 1024
const CALL_MS_MAX = 60_000
const RETRY_BASE_MS = 500
const RETRY_MS_MAX = 20_000

export function judgeByModel(parts: JudgeParts): JudgePair {
  async function judged(message: string): Promise<Verdict | PairVerdict> {
    const reply = await replyTo(parts, message)
    if (reply.failure !== undefined) {
      const { class: name, message: detail } = reply.failure
      return { kind: 'unjudged', why: 'failed', detail: `${name}: ${detail}` }
    }
    return readVerdict(reply.text) ?? { kind: 'unjudged', why: 'unparsable', detail: reply.text }
  }

  return async (pair) => {
    // The same text is the same answer: nothing is asked.
    if (pair.a.turn.answer.text === pair.b.turn.answer.text) return TIE
    try {
      const [aFirst, bFirst] = await Promise.all([
        judged(verdictMessage(pair, 'a', parts.facts)),
        judged(verdictMessage(pair, 'b', parts.facts)),
      ])
      if ('kind' in aFirst) return aFirst
      if ('kind' in bFirst) return bFirst
      return together(aFirst, bFirst)
    } catch (error) {
      if (error instanceof CostReached) return { kind: 'unjudged', why: 'cost' }
      throw error
    }
  }
}

const TIE: PairVerdict = { kind: 'judged', winner: 'tie', margin: 0, reasons: [] }

function together(aFirst: Verdict, bFirst: Verdict): PairVerdict {
  const [first, second] = [
    aFirst.better === 'tie' ? 'tie' : aFirst.better === '1' ? 'a' : 'b',
    bFirst.better === 'tie' ? 'tie' : bFirst.better === '1' ? 'b' : 'a',
  ] as const
  const reasons = [aFirst.reason, bFirst.reason].filter((reason) => reason !== '')
  if (first !== second) return { kind: 'judged', winner: 'tie', margin: 0, reasons, isFlipped: true }
  return { kind: 'judged', winner: first, margin: aFirst.margin + bFirst.margin, reasons }
}

async function replyTo(parts: JudgeParts, message: string): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    parts.meter.check()
    const reply = await call(parts, message)
    parts.meter.add(reply.costMicroUsd)
    const { failure } = reply
    if (failure === undefined || attempt >= attemptsAfter(failure.class)) return reply
    const delayMs = Math.max(failure.retryAfterMs ?? 0, RETRY_BASE_MS * 2 ** (attempt - 1))
    await parts.clock.sleep(Math.min(RETRY_MS_MAX, delayMs))
  }
}

async function call({ model, prompt, clock }: JudgeParts, message: string): Promise<Reply> {
  const messages = [textMessage('user', message)]
  const { outputTokensMax = OUTPUT_TOKENS_MAX, price = FREE, temperature } = model.facts ?? {}
  let text = ''
  const usage: Partial<Extract<ModelPart, { type: 'usage' }>> = {}
  let failure: Reply['failure']
  const stream = model.stream({
    system: prompt,
    messages,
    grounding: UNGROUNDED,
    language: 'en',
    maxOutputTokens: Math.min(OUTPUT_TOKENS_MAX, outputTokensMax),
    ...(temperature === false ? {} : { temperature: 0 }),
    deadlineAt: clock.now() + CALL_MS_MAX,
    signal: NEVER,
  })
  for await (const part of stream) {
    if (part.type === 'text-delta') text += part.text
    else if (part.type === 'usage') Object.assign(usage, part)
    else if (part.type === 'model-error') failure = part
  }
  // A call that failed before its first word has cost nothing.
  const wasAnswered = failure === undefined || text !== '' || usage.inputTokens !== undefined
  const input = usage.inputTokens ?? (wasAnswered ? genericCounter.prompt({ system: prompt, messages }) : 0)
  const output = usage.outputTokens ?? genericCounter.text(text)
  const cost = costMicroUsd(price, input, output)
  return { text, costMicroUsd: cost, ...(failure === undefined ? {} : { failure }) }
}
