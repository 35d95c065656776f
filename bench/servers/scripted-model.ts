// A model for measurements: the same deltas at the same pace for every caller, and no work of its own.
import type { Clock } from '../../packages/server/src/ports/clock/port.ts'
import type { Model } from '../../packages/server/src/ports/model/port.ts'

export const DELTAS = 64
export const DELTA_MS = 5
export const DELTA_TEXT = '漫画のことば'

export function scriptedModel(clock: Clock): Model {
  return {
    id: 'scripted',
    async *stream({ signal }) {
      yield { type: 'message-start', model: 'scripted' }
      for (let index = 0; index < DELTAS; index += 1) {
        if (index > 0) await clock.sleep(DELTA_MS, signal)
        yield { type: 'text-delta', text: DELTA_TEXT }
      }
      yield { type: 'usage', inputTokens: 100, outputTokens: DELTAS }
      yield { type: 'message-end', stopReason: 'end' }
    },
  }
}
