// Scopes that cost nothing: one constant object for all requests, without ids and without spans. For virtual time, for
// commands without a server, and for work outside of any request.
import type { AnyReports, Scope, Span, Telemetry } from './port.ts'

export const NO_SPAN: Span = {
  trace: undefined,
  event() {},
  span: () => NO_SPAN,
  within: (work) => work(),
  end() {},
  [Symbol.dispose]() {},
}

/** Passes reports on, and nothing else. */
export function plainScope({ log, count, observe }: AnyReports): Scope {
  const scope: Scope = {
    trace: undefined,
    log,
    count,
    observe,
    becomeTurn: () => scope,
    span: () => NO_SPAN,
    within: (work) => work(),
    event() {},
    link() {},
    end() {},
    responded() {},
  }
  return scope
}

export const NO_SCOPE: Scope = plainScope({ log() {}, count() {}, observe() {} })

/** Reports nothing. */
export const NO_TELEMETRY: Telemetry = {
  log() {},
  count() {},
  observe() {},
  scope: () => NO_SCOPE,
  currentSpan: () => undefined,
}
