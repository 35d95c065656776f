// Where the nodes of a cluster agree on alarms: what fires on each node, under a lease, and the state by which one of them notifies
// people. The state is replaced as a whole, and only by a node that has read the current one.
import type { AlarmState, NodeReport } from '#domain/alarms/incidents.ts'

export interface StoredAlarms {
  /** Rises with every write; 0 while nothing is stored. */
  readonly version: number
  readonly state: AlarmState
}

export interface AlarmBoard {
  /** Stores what fires on this node in place of its last report, and returns the reports of all nodes whose lease has not lapsed. */
  report(report: NodeReport): Promise<readonly NodeReport[]>
  read(): Promise<StoredAlarms>
  /** False, and nothing is stored, when `version` is not the current one. */
  write(state: AlarmState, version: number): Promise<boolean>
}

/** A node that reports nothing for so long is left out. */
export const REPORT_LEASE_MS = 20_000
/** The state is forgotten when no node has reported for so long. */
export const ALARMS_KEEP_MS = 30 * 86_400_000
