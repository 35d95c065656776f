// How far an import is: a bar that is drawn again on a terminal; otherwise one line at the end of each part.
import type { Writable } from 'node:stream'
import type { Clock } from '#ports/clock/port.ts'

export interface Progress {
  /** The share that is done, from 0 to 1, and what was counted. */
  at(share: number, rows: number): void
  end(rows: number): void
}

const WIDTH = 24
/** Redrawing costs more than reading a row. */
const REDRAW_MS = 100

export function progressOf(
  out: Writable & { readonly isTTY?: boolean },
  { clock, label }: { readonly clock: Pick<Clock, 'now'>; readonly label: string },
): Progress {
  const startedAt = clock.now()
  let drawnAt = 0
  const rate = (rows: number) => Math.round(rows / Math.max(0.001, (clock.now() - startedAt) / 1000))
  const counted = (rows: number) => `${rows.toLocaleString('en-US')} rows, ${rate(rows).toLocaleString('en-US')} rows/s`
  return {
    at(share, rows) {
      if (out.isTTY !== true || clock.now() - drawnAt < REDRAW_MS) return
      drawnAt = clock.now()
      const done = Math.min(WIDTH, Math.round(share * WIDTH))
      const bar = `${'█'.repeat(done)}${'░'.repeat(WIDTH - done)}`
      out.write(`\r\u001B[K${label} ${bar} ${Math.round(share * 100)} %  ${counted(rows)}`)
    },
    end(rows) {
      const seconds = ((clock.now() - startedAt) / 1000).toFixed(1)
      out.write(`${out.isTTY === true ? '\r\u001B[K' : ''}${label}: ${counted(rows)}, ${seconds} s\n`)
    },
  }
}
