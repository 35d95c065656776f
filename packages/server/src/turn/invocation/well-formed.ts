// Enforces the grammar of a model's stream in one place: `message-start (reasoning-delta | text-delta | usage)* end`, or a
// lone error. A stream that breaks it, or stops without an end, becomes a `stream-broken` error here, so that no later code
// can mistake a cut answer for a complete one.
import type { ModelPart } from '#ports/model/port.ts'

function broken(message: string): ModelPart {
  return { type: 'model-error', class: 'stream-broken', message }
}

/** Passes the well-formed parts to `take`: exactly one end, as the last part. */
export function wellFormed(take: (part: ModelPart) => void): {
  next(part: ModelPart): void
  /** Ends the stream. */
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
