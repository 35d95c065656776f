// Decides which lines of the log are summed, for every sink that sends lines: warnings, errors, and other events that a caller can
// cause as often as it likes. The others are written as they happen.
import { eventCatalogue } from '#domain/telemetry/catalogue.ts'
import type { EventEntry } from '#domain/telemetry/entry.ts'
import type { LogLine } from '#ports/telemetry/port.ts'
import { LineFold } from './line-fold.ts'
import type { FoldedLine, LineFoldParts } from './line-fold.ts'

export interface FoldLines {
  /** Calls `write` now, later with a sum, or never if another line counts this one. */
  fold(line: Pick<LogLine, 'cause' | 'event' | 'fields' | 'level'>, write: FoldedLine['write']): void
  /** Writes every sum that is held back. */
  flush(): void
}

const events: Readonly<Record<string, EventEntry>> = eventCatalogue

export function foldLines({ now, after = unrefAfter }: Partial<LineFoldParts> & Pick<LineFoldParts, 'now'>): FoldLines {
  const sums = new LineFold({ now, after })
  return {
    fold({ cause, event, fields, level }, write) {
      const isFolded = level === 'warn' || level === 'error' || (level === 'info' && events[event]?.isSummed === true)
      if (!isFolded) return write({ leftOut: 0 })
      sums.add({ level, event, fields, cause: cause instanceof Error ? cause.message : '', write })
    },
    flush: () => sums.flush(),
  }
}

/** Timers of the machine that do not keep the process alive. */
function unrefAfter(ms: number, action: () => void): Disposable {
  const timer = setTimeout(action, ms).unref()
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}
