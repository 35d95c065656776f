// The clock of one simulated node in virtual time. It can be ahead, pause (timers that fall due meanwhile run on
// resume, in the order of their times), and be cut, after which the node never does anything again.
import { sleepOn } from '@mangaassist/server/lib/time/sleep'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { VirtualTime } from './time.ts'

export class NodeClock implements Clock {
  readonly #time: VirtualTime
  #aheadMs: number
  #isPaused = false
  #isCut = false
  #held: (() => void)[] = []

  constructor(time: VirtualTime, aheadMs = 0) {
    this.#time = time
    this.#aheadMs = aheadMs
  }

  /**
   * How far the clock is ahead of the world. As on a machine, time continues from the last reading when the clock is
   * set back.
   */
  get aheadMs(): number {
    return this.#aheadMs
  }

  set aheadMs(ms: number) {
    this.#aheadMs = Math.max(this.#aheadMs, ms)
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  now = (): number => {
    return this.#time.now() + this.#aheadMs
  }

  machineTime = (): number => this.now()

  after = (ms: number, action: () => void): Disposable => {
    const timer = this.#time.after(ms, () => {
      if (this.#isPaused) this.whenRunning(() => timer.isDisposed || action())
      else if (!this.#isCut) action()
    })
    return timer
  }

  defer = (action: () => void): void => void this.after(0, action)

  sleep = (ms: number, signal?: AbortSignal): Promise<void> => sleepOn(this.after, ms, signal)

  /** Runs the action at once, or on resume if the node is paused; never after a cut. */
  whenRunning = (action: () => void): void => {
    if (this.#isCut) return
    if (this.#isPaused) this.#held.push(action)
    else action()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#time.after(0, () => this.#runHeld())
  }

  cut(): void {
    this.#isCut = true
    this.#held = []
  }

  /**
   * Runs held actions one per event, each with all its consequences; actions that arrive meanwhile queue behind them.
   */
  #runHeld(): void {
    const next = this.#held.shift()
    if (next === undefined) {
      this.#isPaused = false
      return
    }
    this.#time.after(0, () => this.#runHeld())
    next()
  }
}
