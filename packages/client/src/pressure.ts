// The state of backpressure, for the whole client: during a `pause` no question is sent, new or repeated; under `slow`
// questions are spaced out. Reading and stopping are never held. If clients did not obey, their retries together would
// prevent an overloaded server from recovering.
import type { BackpressureFrame } from '@mangaassist/protocol'
import { deferred } from './deferred.ts'
import { pauseFor, unlessAborted } from './wait.ts'

type State =
  | { readonly type: 'none' }
  | { readonly type: 'slow'; readonly intervalMs: number }
  | { readonly type: 'pause'; readonly untilMs: number }

export interface Pressure {
  apply(frame: BackpressureFrame): void
  /** There is a new socket, perhaps to another node. A pause still holds; `slow` ends, and the new node may send it. */
  reconnected(): void
  isPaused(): boolean
  /** How long a new question would have to wait now; 0 when it may be sent. */
  holdMs(): number
  /** Resolves when a new question may be sent, and counts it as sent. */
  waitToSend(signal?: AbortSignal): Promise<void>
  /** Resolves when there is no pause. */
  pauseOver(): Promise<void>
}

/** Random share that is added to the server's wait, and never subtracted: thousands may have got the same wait. */
const jitterShare = 0.2

export interface PressureOptions {
  /** Aborts when the client is closed: everything that waits throws its reason. */
  readonly closing: AbortSignal
  /** A pause has passed, or `slow` ended with its socket, without a frame that says so. */
  readonly onLifted: () => void
}

export function createPressure({ closing, onLifted }: PressureOptions): Pressure {
  let state: State = { type: 'none' }
  let changed = deferred()
  let askedAtMs = 0

  function enter(next: State): void {
    state = next
    changed.resolve()
    changed = deferred()
  }

  function lift(): void {
    enter({ type: 'none' })
    onLifted()
  }

  async function pass(pause: State & { type: 'pause' }): Promise<void> {
    // A later frame replaces the state, and then that state's wait counts.
    await pauseFor(pause.untilMs - Date.now(), changed.promise, closing)
    if (state === pause) lift()
  }

  function apply({ action, retryAfterMs }: BackpressureFrame): void {
    const ms = Math.round(retryAfterMs * (1 + jitterShare * Math.random()))
    if (action === 'slow') return enter({ type: 'slow', intervalMs: ms })
    if (action === 'none') return enter({ type: 'none' })
    const pause = { type: 'pause', untilMs: Date.now() + ms } as const
    enter(pause)
    pass(pause).catch(() => {})
  }

  function holdMs(): number {
    if (state.type === 'none') return 0
    // At least 1 while paused: the timer may be late, and the state decides.
    if (state.type === 'pause') return Math.max(1, state.untilMs - Date.now())
    // A clock that was set back must not make the wait longer.
    return Math.min(state.intervalMs, Math.max(0, askedAtMs + state.intervalMs - Date.now()))
  }

  return {
    apply,
    reconnected: () => state.type === 'slow' && lift(),
    isPaused: () => state.type === 'pause',
    holdMs,
    async waitToSend(signal) {
      const either = signal === undefined ? closing : AbortSignal.any([closing, signal])
      either.throwIfAborted()
      for (let ms = holdMs(); ms > 0; ms = holdMs()) await pauseFor(ms, changed.promise, either)
      askedAtMs = Date.now()
    },
    async pauseOver() {
      while (state.type === 'pause') await unlessAborted(changed.promise, closing)
    },
  }
}
