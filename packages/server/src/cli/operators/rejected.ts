// How the commands of operators show a model whose vendor rejects our calls: its circuit stays closed, so that alone looks healthy.
import type { LaneView } from '@mangaassist/protocol/admin'

type Rejected = LaneView['rejected']

/** What stands in the column of the circuit. */
export const circuitOf = ({ phase, rejected }: { readonly phase: string; readonly rejected: Rejected }): string =>
  phase === 'closed' && rejected.length > 0 ? 'rejected' : phase

/** A line for each of them, below the table. */
export function rejectedLines(rejected: Rejected): string[] {
  return rejected.map(({ calls, cause, model, since, status }) => {
    const code = status === undefined ? '' : ` (HTTP ${status})`
    return `REJECTED ${model}: ${cause}${code}, the last ${calls} calls, since ${since}`
  })
}
