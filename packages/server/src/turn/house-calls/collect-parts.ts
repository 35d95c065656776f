// Asks a model something small that no shopper waits for, and collects all parts of its answer, bounded in time and in
// number. Never throws.
import type { ModelPart } from '#domain/model/model-part.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model, ModelRequest } from '#ports/model/port.ts'

export type CollectRequest = Omit<ModelRequest, 'deadlineAt' | 'signal'>

export interface CollectLimit {
  readonly ms: number
  readonly signal: AbortSignal
  /** Called once, when the model begins to think or to write. */
  readonly onAlive?: () => void
}

/** The call is ended when a model sends more parts than this. */
const PARTS_MAX = 1000

const TIMEOUT: ModelPart = { type: 'model-error', class: 'timeout', message: 'it ran out of time' }
const STOPPED: ModelPart = { type: 'model-error', class: 'cancelled', message: 'it was stopped' }

/** An answer that was late, or aborted by the signal, ends in an error part that says so. */
export async function collectParts(
  { clock, model }: { readonly clock: Clock; readonly model: Model },
  request: CollectRequest,
  limit: CollectLimit,
): Promise<readonly ModelPart[]> {
  const seen: ModelPart[] = []
  let isOver = false
  let isAlive = false
  try {
    const result = await withDeadline(clock, limit, async (signal) => {
      for await (const part of model.stream({ ...request, deadlineAt: clock.now() + limit.ms, signal })) {
        if (isOver || seen.push(part) === PARTS_MAX) break
        if (isAlive || !isSignOfLife(part)) continue
        isAlive = true
        limit.onAlive?.()
      }
    })
    isOver = true
    if (result !== LATE || hasEnd(seen)) return seen
    return [...seen, limit.signal.aborted ? STOPPED : TIMEOUT]
  } catch (error) {
    // Adapters return errors as parts; an adapter that throws is defective.
    return [...seen, { type: 'model-error', class: 'internal', message: String(error) }]
  }
}

function isSignOfLife({ type }: ModelPart): boolean {
  return type === 'text-delta' || type === 'reasoning-delta'
}

function hasEnd(parts: readonly ModelPart[]): boolean {
  const last = parts.at(-1)?.type
  return last === 'message-end' || last === 'model-error'
}
