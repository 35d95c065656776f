// The grammar of a model's stream, asserted in one place: `message-start (text-delta | usage)* end`, or an
// error alone. A stream that breaks it, or stops without an end, becomes a `stream-broken` error here, so that
// nobody downstream can take a cut answer for a whole one.
import type { ModelPart } from '#ports/model.ts'

const isEnd = (part: ModelPart): boolean => part.type === 'message-end' || part.type === 'model-error'

function broken(message: string): ModelPart {
  return { type: 'model-error', class: 'stream-broken', message }
}

export async function* wellFormed(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  let started = false
  for await (const part of parts) {
    if (part.type === 'message-start') {
      if (started) return yield broken('a second message-start')
      started = true
    } else if (!started && part.type !== 'model-error') {
      return yield broken(`${part.type} before message-start`)
    }
    yield part
    if (isEnd(part)) return
  }
  yield broken('the stream stopped without an end')
}
