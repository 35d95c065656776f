// Reports runs that broke an invariant on standard error, with the events that led to it, and chooses the exit code: a
// script that checks only the exit code must not take a broken run for a good one.
import type { FleetRun } from '../../fleet/fleet-run.ts'
import { bounded, oneLine } from '../../report/plain-text.ts'
import type { Terminal } from '@mangaassist/server/cli/command'

const LINES_MAX = 40

/** Returns the exit code. */
export function reportBreaches({ stderr }: Pick<Terminal, 'stderr'>, runs: readonly FleetRun[]): number {
  const broken = runs.filter(({ breaches }) => breaches.length > 0)
  for (const run of broken) stderr.write(described(run))
  return broken.length === 0 ? 0 : 1
}

function described({ breaches, moments, nodes, policy, scenario, seed }: FleetRun): string {
  const what = breaches.length === 1 ? 'broken invariant' : 'broken invariants'
  const events = moments.map(({ atMs, what: moment }) => `${atMs} ms: ${moment}`)
  return [
    `${breaches.length} ${what}: ${scenario}, ${policy}, seed ${seed}, ${nodes} nodes`,
    ...lines(breaches, '  ! '),
    ...lines(events, '    '),
    '',
  ].join('\n')
}

function lines(of: readonly string[], lead: string): readonly string[] {
  const { head, left, tail } = bounded(of, LINES_MAX)
  return [...head, ...(left > 0 ? [`… ${left} more …`] : []), ...tail].map((line) => `${lead}${oneLine(line)}`)
}
