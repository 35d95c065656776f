// Embeds many texts in calls of bounded size and number, each tried again as a model's would be. The first call that fails for good
// ends the others; what they brought is returned.
import { quantised } from '@mangaassist/bookseller/retrieval/shelf-entry'
import { BACKOFFS } from '#domain/retry/backoff.ts'
import { attemptsAfter } from '#domain/retry/retryable.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { EmbedPurpose } from '#ports/embedder/port.ts'
import type { GuardedAnswer, GuardedEmbedder } from './guarded-embedder.ts'

export interface EmbedTextsParts {
  readonly guarded: GuardedEmbedder
  readonly clock: Clock
  /** Uniform in [0, 1). */
  readonly float: () => number
  /** Calls in flight. */
  readonly callsMax: number
  readonly signal: AbortSignal
}

export interface EmbeddedTexts {
  /** By text. */
  readonly vectors: ReadonlyMap<string, Float32Array>
  /** Why not all texts have a vector. */
  readonly failure?: string
}

/** A call for many texts may take longer than a question: no shopper waits for it. */
const CALL_MS = 30_000
/** After a call that was late, or that an open circuit refused. */
const ATTEMPTS_MAX = 3
const BACKOFF = { baseMs: 500, capMs: 20_000 }
/** A vendor that asks for a longer pause is asked again in a later round. */
const RETRY_AFTER_MAX_MS = 60_000

export async function embedTexts(
  parts: EmbedTextsParts,
  texts: readonly string[],
  purpose: EmbedPurpose,
): Promise<EmbeddedTexts> {
  const size = parts.guarded.embedder.textsPerCallMax
  const calls = Array.from({ length: Math.ceil(texts.length / size) }, (_, call) =>
    texts.slice(call * size, (call + 1) * size),
  )
  const vectors = new Map<string, Float32Array>()
  let failure: string | undefined
  async function work(): Promise<void> {
    for (let call = calls.shift(); call !== undefined && failure === undefined; call = calls.shift()) {
      const answer = await patiently(parts, call, purpose)
      if (answer.kind === 'vectors') for (const [at, text] of call.entries()) vectors.set(text, answer.vectors[at]!)
      else failure ??= reasonOf(answer)
    }
  }
  await Promise.all(Array.from({ length: Math.min(parts.callsMax, calls.length) }, work))
  return failure === undefined ? { vectors } : { vectors, failure }
}

export const CIRCUIT_OPEN = 'the circuit of the embedder is open'

export const asBytes = (vector: Float32Array): Int8Array => quantised(vector)

export function reasonOf(answer: Exclude<GuardedAnswer, { readonly kind: 'vectors' }>): string {
  if (answer.kind === 'late') return 'no answer in time'
  if (answer.kind === 'refused') return CIRCUIT_OPEN
  return `${answer.failure.class}: ${answer.failure.message}`
}

async function patiently(
  { clock, float, guarded, signal }: EmbedTextsParts,
  texts: readonly string[],
  purpose: EmbedPurpose,
): Promise<GuardedAnswer> {
  let backoff = BACKOFFS.decorrelated(BACKOFF)
  let cause: GuardedAnswer | undefined
  for (let attempt = 1; ; attempt += 1) {
    const answer = await guarded.embed(texts, { purpose, ms: CALL_MS, signal })
    if (answer.kind === 'vectors') return answer
    // An open circuit says less than what opened it.
    cause = answer.kind === 'refused' ? (cause ?? answer) : answer
    const attempts = answer.kind === 'failed' ? attemptsAfter(answer.failure.class) : ATTEMPTS_MAX
    const asked = answer.kind === 'failed' ? (answer.failure.retryAfterMs ?? 0) : 0
    if (attempt >= attempts || asked > RETRY_AFTER_MAX_MS || signal.aborted) return cause
    const next = backoff.next(float())
    backoff = next.backoff
    try {
      await clock.sleep(Math.max(next.delayMs, asked), signal)
    } catch {
      return cause
    }
  }
}
