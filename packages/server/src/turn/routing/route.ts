// Chooses what is asked of whom: the prompt within its shares of tokens and the ladder of models within the
// hold. Pure and synchronous: the same Grounded always gives the same Routed.
import type { Config } from '#config.ts'
import { estimateMessages, estimateTokens } from '#domain/estimator.ts'
import { outputTokensAffordable } from '#domain/money.ts'
import type { ModelMessage } from '#ports/model.ts'
import type { Grounded, Routed, Rung } from '../turn.ts'
import { dataBlock, inert, systemPrompt } from './prompt.ts'
import { historyMessages } from './trim.ts'

export interface RouteParts {
  readonly config: Config
  /** The configured models in their order, with no limit on output yet. */
  readonly ladder: readonly Omit<Rung, 'maxOutputTokens'>[]
}

export function createRoute(parts: RouteParts): (grounded: Grounded) => Routed {
  const { tokens, store } = parts.config

  function promptFor(grounded: Grounded): { system: string; messages: readonly ModelMessage[] } {
    const { message, language, hold } = grounded.start
    const system = systemPrompt(language, store)
    // The message comes first; history takes what retrieval leaves, and shrinks before retrieval does.
    const inputMax = Math.min(tokens.inputPerRequestMax, hold.granted.inputTokens)
    const forRest = inputMax - tokens.systemShare - tokens.safetyShare - estimateTokens(message)
    const data = dataBlock(grounded.grounding, language, {
      tokens: Math.min(tokens.retrievalShare, forRest),
      entries: tokens.retrievedInPrompt,
    })
    const history = historyMessages(grounded.history, Math.max(0, forRest - estimateTokens(data)))
    return { system, messages: [...history, { role: 'user', content: data + inert(message) }] }
  }

  return function route(grounded) {
    const { granted } = grounded.start.hold
    const { system, messages } = promptFor(grounded)
    const estimatedInputTokens = estimateTokens(system) + estimateMessages(messages)
    const ladder = parts.ladder.flatMap((rung) => {
      // The question alone is more than what is left of the day's or the session's input.
      if (estimatedInputTokens > granted.inputTokens) return []
      const affordable = outputTokensAffordable(rung.price, estimatedInputTokens, granted.costMicroUsd)
      const maxOutputTokens = Math.min(granted.outputTokens, affordable)
      return maxOutputTokens < Math.min(tokens.outputUsefulMin, granted.outputTokens)
        ? []
        : [{ ...rung, maxOutputTokens }]
    })
    const productIds = grounded.grounding.products.slice(0, tokens.retrievedInPrompt).map((product) => product.id)
    return { ...grounded, system, messages, estimatedInputTokens, ladder, productIds }
  }
}
