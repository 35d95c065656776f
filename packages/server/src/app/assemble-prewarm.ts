// Assembles the prewarm of release days. It comes after answering, whose cache it fills.
import type { Config } from '#config/config.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import { sharesOf } from '#domain/turn/first-word.ts'
import type { NodeWatch } from '#services/nodes.ts'
import { createGather } from '#turn/context/gather.ts'
import { createDueReleases } from '#turn/prewarm/due-releases.ts'
import { createPrewarm } from '#turn/prewarm/prewarm.ts'
import { createPrewarmQuestion } from '#turn/prewarm/prewarm-question.ts'
import type { Grounded, Routed } from '#turn/turn.ts'
import type { Ports } from './app-ports.ts'
import type { Answering } from './assemble-answering.ts'
import type { Retrieval } from './assemble-context.ts'
import type { LaneAccess } from './assemble-lanes.ts'
import type { Ladder } from './ladder.ts'
import { firstModels } from './taken-route.ts'
import type { Round } from './upkeep.ts'

export interface PrewarmAssembly {
  readonly ladder: Ladder
  readonly access: LaneAccess
  readonly retrieval: Retrieval
  readonly answering: Pick<Answering, 'answers' | 'isReady' | 'makeAnswer'>
  readonly route: (grounded: Grounded) => Routed
  readonly draining: AbortSignal
  readonly nodes: Pick<NodeWatch, 'leads'>
  readonly settings: Pick<RunSettings, 'isOff'>
}

const EVERY_MS = 30_000

export function createPrewarming(
  ports: Ports,
  config: Config,
  parts: PrewarmAssembly,
): { readonly rounds: readonly Round[]; readonly ask: (day: string) => void } {
  const { clock, products, random, sessions, tasks, telemetry } = ports
  const { answering, draining, ladder, route } = parts
  const { circuits, lookUp } = parts.retrieval
  const { answers, isReady, makeAnswer } = answering
  const gather = createGather({ clock, circuits, sessions, config, lookUp })
  const firsts = firstModels(config, ladder)
  const prewarm = createPrewarm({
    clock,
    telemetry,
    tasks,
    leads: () => parts.nodes.leads(),
    config,
    owner: () => random.id('node'),
    dueReleases: createDueReleases({ products, questionsMax: config.store.prewarm.questionsMax }),
    async lookUp({ message, language }, signal) {
      const limit = { ms: sharesOf(config.answers.firstWordMs).retrievalMs, signal }
      const question = { message, language, history: [], limit: config.tokens.retrieved }
      // A search that is late or down is reported by its circuit; the question is then looked up when it is asked.
      await circuits.search.run(limit, (own) => lookUp.find(question, own)).catch(() => {})
    },
    ask: createPrewarmQuestion({ clock, random, config, gather, route, answers, makeAnswer }),
    // Which of them a question needs is known only after it is understood.
    isReady: () => firsts.length > 0 && firsts.every(isReady),
    draining,
  })
  const work = async () => (parts.settings.isOff('prewarm') ? undefined : prewarm.round())
  return { rounds: [{ name: 'prewarm', everyMs: EVERY_MS, work }], ask: prewarm.ask }
}
