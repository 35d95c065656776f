// The states of an answer's stream as one union, and the allowed transitions. The owner of a turn applies them, telemetry
// records every transition, and a transition that is not allowed is a defect.
import type { FinishReason } from '@mangaassist/protocol'

export type StreamState =
  /** Admitted; no text was shown yet. */
  | { readonly name: 'starting' }
  | { readonly name: 'streaming' }
  /** Text was shown and its source broke off: another attempt or another owner continues. */
  | { readonly name: 'broken-off' }
  /** The text is complete; the turn is not settled yet. */
  | { readonly name: 'completing'; readonly finishReason: FinishReason }
  | { readonly name: 'completed'; readonly finishReason: FinishReason }
  /** The shopper stopped it, or it had no reader. */
  | { readonly name: 'cancelled' }
  /** It ended without a complete text. */
  | { readonly name: 'failed' }

export type StreamEvent =
  | { readonly type: 'word' }
  /** The attempt broke off, and the turn continues without it. */
  | { readonly type: 'broken-off' }
  | { readonly type: 'text-end'; readonly finishReason: FinishReason }
  | { readonly type: 'settled' }
  /** Another node owns the turn, or its log cannot be written any more. */
  | { readonly type: 'lost' }

export const STARTING: StreamState = { name: 'starting' }
/** The first state of a stream after a takeover. */
export const BROKEN_OFF: StreamState = { name: 'broken-off' }
const STREAMING: StreamState = { name: 'streaming' }
const FAILED: StreamState = { name: 'failed' }

export class ImpossibleStep extends Error {}

export function afterEvent(state: StreamState, event: StreamEvent): StreamState {
  switch (state.name) {
    case 'starting':
    case 'streaming':
    case 'broken-off':
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
  throw new ImpossibleStep(`a stream in state ${state.name} cannot take the event ${event.type}`)
}

function whileSpeaking(state: StreamState, event: StreamEvent): StreamState {
  switch (event.type) {
    case 'word':
      return STREAMING
    case 'broken-off':
      // If no text was shown, the stream stays in `starting`: there is nothing to continue.
      return state.name === 'starting' ? state : BROKEN_OFF
    case 'text-end':
      return { name: 'completing', finishReason: event.finishReason }
    case 'lost':
      return FAILED
    case 'settled':
      throw new ImpossibleStep(`a stream in state ${state.name} cannot be settled: its text has not ended`)
  }
}

function endOf(finishReason: FinishReason): StreamState {
  if (finishReason === 'stopped') return { name: 'cancelled' }
  return finishReason === 'interrupted' ? FAILED : { name: 'completed', finishReason }
}
