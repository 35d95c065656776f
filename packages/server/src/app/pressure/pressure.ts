// The pressure on the server, as sent to its clients: each source reports its state, and the strongest counts. Sources are
// independent (draining, running turns, the models' lanes); the doors listen and send.

export type PressureAction = 'none' | 'slow' | 'pause'

export interface PressureState {
  readonly action: PressureAction
  /** The source, for operators. */
  readonly reason: string
  /** How long clients should wait, before jitter; by default the action's own value. */
  readonly aboutMs: number
}

const strength: Readonly<Record<PressureAction, number>> = { none: 0, slow: 1, pause: 2 }
const aboutMs: Readonly<Record<PressureAction, number>> = { none: 0, slow: 5000, pause: 30_000 }
const NONE: PressureState = { action: 'none', reason: 'none', aboutMs: 0 }
/** Jitter in both directions, so that clients do not return together. */
const JITTER_SHARE = 0.25
/** Clients that were held back are released over at least this. */
export const RELEASE_MS = 3000

export class Pressure {
  readonly #sources = new Map<string, PressureState>()
  readonly #listeners = new Set<(now: PressureState) => void>()
  #now = NONE

  /** The strongest of the sources. */
  get now(): PressureState {
    return this.#now
  }

  /** Sets the state of a source; a repeat changes nothing. */
  say(reason: string, action: PressureAction, holdMs: number = aboutMs[action]): void {
    if (action === 'none') this.#sources.delete(reason)
    else this.#sources.set(reason, { action, reason, aboutMs: holdMs })
    const former = this.#now
    this.#now = [...this.#sources.values()].reduce((a, b) => (strength[b.action] > strength[a.action] ? b : a), NONE)
    if (this.#now.action === former.action) return
    for (const listener of this.#listeners) listener(this.#now)
  }

  /** Calls `listener` whenever the action changes. */
  listen(listener: (now: PressureState) => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }
}

export function isMilder(action: PressureAction, than: PressureAction): boolean {
  return strength[action] < strength[than]
}

/** `ms` with jitter of a quarter in both directions; `float` is uniform in [0, 1). */
export function jittered(ms: number, float: number): number {
  return Math.round(ms * (1 - JITTER_SHARE + 2 * JITTER_SHARE * float))
}

/**
 * How long to hold one client for about `ms`. Pauses that were sent at different times end at the same one, when a circuit may be
 * probed again: a share of what is left of each would release all of them together.
 */
export function heldFor(ms: number, float: number): number {
  return Math.round(ms * (1 - JITTER_SHARE) + Math.max(RELEASE_MS, 2 * JITTER_SHARE * ms) * float)
}
