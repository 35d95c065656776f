// The vectors of questions: at most one call for each text at a time, within a short deadline. The same words are asked again by the
// next search of a turn and by other shoppers, so vectors are cached, and a text that just failed is not tried again at once.
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import { NEVER } from '#lib/async/never.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { embeddedText } from './documents.ts'
import type { GuardedAnswer, GuardedEmbedder } from './guarded-embedder.ts'

export interface QuestionVectorsParts {
  readonly guarded: GuardedEmbedder
  readonly clock: Pick<Clock, 'now'>
  readonly telemetry: Pick<Telemetry, 'count'>
  /** How long a question waits. */
  readonly ms: number
}

export interface QuestionVectors {
  /** Undefined when there is none in time. Never rejects. */
  of(text: string): Promise<Float32Array | undefined>
  /** What the last call failed of; undefined after a success. */
  failed(): Exclude<GuardedAnswer, { readonly kind: 'vectors' }> | undefined
}

const CACHED_MAX = 500
/** As long as one turn searches. */
const FAILED_MS = 1000

export function questionVectors({ guarded, clock, telemetry, ms }: QuestionVectorsParts): QuestionVectors {
  const cached = new BoundedMap<string, Float32Array>(CACHED_MAX)
  const failedAt = new BoundedMap<string, number>(CACHED_MAX)
  const inFlight = new Map<string, Promise<Float32Array | undefined>>()
  let failed: Exclude<GuardedAnswer, { readonly kind: 'vectors' }> | undefined

  async function ask(text: string): Promise<Float32Array | undefined> {
    const answer = await guarded.embed([text], { purpose: 'question', ms, signal: NEVER })
    telemetry.count('embedder_questions_total', { outcome: answer.kind === 'vectors' ? 'embedded' : answer.kind })
    if (answer.kind !== 'vectors') {
      failed = answer
      failedAt.set(text, clock.now())
      return undefined
    }
    failed = undefined
    cached.set(text, answer.vectors[0]!)
    return answer.vectors[0]
  }

  return {
    failed: () => failed,
    async of(asked) {
      const text = embeddedText(asked)
      const known = cached.get(text)
      if (known !== undefined) {
        telemetry.count('embedder_questions_total', { outcome: 'cached' })
        return known
      }
      if (clock.now() - (failedAt.get(text) ?? Number.NEGATIVE_INFINITY) < FAILED_MS) return undefined
      const vector = inFlight.get(text) ?? ask(text).finally(() => inFlight.delete(text))
      inFlight.set(text, vector)
      return vector
    },
  }
}
