// Work that one node of the cluster does at a time, such as a prewarm: a lease that ends when its owner dies, and the
// progress of the work, from which the next owner continues. A lease saves double work and proves nothing: what the work
// writes must bear being written twice.

/** Who has the lease, and for how long from now. */
export interface TaskLease {
  /** Unique to a process: a restarted one is another owner. */
  readonly owner: string
  readonly leaseMs: number
}

export interface TaskTaken {
  /** As the last owner saved it; undefined at first. */
  readonly progress: string | undefined
}

export interface Tasks {
  /** Takes the lease, or renews the caller's own; undefined while another owner has it. */
  take(task: string, lease: TaskLease): Promise<TaskTaken | undefined>
  /**
   * Stores the progress and renews the lease; with 0 ms it ends. False when the lease is not the caller's any more: then
   * nothing is stored.
   */
  save(task: string, progress: string, lease: TaskLease): Promise<boolean>
}

/** A task is forgotten this long after its last use. */
export const TASK_KEEP_MS = 172_800_000
