// Telemetry of a whole simulated fleet: counters, and the first errors. Nothing else is stored, because a run reports
// millions of events.
import { plainScope } from '@mangaassist/server/ports/telemetry/plain-scope'
import type { AnyReports, Telemetry } from '@mangaassist/server/ports/telemetry/port'

const ERRORS_MAX = 50

export interface Tally extends Telemetry {
  readonly counts: ReadonlyMap<string, number>
  /** How often each error was logged. */
  readonly errorCounts: ReadonlyMap<string, number>
  /** The first logged errors, with their causes. */
  readonly errors: readonly { readonly event: string; readonly cause: unknown }[]
}

export function tally(): Tally {
  const counts = new Map<string, number>()
  const errorCounts = new Map<string, number>()
  const errors: { event: string; cause: unknown }[] = []
  const log: AnyReports['log'] = (level, event, _, cause) => {
    if (level !== 'error') return
    errorCounts.set(event, (errorCounts.get(event) ?? 0) + 1)
    if (errors.length < ERRORS_MAX) errors.push({ event, cause })
  }
  const count: AnyReports['count'] = (name) => void counts.set(name, (counts.get(name) ?? 0) + 1)
  const reports = { log, count, observe: () => {} }
  // One scope for everything: virtual time pays nothing for scopes, and no id is drawn for them.
  const scope = plainScope(reports)
  return { counts, errorCounts, errors, ...reports, scope: () => scope, currentSpan: () => undefined }
}
