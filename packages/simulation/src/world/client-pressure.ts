// What our client library does with backpressure (`packages/client/src/pressure.ts`), in virtual time: during a pause no
// question is sent, new or repeated, and under `slow` questions are spaced out. A clock and chance of its own, because the
// library uses those of its platform.
import type { BackpressureFrame } from '@mangaassist/protocol'
import type { SeededRandom } from '../virtual/random.ts'
import type { VirtualTime } from '../virtual/time.ts'

export interface ClientPressureParts {
  readonly time: Pick<VirtualTime, 'now' | 'after'>
  readonly random: Pick<SeededRandom, 'float'>
}

/** As in the library: added to the server's wait, never subtracted. */
const JITTER_SHARE = 0.2

export class ClientPressure {
  readonly #parts: ClientPressureParts
  #action: BackpressureFrame['action'] = 'none'
  #untilMs = 0
  #intervalMs = 0
  #sentMs = -Infinity
  #held: (() => void)[] = []

  constructor(parts: ClientPressureParts) {
    this.#parts = parts
  }

  apply({ action, retryAfterMs }: BackpressureFrame): void {
    const { random, time } = this.#parts
    const ms = Math.round(retryAfterMs * (1 + JITTER_SHARE * random.float()))
    this.#action = action
    if (action === 'slow') this.#intervalMs = ms
    if (action !== 'pause') return this.#release()
    const untilMs = time.now() + ms
    this.#untilMs = untilMs
    time.after(ms, () => {
      if (this.#action === 'pause' && this.#untilMs === untilMs) this.#lift()
    })
  }

  /** On a new connection a pause still holds; `slow` ends. */
  reconnected(): void {
    if (this.#action === 'slow') this.#lift()
  }

  /** Runs `send` now, or when a question may be sent. Returns whether it is held. */
  whenOpen(send: () => void): boolean {
    const waitMs = this.#waitMs()
    if (waitMs === 0) this.#send(send)
    else {
      this.#held.push(send)
      if (this.#action === 'slow') this.#parts.time.after(waitMs, () => this.#release())
    }
    return waitMs > 0
  }

  #waitMs(): number {
    const now = this.#parts.time.now()
    if (this.#action === 'pause') return Math.max(1, this.#untilMs - now)
    return this.#action === 'slow' ? Math.max(0, this.#sentMs + this.#intervalMs - now) : 0
  }

  #lift(): void {
    this.#action = 'none'
    this.#release()
  }

  #release(): void {
    const held = this.#held
    this.#held = []
    for (const send of held) this.whenOpen(send)
  }

  #send(send: () => void): void {
    this.#sentMs = this.#parts.time.now()
    send()
  }
}
