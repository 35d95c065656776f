// The two ways to begin a turn, through the entry gate: a shopper's question, and a caller's own prompt. A blocked caller
// gets neither.
import { dayOf } from '#domain/budget/day.ts'
import type { QuotaState } from '#domain/budget/quota.ts'
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Blocks } from '#services/operators/blocks.ts'
import type { Limits } from '#services/principal-limits.ts'
import { priorityOfTier } from '#turn/invocation/priority-of.ts'
import type { WaitingQueue } from '#turn/invocation/waiting-queue.ts'
import type { CompletionAsked, Received } from '#turn/turn.ts'
import type { Turns } from './assemble-turns.ts'
import type { EntryGate } from './entry-gate.ts'

export interface Accepted {
  readonly turnId: string
  readonly sessionId: string
  readonly duplicate: boolean
  readonly quota: QuotaState
  /** The expected duration of the answer at admission; absent for a duplicate. */
  readonly expectedMs?: number
}

export interface AskingParts {
  readonly budgets: Pick<Budgets, 'quota'>
  readonly clock: Pick<Clock, 'now'>
  readonly config: Pick<Config, 'store'>
  readonly limits: Pick<Limits, 'of'>
  readonly gate: Pick<EntryGate, 'enter'>
  readonly queue: Pick<WaitingQueue, 'canDisplace'>
  readonly turns: Pick<Turns, 'admit' | 'admitCompletion' | 'run'>
  readonly expectedMs: (outputTokens: number) => number
  /** Answers in flight are finished: a block takes effect with the next question. */
  readonly blocks: Pick<Blocks, 'requireUnblocked'>
  /** Counts admitted questions. */
  readonly meter: { admitted(): void }
}

export interface Asking {
  /** Admits a question. Resolves when it is durable; the turn then runs by itself. Throws a Refusal. */
  chat(received: Received): Promise<Accepted>
  /** Admits a caller's own prompt, for a model and nothing else. Otherwise like `chat`. */
  complete(asked: Omit<CompletionAsked, 'route'> & { readonly route?: CompletionAsked['route'] }): Promise<Accepted>
  quotaOf(principal: Principal): Promise<QuotaState>
}

export function createAsking(parts: AskingParts): Asking {
  const { blocks, budgets, clock, config, limits, gate, turns } = parts

  /** A full queue has room for a premium user while others wait in it who may give way. */
  function mayDisplace({ tier }: Principal): boolean {
    return priorityOfTier(tier) === 'high' && parts.queue.canDisplace()
  }

  async function quotaOf(principal: Principal): Promise<QuotaState> {
    return budgets.quota(principal.id, await limits.of(principal), dayOf(clock.now(), config.store.timeZone))
  }

  return {
    quotaOf,
    async chat(received) {
      blocks.requireUnblocked(received.principal)
      const asked = await gate.enter(['global', 'chat'], received, async (full) => {
        const admission = await turns.admit(received, mayDisplace(received.principal) ? undefined : full)
        if (admission.kind === 'duplicate') return { ...admission, quota: undefined }
        // Read before the turn runs: a running turn would be counted as one that this turn waits for.
        const expectedMs = parts.expectedMs(admission.turn.start.hold.granted.outputTokens)
        turns.run(admission.turn)
        parts.meter.admitted()
        return { ...admission, quota: admission.turn.quota, expectedMs }
      })
      if (asked.kind === 'duplicate') {
        const { turnId, sessionId } = asked
        return { turnId, sessionId, duplicate: true, quota: await quotaOf(received.principal) }
      }
      const { start, quota } = asked.turn
      const { expectedMs } = asked
      return { turnId: start.turnId, sessionId: start.sessionId, duplicate: false, quota, expectedMs }
    },
    async complete(asked) {
      blocks.requireUnblocked(asked.principal)
      const { quota, start } = await gate.enter(['global'], asked, async (full) => {
        if (full !== undefined && !mayDisplace(asked.principal)) throw full
        const turn = await turns.admitCompletion({ ...asked, route: asked.route ?? 'v1' })
        turns.run(turn)
        parts.meter.admitted()
        return turn
      })
      return { turnId: start.turnId, sessionId: start.sessionId, duplicate: false, quota }
    },
  }
}
