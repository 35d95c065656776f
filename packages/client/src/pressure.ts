// What a busy server asked of its clients, kept for the whole client: during a `pause` no question goes out, first or
// again; under `slow` they keep a distance. Reading and stopping are never held. One client that does not obey is
// nothing; all of them at once are the storm that keeps a server down.
import type { BackpressureFrame } from '@mangaassist/protocol'
import { deferred } from './deferred.ts'
import { pauseFor, unlessAborted } from './wait.ts'

type State =
  | { readonly type: 'none' }
  | { readonly type: 'slow'; readonly distanceMs: number }
  | { readonly type: 'pause'; readonly untilMs: number }

export interface Pressure {
  heard(frame: BackpressureFrame): void
  /** A new socket, perhaps to another node: a pause still holds, but what `slow` it wants it will say itself. */
  renewed(): void
  isPaused(): boolean
  /** What a new question would have to wait now; 0 when it may go. */
  holdMs(): number
  /** Resolves when a new question may go, which then counts as gone. */
  turn(signal?: AbortSignal): Promise<void>
  /** Resolves when there is no pause. */
  pauseOver(): Promise<void>
}

/** Added at random to what the server says, never taken off: it may have told thousands the same. */
const jitterShare = 0.2

export interface PressureOptions {
  /** The client's end: all that waits throws its reason. */
  readonly closing: AbortSignal
  /** A pause has passed by itself, or a `slow` with its socket. */
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
    // A later frame makes it another state, whose own wait counts.
    await pauseFor(pause.untilMs - Date.now(), changed.promise, closing)
    if (state === pause) lift()
  }

  function heard({ action, retryAfterMs }: BackpressureFrame): void {
    const ms = Math.round(retryAfterMs * (1 + jitterShare * Math.random()))
    if (action === 'slow') return enter({ type: 'slow', distanceMs: ms })
    if (action === 'none') return enter({ type: 'none' })
    const pause = { type: 'pause', untilMs: Date.now() + ms } as const
    enter(pause)
    pass(pause).catch(() => {})
  }

  function holdMs(): number {
    if (state.type === 'none') return 0
    // Not 0 before its timer says so: the state is what counts.
    if (state.type === 'pause') return Math.max(1, state.untilMs - Date.now())
    // A clock that was set back must not make it longer.
    return Math.min(state.distanceMs, Math.max(0, askedAtMs + state.distanceMs - Date.now()))
  }

  return {
    heard,
    renewed: () => state.type === 'slow' && lift(),
    isPaused: () => state.type === 'pause',
    holdMs,
    async turn(signal) {
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
