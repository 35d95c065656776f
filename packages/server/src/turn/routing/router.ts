// Decides in which order the models of the ladder are asked for a chat turn. The facts come from the turn, its settings from
// the configuration or the arms of experiments; the choice itself is pure (`domain/routing/choose-route.ts`).
import { plainQuestionsIn } from '@mangaassist/bookseller/dialogue/plain-question'
import type { JudgedComplexity } from '@mangaassist/bookseller/understanding/complexity'
import type { SystemPrompts } from '#domain/prompt/system-prompts.ts'
import type { Exposure } from '#domain/experiments/exposure.ts'
import { askedInOrder, chooseRoute, notBelow, plannedRoute, RESPONDER } from '#domain/routing/choose-route.ts'
import type { RouteFacts, RouteState } from '#domain/routing/choose-route.ts'
import type { TurnRouting, WeighedQuestion } from '#domain/routing/route-choice.ts'
import type { RoutingSettings } from '#domain/routing/routing-settings.ts'
import type { Grounded, RoutePlan } from '../turn.ts'

/** What the configuration, or the arms that the turn is in, say about its route. */
interface TurnSettings {
  readonly routing: RoutingSettings
  readonly exposures: readonly Exposure[]
  /** Who is assigned to arms. */
  readonly unit: string
  /** What an arm has in place of the configured prompts, temperature and longest answer. */
  readonly prompts?: SystemPrompts
  readonly temperature?: number
  readonly outputTokensMax?: number
}

export interface RouterParts {
  readonly settingsFor: (grounded: Grounded) => TurnSettings
  readonly judge: (grounded: Grounded, options: { readonly sureFrom: number }) => JudgedComplexity
  readonly stateOf: (grounded: Grounded) => RouteState
  /** Whether there is a responder that could answer without a model. */
  readonly hasResponder: boolean
}

export interface TurnRoute extends Pick<TurnSettings, 'prompts' | 'temperature' | 'outputTokensMax'> {
  /** Every model of the ladder, in the order in which they are asked. */
  readonly models: readonly string[]
  /** Also while routing is off: turn records are replayed with it. */
  readonly weighed: Omit<WeighedQuestion, 'promptTokens'>
  readonly routing?: TurnRouting
  readonly plan?: RoutePlan
}

export type Router = (grounded: Grounded, ladder: readonly string[]) => TurnRoute

export function createRouter(parts: RouterParts): Router {
  function weigh(grounded: Grounded, { sureFrom }: RoutingSettings): TurnRoute['weighed'] {
    const mayBePlain = parts.hasResponder && grounded.missing.length === 0
    return {
      judged: parts.judge(grounded, { sureFrom }),
      plain: mayBePlain ? plainQuestionsIn(grounded.grounding) : [],
    }
  }

  function factsOf(grounded: Grounded, weighed: TurnRoute['weighed']): RouteFacts {
    const { escalation, start } = grounded
    return {
      ...weighed,
      ...(escalation === undefined ? {} : { escalation }),
      userTier: start.principal.tier,
      language: start.language,
      ...(start.page?.path === undefined ? {} : { path: start.page.path }),
      now: parts.stateOf(grounded),
    }
  }

  return function route(grounded, ladder) {
    const { routing: settings, exposures, unit, ...own } = parts.settingsFor(grounded)
    const weighed = weigh(grounded, settings)
    const longest = own.outputTokensMax === undefined ? {} : { outputTokensMax: own.outputTokensMax }
    if (!settings.enabled)
      return {
        ...own,
        models: ladder,
        weighed,
        ...(exposures.length === 0 ? {} : offRoute(ladder, { exposures, unit }, longest)),
      }
    const facts = factsOf(grounded, weighed)
    const choice = chooseRoute(facts, settings)
    const planned = plannedRoute(facts, settings)
    // If the responder has nothing to say, the models are asked as if the question needed one.
    const withModel = { ...facts, plain: [] }
    const isAlone = choice.first === RESPONDER && choice.rule === 'no-model'
    const { first } = isAlone ? chooseRoute(withModel, settings) : choice
    const cached = isAlone ? plannedRoute(withModel, settings) : planned
    const escalated = choice.rule === 'escalated' && facts.escalation !== undefined
    return {
      ...own,
      models: askedInOrder(first, ladder),
      weighed,
      routing: { choice, ...(escalated ? { escalation: facts.escalation } : {}), exposures, unit },
      plan: {
        order: askedInOrder(cached.first, ladder),
        notBelow: notBelow(first, ladder),
        arms: exposures,
        ...longest,
        ...(isAlone ? { isAlone } : {}),
      },
    }
  }
}

/** The ladder's own order, in an arm of an experiment. */
function offRoute(
  ladder: readonly string[],
  routing: Pick<TurnRouting, 'exposures' | 'unit'>,
  longest: Pick<RoutePlan, 'outputTokensMax'>,
): Pick<TurnRoute, 'routing' | 'plan'> {
  return { routing, plan: { order: ladder, arms: routing.exposures, ...longest } }
}
