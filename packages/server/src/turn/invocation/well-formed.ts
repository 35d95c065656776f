// The grammar of a model's stream, asserted in one place: `message-start (reasoning-delta | text-delta | usage)* end`, or an
// error alone. A stream that breaks it, or stops without an end, becomes a `stream-broken` error here, so that
// nobody downstream can take a cut answer for a whole one.
import type { ModelPart } from '#ports/model/port.ts'

function broken(message: string): ModelPart {
  return { type: 'model-error', class: 'stream-broken', message }
}

/** Passes on to `take` what is well formed: exactly one end comes out, and last. */
export function wellFormed(take: (part: ModelPart) => void): {
  next(part: ModelPart): void
  /** The stream has stopped. */
  end(): void
} {
  let started = false
  let ended = false
  const pass = (part: ModelPart) => {
    ended = part.type === 'message-end' || part.type === 'model-error'
    take(part)
  }
  return {
    next(part) {
      if (ended) return
      if (part.type === 'message-start') {
        if (started) return pass(broken('a second message-start'))
        started = true
      } else if (!started && part.type !== 'model-error') {
        return pass(broken(`${part.type} before message-start`))
      }
      pass(part)
    },
    end() {
      if (!ended) pass(broken('the stream stopped without an end'))
    },
  }
}
