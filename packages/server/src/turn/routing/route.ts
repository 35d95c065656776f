// Builds the prompt within its shares of tokens, and the ladder of models within the hold, in the order that the router
// gives them. Synchronous, and pure but for what a configured rule may ask of the moment: time, budget, lanes.
import type { Config } from '#config/config.ts'
import type { TokenCounter } from '#domain/estimator/token-counter.ts'
import { inputCeiling } from '#domain/budget/input-ceiling.ts'
import { outputTokensAffordable } from '#domain/budget/money.ts'
import type { SystemPrompts } from '#domain/prompt/system-prompts.ts'
import type { ChatStart, CompletionStart, PromptEstimate } from '#domain/turn/log-records.ts'
import { inert } from '#domain/prompt/inert.ts'
import { messageText } from '#domain/model/model-message.ts'
import type { ModelMessage } from '#ports/model/port.ts'
import type { Estimates } from '#domain/estimator/estimates.ts'
import type { Grounded, Routed, Rung } from '../turn.ts'
import { dataBlock, stateBlock, systemPrompt } from './prompt.ts'
import type { Router, TurnRoute } from './router.ts'
import { withPast } from './trim.ts'

/** Tokens that a vendor adds to a prompt around its messages. */
const CONTEXT_OVERHEAD_TOKENS = 300

export interface RouteParts {
  readonly config: Config
  readonly prompts: SystemPrompts
  /** Every configured model by name, without a limit on output yet. */
  readonly rungs: ReadonlyMap<string, Omit<Rung, 'maxOutputTokens'>>
  /** Names of models, in the order in which they are asked by default. */
  readonly ladder: readonly string[]
  readonly estimates: Pick<Estimates, 'counterFor' | 'statusOf'>
  /**
   * Whether every model is refusing calls for load, or is out: then a prompt is brief, because a vendor's quota is one of tokens, and shorter
   * prompts serve more shoppers. Absent: never.
   */
  readonly isPressed?: () => boolean
  /** Orders the models of a chat turn. Absent: the ladder's order. */
  readonly router?: Router
}

/** What is sent for a turn, by its kind: the models that may be asked, and the prompt within their tokens. */
interface Asking extends Partial<TurnRoute> {
  readonly models: readonly string[]
  readonly temperature?: number
  readonly promptVersion?: string
  readonly prompt: (counter: TokenCounter) => Prompt
}

interface Prompt {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly forgottenUpTo: number
  readonly estimate: PromptEstimate
  readonly cutShort: NonNullable<Routed['cutShort']>
}

/** The pairs of the conversation in a brief prompt. */
const BRIEF_PAIRS = 1
/** A message above this share of the free room counts as long. */
const LONG_SHARE = 0.5

