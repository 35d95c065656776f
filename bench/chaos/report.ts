// The report of a chaos run: what was done, what the shoppers got, the books, and every violation.
import { mayNotHaveArrived } from './checks/books.ts'
import type { Books } from './checks/books.ts'
import type { Seen } from './record.ts'

const SHOWN_MAX = 50

export interface RunResult {
  readonly seed: number
  readonly minutes: number
  readonly nodes: number
  readonly faults: ReadonlyMap<string, number>
  readonly books: Books
  readonly violations: readonly string[]
}

export function report(seen: Seen, { books, faults, minutes, nodes, seed, violations }: RunResult): string {
  const { questions } = seen
  const accepted = questions.filter(({ turns }) => turns.size > 0)
  const answers = accepted.flatMap(({ readings }) => readings.slice(0, 1).map(({ done }) => done))
  const tookMs = accepted.flatMap(({ askedAt, endedAt }) => (endedAt === undefined ? [] : [endedAt - askedAt]))
  const c = seen.counts
  return [
    `chaos: ${minutes} min, ${nodes} nodes, seed ${seed}`,
    `faults: ${listed(faults)}`,
    `${seen.conversations.length} conversations, ${questions.length} questions, ${accepted.length} accepted, ${answers.length} ended`,
    `answered by: ${listed(counted(answers.map(({ tier }) => tier)))}; ended as: ${listed(counted(answers.map(({ finishReason }) => finishReason)))}`,
    `from the question to the end: p50 ${percentile(tookMs, 0.5)}, p95 ${percentile(tookMs, 0.95)}, max ${percentile(tookMs, 1)}`,
    `resumed ${c.resumed}, hung up ${c.hungUp}, silent connections ${c.silent}, slow readers ${c.slow}, stops ${c.stops}`,
    `keys sent again ${c.repeated}, joined ${c.joined}; second readers ${c.secondReaders}, read again after the end ${c.readAfterEnd}`,
    `refused: ${listed(seen.refusals)}; questions given up before they were accepted: ${questions.length - accepted.length}; turns lost with their node: ${seen.lostTurns}`,
    `books: ${books.calls.length} calls at the models, ${books.rows.filter(({ attempt }) => attempt > 0).length} rows, ${books.rows.filter(({ estimated }) => estimated).length} estimated, ${books.rows.filter(mayNotHaveArrived).length} of calls that may not have arrived; ${books.users} budgets compared`,
    violations.length === 0 ? 'no violation' : `${violations.length} VIOLATIONS`,
    ...violations.slice(0, SHOWN_MAX).map((violation) => `  ${violation}`),
  ].join('\n')
}

function counted(values: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]))
}

function listed(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort((one, other) => other[1] - one[1])
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'
}

function percentile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((one, other) => one - other)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return value === undefined ? '–' : `${(value / 1000).toFixed(1)} s`
}
