// Asks a model something small that no shopper waits for, and hears it out: all parts of its answer, bounded in time and in
// number. Never throws; used by what runs beside the turns.
import type { ModelPart } from '#domain/model/model-part.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model, ModelRequest } from '#ports/model/port.ts'

/** A model that goes on and on is left long before this many parts are kept. */
const PARTS_MAX = 1000

const TIMEOUT: ModelPart = { type: 'model-error', class: 'timeout', message: 'it ran out of time' }

/** With a timeout at the end of what was not over in time, even by a model that does not listen. */
export async function askBriefly(
  { clock, model }: { readonly clock: Clock; readonly model: Model },
  request: Omit<ModelRequest, 'deadlineAt' | 'signal'>,
  limit: { readonly ms: number; readonly signal: AbortSignal },
): Promise<readonly ModelPart[]> {
  const seen: ModelPart[] = []
  let isOver = false
  try {
    const result = await withDeadline(clock, limit, async (signal) => {
      for await (const part of model.stream({ ...request, deadlineAt: clock.now() + limit.ms, signal })) {
        if (isOver || seen.push(part) === PARTS_MAX) break
      }
    })
    isOver = true
    return result === LATE && !hasEnd(seen) ? [...seen, TIMEOUT] : seen
  } catch (error) {
    // Adapters make parts of their errors; one that throws is broken itself.
    return [...seen, { type: 'model-error', class: 'internal', message: String(error) }]
  }
}

function hasEnd(parts: readonly ModelPart[]): boolean {
  const last = parts.at(-1)?.type
  return last === 'message-end' || last === 'model-error'
}
