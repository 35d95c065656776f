// The one poller of the console: it repeats the request of the screen that is shown, and no other. One request at a time, none in
// a hidden tab, slower after each failure, and never sooner than the server allowed.

/** What a poll ended with: the data, or a failure and how long the server asked to wait. */
export type PollResult = { readonly isOk: true } | { readonly isOk: false; readonly retryAfterMs: number }

export interface PollJob {
  /** Null: loaded once, and again only when it is asked for. */
  readonly everyMs: number | null
  run(signal: AbortSignal): Promise<PollResult>
}

export interface PollerParts {
  isHidden(): boolean
  setTimer(run: () => void, ms: number): number
  clearTimer(timer: number): void
}

export interface Poller {
  /** Replaces the job, cancels its request, and polls at once. */
  start(job: PollJob): void
  stop(): void
  /** Polls at once, unless a poll is in flight. */
  pollNow(): void
  /** To be called when the tab is hidden or shown. */
  visibilityChanged(): void
}

/** No screen polls more often, whatever it asks for. */
const POLL_MS_MIN = 1000
const BACKOFF_MS_MAX = 60_000

export function createPoller({ clearTimer, isHidden, setTimer }: PollerParts): Poller {
  let job: PollJob | undefined
  let timer: number | undefined
  let inFlight: AbortController | undefined
  let failures = 0
  /** A poll was due while the tab was hidden. */
  let isDue = false

  function cancelTimer(): void {
    if (timer !== undefined) clearTimer(timer)
    timer = undefined
  }

  function schedule(ms: number): void {
    cancelTimer()
    timer = setTimer(() => void poll(), ms)
  }

  async function poll(): Promise<void> {
    cancelTimer()
    if (job === undefined || inFlight !== undefined) return
    if (isHidden()) {
      isDue = true
      return
    }
    isDue = false
    const [current, abort] = [job, new AbortController()]
    inFlight = abort
    const result = await current.run(abort.signal)
    if (inFlight !== abort) return
    inFlight = undefined
    failures = result.isOk ? 0 : failures + 1
    const waitMs = waitAfter(current.everyMs, result)
    if (waitMs !== undefined) schedule(waitMs)
  }

  function waitAfter(everyMs: number | null, result: PollResult): number | undefined {
    if (result.isOk) return everyMs === null ? undefined : Math.max(everyMs, POLL_MS_MIN)
    const backoffMs = Math.min((everyMs ?? 5 * POLL_MS_MIN) * 2 ** Math.min(failures, 6), BACKOFF_MS_MAX)
    return Math.max(backoffMs, result.retryAfterMs, POLL_MS_MIN)
  }

  function stop(): void {
    cancelTimer()
    inFlight?.abort()
    inFlight = undefined
    job = undefined
    failures = 0
    isDue = false
  }

  return {
    stop,
    start(next) {
      stop()
      job = next
      void poll()
    },
    pollNow: () => void poll(),
    visibilityChanged() {
      if (!isHidden() && isDue) void poll()
    },
  }
}
