// The route of one question, and what decides it.
import { plainQuestionsIn } from '@mangaassist/bookseller/dialogue/plain-question'
import type { PlainQuestion } from '@mangaassist/bookseller/dialogue/plain-question'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { COMPLEXITIES } from '@mangaassist/bookseller/understanding/complexity'
import { judgeComplexity } from '@mangaassist/bookseller/understanding/complexity/judge'
import { chooseRoute } from '#domain/routing/choose-route.ts'
import type { RouteChoice } from '#domain/routing/route-choice.ts'
import type { RoutingSettings } from '#domain/routing/routing-settings.ts'
import { NEVER } from '#lib/async/never.ts'
import { readComplexity } from '#wiring/bundled-data.ts'
import { wireSearches } from '#wiring/profiles/look-up.ts'

export interface ExplainedRoute extends RouteChoice {
  readonly plain: readonly PlainQuestion[]
  readonly act: string
  readonly isEnabled: boolean
}

export interface RouteQuestion {
  readonly message: string
  readonly userTier: string
  readonly path?: string
}

const RETRIEVED = 5

export async function explainRoute(
  { message, userTier, path }: RouteQuestion,
  { dataDir, routing }: { readonly dataDir: string; readonly routing: RoutingSettings },
): Promise<ExplainedRoute> {
  using searches = await wireSearches({ dataDir })
  const language = detectLanguage(message)
  const grounding = await searches.lookUp.find({ message, language, history: [], limit: RETRIEVED }, NEVER)
  const { reading } = grounding
  const plain = plainQuestionsIn(grounding)
  const choice = chooseRoute(
    {
      judged: judgeComplexity({ message, reading }, await readComplexity(), routing),
      plain,
      userTier,
      language: grounding.language,
      ...(path === undefined ? {} : { path }),
      now: { timeLeftMs: Number.POSITIVE_INFINITY, budgetLeft: 1, lanesDown: [] },
    },
    routing,
  )
  return { ...choice, plain, act: reading.act, isEnabled: routing.enabled }
}

export function describeRoute({ act, isEnabled, judged, plain, rule, why }: ExplainedRoute): string {
  const { floor, level, probabilities } = judged
  const shares = COMPLEXITIES.map((name) => `${name} ${probabilities[name].toFixed(2)}`).join(', ')
  return [
    why,
    '',
    `level   ${level} (${shares})`,
    `floor   ${floor}, by the length and the words of the message`,
    `rule    ${rule}`,
    `plain   ${plain.length === 0 ? 'no: a model is needed' : `${plain.join(', ')}: routing.withoutModel can leave it to the built-in responder`}`,
    `act     ${act}`,
    ...(isEnabled ? [] : ['', 'Routing is off (routing.enabled): the ladder is asked from its top.']),
  ].join('\n')
}
