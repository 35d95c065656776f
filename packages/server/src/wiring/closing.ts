// How a server that serves is closed: once, by what `serve` returns. The lame duck comes first, while everything is open; then what was
// opened is closed in reverse, and the drain is the first of that: turns finish and their readers get the end, then sockets are closed.
import type { App } from '#app/app.ts'
import type { DrainedTurns, Leaving } from '#app/leaving.ts'
import type { Readiness } from '#edge/http/health.ts'
import type { WebSocketDoor } from '#edge/ws/ws.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface ClosingParts {
  readonly app: Pick<App, 'running'> & { readonly leaving: Pick<Leaving, 'cut' | 'drain' | 'lameDuck'> }
  readonly clock: Pick<Clock, 'now'>
  readonly readiness: Readiness
  readonly sockets: Pick<WebSocketDoor, 'close' | 'dismiss' | 'size'>
  readonly telemetry: Telemetry
}

export interface Closing {
  readonly closed: Promise<void>
  close(reason?: string): Promise<void>
  hurry(reason: string): void
}

/** A terminal, npm and its shell each pass on the same Ctrl-C, the last of them a quarter of a second after the first. */
const ONE_SIGNAL_MS = 1000

/** Defers the drain and the end of the sockets to `opened`. Returns what closes all that is opened by the time when it serves. */
export function createClosing(
  { app, clock, readiness, sockets, telemetry }: ClosingParts,
  opened: AsyncDisposableStack,
): (all: AsyncDisposableStack) => Closing {
  const closed = Promise.withResolvers<void>()
  // The caller of `close` gets a failure; a rejection of `closed` that has no listener must not end the process.
  closed.promise.catch(() => {})
  let begun: { readonly at: number; readonly reason: string } | undefined
  let isHurried = false
  let turns: DrainedTurns = { ended: 0, left: 0 }

  async function closeAll(all: AsyncDisposableStack): Promise<void> {
    readiness.state = 'lame-duck'
    const lameDuckMs = await app.leaving.lameDuck()
    telemetry.log('info', 'server.draining', { lameDuckMs, turns: app.running(), connections: sockets.size })
    readiness.state = 'draining'
    await all.disposeAsync()
  }

  function reportStopped(error?: unknown): void {
    const { at = 0, reason = '' } = begun ?? {}
    const fields = { reason, drainedTurns: turns.ended, leftTurns: turns.left, tookMs: clock.now() - at }
    if (error === undefined) telemetry.log('info', 'server.stopped', fields)
    else telemetry.log('error', 'server.stopped', fields, error)
  }

  opened.defer(() => sockets.close())
  opened.defer(async () => {
    const drained = app.leaving.drain()
    sockets.dismiss()
    turns = await drained
  })
  return (all) => ({
    closed: closed.promise,
    async close(reason = 'closed') {
      if (begun === undefined) {
        begun = { at: clock.now(), reason }
        telemetry.log('info', 'server.stopping', { reason, turns: app.running(), connections: sockets.size })
        closeAll(all).then(
          () => (reportStopped(), closed.resolve()),
          (error: unknown) => (reportStopped(error), closed.reject(error)),
        )
      }
      await closed.promise
    },
    hurry(reason) {
      if (begun === undefined || isHurried || clock.now() - begun.at < ONE_SIGNAL_MS) return
      isHurried = true
      telemetry.log('info', 'server.hurried', { reason, turns: app.running() })
      app.leaving.cut()
    },
  })
}
