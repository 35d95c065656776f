// Makes an answer for the cache by asking the route's first model once, outside of any turn: a house call, as bulk work.
// `refresh-answers.ts` and the prewarm store the answer.
import { NEVER } from '#lib/async/never.ts'
import type { Config } from '#config/config.ts'
import { shownWith } from '#domain/answers/shown-with.ts'
import type { TypicalTimes } from '#domain/model/typical-times.ts'
import { deadlinesFrom } from '#domain/turn/deadline.ts'
import type { TurnOutcome } from '#domain/turn/log-records.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { CheckAnswer } from '../answers/check-answer.ts'
import { hasWholePrompt } from '../answers/cached-answers.ts'
import type { Estimates } from '#domain/estimator/estimates.ts'
import { attempt } from '../invocation/attempt.ts'
import type { Attempted } from '../invocation/attempt.ts'
import { outcomeOfCall } from '../invocation/held-permit.ts'
import { endOf } from '../invocation/rung-end.ts'
import type { Routed, Rung } from '../turn.ts'
import type { HouseCap, HousePurpose, MakeHouseCall, MadeCall, Permitted, SkipReason } from './house-call.ts'

export interface AnswerCallParts {
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly houseCall: MakeHouseCall
  readonly estimates: Pick<Estimates, 'observe'>
  readonly typical: Pick<TypicalTimes, 'see' | 'seeAnswer'>
  readonly config: Pick<Config, 'deadlines' | 'tokens'>
  /** The model whose answers are cached: the first of the turn's route; undefined when there is none. */
  readonly firstOf: (routed: Routed) => Pick<Rung, 'name'> | undefined
  /** An answer that the store contradicts is not stored. */
  readonly check: CheckAnswer
}

interface AnswerCall {
  readonly purpose: Extract<HousePurpose, 'prewarm' | 'refresh'>
  /** A budget of the purpose, besides the shop's ceiling. */
  readonly cap?: HouseCap
}

type CalledAnswer =
  | { readonly kind: 'answered'; readonly outcome: TurnOutcome; readonly text: string }
  /** No model was asked, and nothing was spent. */
  | { readonly kind: 'skipped'; readonly why: SkipReason }
  /** The model failed, or its answer could not be cached and so was not asked for. */
  | { readonly kind: 'unanswered' }

export type MakeAnswerCall = (routed: Routed, call: AnswerCall) => Promise<CalledAnswer>

export function createAnswerCall(parts: AnswerCallParts): MakeAnswerCall {
  const { clock, telemetry, config, typical } = parts
  const { endMs } = config.deadlines.stream

  async function call(
    routed: Routed,
    rung: Rung,
    permitted: Permitted,
  ): Promise<MadeCall & Attempted & { text: string }> {
    const { at, counter, onAlive } = permitted
    const limits = { ...config.tokens, ...config.deadlines, ...rung.limits }
    const start = { ...routed.start, deadlines: deadlinesFrom(at, config.deadlines.stream) }
    const texts: string[] = []
    const made = await attempt(
      { clock, limits, number: 1, counter },
      { ...routed, start, rung, shown: '' },
      {
        signal: NEVER,
        say: (text) => void texts.push(text),
        onAlive,
        onSpoken: () => typical.see(rung.name, clock.now() - at),
      },
    )
    return { ...made, outcome: outcomeOfCall(made.end), text: texts.join('') }
  }

  /** Learns from a call's usage and speed, as from a turn's call. */
  function learn(routed: Routed, { name }: Rung, { end, record, spokeMs, inputTokensReported }: Attempted): void {
    telemetry.count('model_attempts_total', { model: name, outcome: record.outcome })
    if (end.kind === 'failed') telemetry.log('warn', 'model.attempt-failed', { model: name, class: end.class })
    if (end.kind === 'ended') typical.seeAnswer(name, record.usage.outputTokens, spokeMs)
    if (inputTokensReported !== undefined) parts.estimates.observe(name, routed, inputTokensReported)
  }

  return async function answerCall(routed, { purpose, cap }) {
    const first = parts.firstOf(routed)
    const rung = routed.ladder.find(({ name }) => name === first?.name)
    // An answer that could not be cached is not paid for.
    if (rung === undefined || !hasWholePrompt(routed, config)) return { kind: 'unanswered' }
    const capped = cap === undefined ? {} : { cap }
    const asked = { purpose, rung, prompt: routed, endMs, signal: NEVER, ...capped }
    const answer = await parts.houseCall(asked, (permitted) => call(routed, rung, permitted))
    if (answer.kind === 'skipped') return answer
    const { made } = answer
    const { record, text } = made
    learn(routed, rung, made)
    const end = endOf(made, text !== '')
    if (end.kind !== 'finished') return { kind: 'unanswered' }
    const endedAt = clock.now()
    const { finishReason } = end
    const { tier, model } = rung
    const { grounding, productIds } = routed
    const products = productIds.map((id) => ({ id }))
    const shown = shownWith({ grounding, tier, finishReason, products, readAt: endedAt })
    const { mismatches } = await parts.check(routed, { text, tier, model: model.id, finishReason })
    const outcome = { tier, model: model.id, length: text.length, sha256: '', productIds, mismatches, ...shown }
    return {
      kind: 'answered',
      outcome: { ...outcome, attempts: [record], finishReason, firstWordAt: endedAt - made.spokeMs, endedAt },
      text,
    }
  }
}
