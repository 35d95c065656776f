// Where the watchers of a run tell what they see: a breach, a rare state, a line of the trace.

export interface WatchReport {
  /** `kind` is the same for every breach of its sort, whoever it concerns. */
  breach(kind: string, detail: string): void
  see(state: string): void
  trace(what: string): void
  now(): number
}
