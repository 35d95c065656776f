// Receives the reports of the watchers of a run: a breach, a rare state, a line of the trace.

export interface WatchReport {
  /** `kind` must be the same for every breach of its sort, without ids or numbers. */
  breach(kind: string, detail: string): void
  see(state: string): void
  trace(what: string): void
  now(): number
}
