// Assembles the router: the settings of each turn, what is known of the moment, and the judgement of complexity.
import { judgeComplexity } from '@mangaassist/bookseller/understanding/complexity/judge'
import type { Config } from '#config/config.ts'
import { shareLeft } from '#domain/budget/quota.ts'
import { wordsBy } from '#domain/turn/deadline.ts'
import { createRouter } from '#turn/routing/router.ts'
import type { Router } from '#turn/routing/router.ts'
import type { Ports } from './app-ports.ts'
import type { Experiments } from './assemble-experiments.ts'
import type { LaneAccess } from './assemble-lanes.ts'
import { hasResponder } from './ladder.ts'
import type { Ladder } from './ladder.ts'

export interface RoutingParts {
  readonly ladder: Ladder
  readonly access: Pick<LaneAccess, 'works'>
  readonly experiments: Pick<Experiments, 'settingsFor'>
}

export function createRouting(ports: Ports, config: Config, parts: RoutingParts): Router {
  const { whole } = parts.ladder
  return createRouter({
    settingsFor: parts.experiments.settingsFor,
    judge: ({ grounding: { reading }, start: { message } }, options) =>
      judgeComplexity({ message, reading }, ports.complexity, options),
    stateOf: ({ quota, start }) => ({
      timeLeftMs: wordsBy(start.deadlines, false, config.deadlines) - ports.clock.now(),
      budgetLeft: shareLeft(quota),
      lanesDown: whole.filter((rung) => !parts.access.works(rung)).map(({ name }) => name),
    }),
    hasResponder: hasResponder(ports, parts.ladder),
  })
}