export function createRoute(parts: RouteParts): (grounded: Grounded) => Routed {
  const { tokens, store } = parts.config

  function askingFor(grounded: Grounded): Asking {
    const { start } = grounded
    switch (start.kind) {
      case 'chat':
        return chatAsking(grounded, start)
      case 'completion':
        return completionAsking(start)
    }
  }

  function chatAsking(grounded: Grounded, start: ChatStart): Asking {
    const taken: Partial<TurnRoute> = parts.router?.(grounded, parts.ladder) ?? {}
    const { models = parts.ladder, prompts = parts.prompts, temperature = tokens.temperature } = taken
    return {
      ...taken,
      models,
      temperature,
      promptVersion: prompts.version,
      prompt: (counter) => chatPrompt(grounded, { ...start, prompts }, counter),
    }
  }

  function chatPrompt(
    grounded: Grounded,
    { message, language, hold, prompts }: ChatStart & { readonly prompts: SystemPrompts },
    counter: TokenCounter,
  ): Prompt {
    const system = systemPrompt(prompts, language, store)
    // The message comes first; history takes what retrieval leaves, and shrinks before retrieval does.
    const asked = counter.text(message)
    const ceiling = inputCeiling(tokens, asked)
    const inputMax = Math.min(ceiling, hold.granted.inputTokens)
    const shares = tokens.systemShare + tokens.safetyShare
    const forRest = inputMax - shares - asked
    const isBrief = parts.isPressed?.() === true
    const block = (tokensMax: number, isShort = false) => {
      const state = stateBlock(grounded.grounding, { tokens: Math.min(tokensMax, tokens.factsShare), counter })
      const rest = tokensMax - counter.text(state)
      return (
        state +
        dataBlock(grounded.grounding, language, {
          tokens: rest,
          entries: tokens.retrievedInPrompt,
          isBrief: isShort,
          counter,
        })
      )
    }
    const data = block(Math.min(tokens.retrievalShare, forRest), isBrief)
    const { messages, leftOut, isCut } = withPast(grounded, data + inert(message), {
      tokens: Math.max(0, forRest - counter.text(data)),
      pairs: isBrief ? Math.min(BRIEF_PAIRS, tokens.historyPairsMax) : tokens.historyPairsMax,
      factsTokens: tokens.factsShare,
      counter,
    })
    const total = counter.prompt({ system, messages })
    const [systemTokens, retrieval] = [counter.text(system), counter.text(data)]
    // The rest is history, with the cost of sending several messages.
    const isFirst = messages.length === 1 && leftOut === 0
    const history = isFirst ? 0 : Math.max(0, total - systemTokens - retrieval - asked)
    const estimate = { system: systemTokens, retrieval, history, message: asked, total }
    // A long conversation never fits a prompt, so this is reported only when a long message or a nearly used-up budget
    // leaves it less room than other prompts have.
    const isTight = inputMax < ceiling || asked > LONG_SHARE * (tokens.inputPerRequestMax - shares)
    const cutShort = [
      ...((isTight && isCut) || (isBrief && grounded.history.length > BRIEF_PAIRS) ? (['history'] as const) : []),
      ...((isTight || isBrief) && data !== block(tokens.retrievalShare) ? (['retrieval'] as const) : []),
    ]
    return { system, messages, forgottenUpTo: forgottenUpTo(grounded, leftOut), estimate, cutShort }
  }

  /** The model with its output limit within the hold and its own window; an empty list when the limit is too small. */
  function affordable(
    name: string,
    granted: Grounded['start']['hold']['granted'],
    inputTokens: number,
  ): readonly Rung[] {
    const rung = parts.rungs.get(name)
    // The question alone exceeds the remaining input of the day or the session.
    if (rung === undefined || inputTokens > granted.inputTokens) return []
    const byMoney = outputTokensAffordable(rung.price, inputTokens, granted.costMicroUsd)
    const byWindow = roomIn(rung, inputTokens + CONTEXT_OVERHEAD_TOKENS + tokens.safetyShare)
    const maxOutputTokens = Math.min(granted.outputTokens, byMoney, byWindow)
    return maxOutputTokens < Math.min(tokens.outputUsefulMin, granted.outputTokens)
      ? []
      : [{ ...rung, maxOutputTokens }]
  }

  return function route(grounded) {
    const asking = askingFor(grounded)
    const { models, temperature, plan, promptVersion, prompt: promptFor, routing, weighed } = asking
    const prompt = promptFor(parts.estimates.counterFor(models))
    const estimatedInputTokens = prompt.estimate.total
    const { granted: held } = grounded.start.hold
    const outputTokens = Math.min(held.outputTokens, asking.outputTokensMax ?? held.outputTokens)
    const granted = { ...held, outputTokens }
    const ladder = models.flatMap((name) => affordable(name, granted, estimatedInputTokens))
    const productIds = grounded.grounding.products.slice(0, tokens.retrievedInPrompt).map((product) => product.id)
    return {
      ...grounded,
      system: prompt.system,
      messages: prompt.messages,
      ...(temperature === undefined ? {} : { temperature }),
      ...(promptVersion === undefined ? {} : { promptVersion }),
      forgottenUpTo: prompt.forgottenUpTo,
      estimate: prompt.estimate,
      ...estimateBy(parts.estimates, ladder[0]?.name ?? models[0]),
      cutShort: prompt.cutShort,
      estimatedInputTokens,
      ladder,
      ...(routing === undefined ? {} : { routing }),
      ...(plan === undefined ? {} : { plan }),
      ...(weighed === undefined ? {} : { weighed: { ...weighed, promptTokens: estimatedInputTokens } }),
      productIds,
      ...firstChoiceOf(asking),
    }
  }
}

function estimateBy(estimates: Pick<Estimates, 'statusOf'>, model: string | undefined): Pick<Routed, 'estimateBy'> {
  const status = model === undefined ? undefined : estimates.statusOf(model)
  if (model === undefined || status === undefined) return {}
  const { confidence, family, method } = status
  return { estimateBy: { model, method, family, confidence } }
}

function firstChoiceOf({ models, routing }: Pick<Asking, 'models' | 'routing'>): Pick<Routed, 'firstChoice'> {
  const firstChoice = routing?.choice?.first ?? models[0]
  return firstChoice === undefined ? {} : { firstChoice }
}

/** Turns are counted from the first of the conversation; the history may be only its end. */
function forgottenUpTo({ start, history }: Grounded, leftOut: number): number {
  return leftOut === 0 ? 0 : Math.max(0, start.sessionVersion - history.length + leftOut)
}

/** The caller's own prompt; a caller that names no temperature gets the vendor's own. */
function completionAsking({ completion }: CompletionStart): Asking {
  const { models, temperature } = completion
  return {
    models,
    ...(temperature === undefined ? {} : { temperature }),
    prompt: (counter) => ownPrompt(completion, counter),
  }
}

/** The caller's own prompt: the messages before the last are its history. */
function ownPrompt({ system, messages }: Pick<Prompt, 'system' | 'messages'>, counter: TokenCounter): Prompt {
  const total = counter.prompt({ system, messages })
  const message = counter.text(messageText(messages.at(-1)))
  const history = messages.length === 1 ? 0 : Math.max(0, total - counter.text(system) - message)
  const estimate = { system: counter.text(system), retrieval: 0, history, message, total }
  return { system, messages, forgottenUpTo: 0, estimate, cutShort: [] }
}

/** A model's output limit after this much input. */
function roomIn({ model }: Omit<Rung, 'maxOutputTokens'>, inputTokens: number): number {
  const { contextTokensMax = Number.POSITIVE_INFINITY, outputTokensMax = Number.POSITIVE_INFINITY } = model.facts ?? {}
  return Math.min(outputTokensMax, contextTokensMax - inputTokens)
}
