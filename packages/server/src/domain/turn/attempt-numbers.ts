// The numbers of a turn's calls. Each owner has numbers of its own, so that a call which only a lost owner knows of never
// has the number of a call of the next owner: ledger rows are identified by turn and number.

const PER_OWNER = 1000

/** The highest number that owners before this epoch can have used; the first owner has epoch 1. */
export function attemptsBefore(epoch: number): number {
  return (epoch - 1) * PER_OWNER
}

/** Whether the owner at this epoch gave the number. */
export function isAttemptOf(epoch: number, attempt: number): boolean {
  return attempt > attemptsBefore(epoch) && attempt <= attemptsBefore(epoch + 1)
}
