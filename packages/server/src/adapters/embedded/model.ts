// The built-in responder behind the model port: it answers from the retrieved grounding, in both languages, and streams
// like a model. It needs no account and no network, and never names a product that the store does not have.
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { CANCELLED, modelError } from '#domain/model/model-part.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model, ModelPart, ModelRequest } from '#ports/model/port.ts'
import { compose } from '@mangaassist/bookseller/dialogue/compose'

export const EMBEDDED_MODEL_ID = 'mangaassist-embedded-1'

export interface EmbeddedModelParts {
  readonly clock: Clock
  /** 0 means without delay. */
  readonly tokensPerSecond: number
}

export function embeddedModel(parts: EmbeddedModelParts): Model {
  return { id: EMBEDDED_MODEL_ID, stream: (request) => stream(parts, request) }
}

async function* stream(
  { clock, tokensPerSecond }: EmbeddedModelParts,
  request: ModelRequest,
): AsyncGenerator<ModelPart> {
  const { grounding, language, signal, maxOutputTokens, shown = '' } = request
  if (signal.aborted) return yield CANCELLED
  const { text } = compose(grounding, language)
  // A continuation composes the whole answer again. If that differs from the shown text, it cannot be continued.
  if (!text.startsWith(shown)) return yield modelError({ class: 'invalid', message: 'another answer was shown' })
  yield { type: 'message-start', model: EMBEDDED_MODEL_ID }
  const pieces = piecesOf(text)
  const spoken = genericCounter.meter()
  let spokenTokens = 0
  let spokenUnits = 0
  let isCut = false
  for (const piece of pieces) {
    spoken.add(piece)
    isCut = spoken.tokens() > maxOutputTokens
    if (isCut) break
    // Text that the shopper already has is not delayed.
    const isNew = spokenUnits >= shown.length
    if (tokensPerSecond > 0 && spokenTokens > 0 && isNew) await pause(clock, 1000 / tokensPerSecond, signal)
    if (signal.aborted) return yield CANCELLED
    yield { type: 'text-delta', text: piece }
    spokenTokens = spoken.tokens()
    spokenUnits += piece.length
  }
  // Counted by the common estimator, so that grant, report and ledger agree.
  const inputTokens = genericCounter.prompt(request)
  yield { type: 'usage', inputTokens, outputTokens: spokenTokens }
  yield { type: 'message-end', stopReason: isCut ? 'length' : 'end' }
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  // An abort wakes it early; the loop checks the signal next.
  await clock.sleep(ms, signal).catch(() => {})
}

/** Cuts the text into pieces of a word or two characters, as models stream it; joined they are the text. */
function piecesOf(text: string): readonly string[] {
  return text.match(/\s*[\p{Script=Latin}\p{N}’'-]+|\s*[^\s\p{Script=Latin}\p{N}]{1,2}|\s+/gu) ?? []
}
