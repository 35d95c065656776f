// A model that behaves as models do: paced, with deltas that split surrogate pairs, sometimes failing before a
// word, in the middle, or falling silent. It counts the calls that are alive, so that a call nobody ended is seen.
import type { SeededChance } from '#adapters/virtual/chance.ts'
import type { Clock } from '#ports/clock.ts'
import type { Model, ModelPart, ModelRequest } from '#ports/model.ts'

const SENTENCES = [
  'こちらの作品はいかがでしょうか。',
  'A quiet story about a long road. ',
  '家族👨‍👩‍👧‍👦の話で、泣けます😭。',
  'ﾊﾝｶｸのカナも、か゚の濁点も。',
  'Café naïve — combining e\u0301 stays whole. ',
]

export interface FickleModel extends Model {
  alive(): number
  /** The node that made the calls is dead, and its connections with it. */
  nodeDied(): void
  readonly aborted: { count: number }
}

export function fickleModel(parts: { readonly clock: () => Clock; readonly chance: SeededChance }): FickleModel {
  const calls = new Set<symbol>()
  const aborted = { count: 0 }

  async function* stream({ signal }: ModelRequest): AsyncGenerator<ModelPart> {
    const chance = parts.chance
    const clock = parts.clock()
    const call = Symbol('call')
    calls.add(call)
    signal.addEventListener('abort', () => (aborted.count += 1), { once: true })
    try {
      await clock.sleep(chance.between(5, 1500), signal)
      if (chance.happens(0.06)) return yield failed('throttled')
      yield { type: 'message-start', model: 'fickle' }
      const text = Array.from({ length: chance.between(1, 12) }, () => chance.pick(SENTENCES)).join('')
      const cutAt = chance.happens(0.06) ? chance.between(0, text.length) : Number.POSITIVE_INFINITY
      const silentAt = chance.happens(0.03) ? chance.between(0, text.length) : Number.POSITIVE_INFINITY
      for (let at = 0; at < text.length;) {
        const next = Math.min(text.length, at + chance.between(1, 7))
        if (next > cutAt) return yield failed('stream-broken')
        if (next > silentAt) await clock.sleep(1_000_000, signal)
        await clock.sleep(chance.between(1, 60), signal)
        yield { type: 'text-delta', text: text.slice(at, next) }
        at = next
      }
      if (chance.happens(0.8)) yield { type: 'usage', inputTokens: chance.between(50, 900), outputTokens: text.length }
      yield { type: 'message-end', stopReason: 'end' }
    } catch {
      yield failed('cancelled')
    } finally {
      calls.delete(call)
    }
  }

  return { id: 'fickle', stream, alive: () => calls.size, nodeDied: () => calls.clear(), aborted }
}

function failed(errorClass: 'throttled' | 'stream-broken' | 'cancelled'): ModelPart {
  return { type: 'model-error', class: errorClass, message: errorClass }
}
