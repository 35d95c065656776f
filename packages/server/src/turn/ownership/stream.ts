// The stream state of one running turn: moved only by the table of `domain/turn/stream-state.ts`, reported to telemetry at
// each step, and counted with the others of this process.
import { afterEvent, BROKEN_OFF, STARTING } from '#domain/turn/stream-state.ts'
import type { StreamEvent, StreamState } from '#domain/turn/stream-state.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

interface Stream {
  readonly state: StreamState
  apply(event: StreamEvent): void
}

export interface Streams {
  /** `resumed` when an earlier owner had shown text. */
  begin(resumed: boolean): Stream
  /** How many streams of this process are in which state; ended ones are not counted. */
  counts(): Readonly<Record<string, number>>
}

const ENDED: ReadonlySet<StreamState['name']> = new Set(['completed', 'cancelled', 'failed'])

export function createStreams(telemetry: Telemetry): Streams {
  const counts = new Map<string, number>()
  const count = (state: StreamState, change: 1 | -1) => {
    if (!ENDED.has(state.name)) counts.set(state.name, (counts.get(state.name) ?? 0) + change)
  }

  return {
    begin(resumed) {
      let state = resumed ? BROKEN_OFF : STARTING
      count(state, 1)
      return {
        get state() {
          return state
        },
        apply(event) {
          const next = afterEvent(state, event)
          if (next.name === state.name) return
          telemetry.count('turn_stream_transitions_total', { from: state.name, to: next.name })
          count(state, -1)
          count(next, 1)
          state = next
        },
      }
    },
    counts: () => Object.fromEntries(counts),
  }
}
