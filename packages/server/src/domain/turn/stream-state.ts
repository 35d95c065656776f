// The life of an answer's stream as one union, and the only way it may go. Whoever runs a turn moves it, telemetry hears
// of every step, and a step that is not in the table is a defect.
import type { FinishReason } from '@mangaassist/protocol'

export type StreamState =
  /** Accepted; no word yet. */
  | { readonly name: 'starting' }
  | { readonly name: 'streaming' }
  /** Words were shown, and whoever spoke them is gone: someone else goes on. */
  | { readonly name: 'paused' }
  /** The text is complete; the books are not yet closed. */
  | { readonly name: 'completing'; readonly finishReason: FinishReason }
  | { readonly name: 'completed'; readonly finishReason: FinishReason }
  /** The shopper stopped it, or nobody was there to read it. */
  | { readonly name: 'cancelled' }
  /** It ended with less than it should have. */
  | { readonly name: 'failed' }

export type StreamEvent =
  | { readonly type: 'word' }
  /** The speaker broke off, and the turn goes on without it. */
  | { readonly type: 'broken-off' }
  | { readonly type: 'text-end'; readonly finishReason: FinishReason }
  | { readonly type: 'settled' }
  /** Another owner has the turn, or nobody can write it any more. */
  | { readonly type: 'lost' }

export const STARTING: StreamState = { name: 'starting' }
/** How the stream of a turn begins that someone else had begun and left. */
export const PAUSED: StreamState = { name: 'paused' }
const STREAMING: StreamState = { name: 'streaming' }
const FAILED: StreamState = { name: 'failed' }

export class ImpossibleStep extends Error {}

export function afterEvent(state: StreamState, event: StreamEvent): StreamState {
  switch (state.name) {
    case 'starting':
    case 'streaming':
    case 'paused':
      return whileSpeaking(state, event)
    case 'completing':
      if (event.type === 'settled') return endOf(state.finishReason)
      if (event.type === 'lost') return FAILED
      break
    case 'completed':
    case 'cancelled':
    case 'failed':
      break
  }
  throw new ImpossibleStep(`a stream that is ${state.name} cannot be told ${event.type}`)
}

function whileSpeaking(state: StreamState, event: StreamEvent): StreamState {
  switch (event.type) {
    case 'word':
      return STREAMING
    case 'broken-off':
      // Without a word shown there is nothing to go on from: it is still starting.
      return state.name === 'starting' ? state : PAUSED
    case 'text-end':
      return { name: 'completing', finishReason: event.finishReason }
    case 'lost':
      return FAILED
    case 'settled':
      throw new ImpossibleStep(`a stream that is ${state.name} cannot be settled: its text has no end`)
  }
}

function endOf(finishReason: FinishReason): StreamState {
  if (finishReason === 'stopped') return { name: 'cancelled' }
  return finishReason === 'interrupted' ? FAILED : { name: 'completed', finishReason }
}
