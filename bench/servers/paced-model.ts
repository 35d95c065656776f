// A model for measurements: 50 tokens a second for a given time. One ticker serves all calls, spread over its phases,
// so that the model itself costs almost nothing.
import type { Model } from '../../packages/server/src/ports/model/port.ts'

const TOKEN_MS = 20
const PHASES = 20

export function pacedModel(seconds: number): Model {
  const waiting = Array.from({ length: PHASES }, (): (() => void)[] => [])
  let phase = 0
  let calls = 0
  let ticked = Date.now()
  // Follows the clock, not the number of ticks, so that late ticks are caught up.
  setInterval(() => {
    const now = Date.now()
    for (; ticked < now; ticked += TOKEN_MS / PHASES) {
      phase = (phase + 1) % PHASES
      const due = waiting[phase] ?? []
      waiting[phase] = []
      for (const wake of due) wake()
    }
  }, 1).unref()

  return {
    id: 'paced',
    async *stream({ signal }) {
      calls += 1
      const own = waiting[calls % PHASES] === undefined ? 0 : calls % PHASES
      yield { type: 'message-start', model: 'paced' }
      for (let token = 0; token < seconds * 50 && !signal.aborted; token += 1) {
        await new Promise<void>((resolve) => waiting[own]?.push(resolve))
        yield { type: 'text-delta', text: `${Date.now() % 10_000_000} ` }
      }
      yield { type: 'usage', inputTokens: 100, outputTokens: seconds * 50 }
      yield { type: 'message-end', stopReason: 'end' }
    },
  }
}
