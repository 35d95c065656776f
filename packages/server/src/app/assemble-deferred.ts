// Assembles the answering of deferred questions. It comes after the entry gate, because each question passes it like a
// shopper's.
import type { Config } from '#config/config.ts'
import { createAnswerDeferred } from '#turn/deferred/answer-deferred.ts'
import type { AnswerDeferredParts } from '#turn/deferred/answer-deferred.ts'
import type { ModelReturn } from '#turn/deferred/model-return.ts'
import type { Ports } from './app-ports.ts'
import type { Round } from './upkeep.ts'

export interface DeferredParts {
  readonly modelReturn: ModelReturn
  readonly ask: AnswerDeferredParts['ask']
}

export interface DeferredQuestions {
  /** How many questions are deferred, as of the last round. */
  readonly count: () => number
  /** Whether another question can be stored, as of the last round. */
  readonly hasRoom: () => boolean
  readonly rounds: readonly Round[]
}

export function createDeferredQuestions(
  { clock, deferred: store, sessions, telemetry }: Ports,
  config: Config,
  { modelReturn, ask }: DeferredParts,
): DeferredQuestions {
  const { room } = modelReturn
  const answer = createAnswerDeferred({ store, sessions, clock, telemetry, config, room, ask })
  let count = 0

  async function round(): Promise<void> {
    count = await store.count()
    if (count === 0) return
    await modelReturn.check()
    await answer.round()
  }

  const hasRoom = () => count < config.deferred.countMax
  return { count: () => count, hasRoom, rounds: [{ name: 'deferred', everyMs: config.deferred.everyMs, work: round }] }
}
