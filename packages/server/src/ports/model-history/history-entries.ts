// The form in which all adapters store a step: entries with a key, a count that is added to, and a text. The text of a fault is that of the last
// one, the text of a change that of the first.
import { CHANGE_REASONS } from '#domain/model-history/lane-change.ts'
import type { LaneChange } from '#domain/model-history/lane-change.ts'
import { faultKey } from '#domain/model-history/model-meter.ts'
import type { CountedFault, HistoryStep } from '#domain/model-history/model-meter.ts'

export interface HistoryEntry {
  readonly key: string
  readonly count: number
  readonly text: string
}

/** The prefix of the keys of which the first text is kept; for other keys the last one is. */
export const FIRST_KEPT = 'change '

export function entriesOf({ changes, counts, faults }: HistoryStep): readonly HistoryEntry[] {
  return [
    ...counts.flatMap(({ counts: sums, of }) =>
      Object.entries(sums).map(([name, count]) => ({ key: `count ${JSON.stringify([of, name])}`, count, text: '' })),
    ),
    ...faults.map(({ count, ...fault }) => ({ key: `fault ${faultKey(fault)}`, count, text: JSON.stringify(fault) })),
    ...changes.map((change) => ({ key: `${FIRST_KEPT}${change.id}`, count: 0, text: JSON.stringify(change) })),
  ]
}

/** What another version wrote and this one cannot read is left out. */
export function stepOf(at: number, entries: readonly HistoryEntry[]): HistoryStep {
  const counts = new Map<string, Record<string, number>>()
  const faults: CountedFault[] = []
  const changes: LaneChange[] = []
  for (const { count, key, text } of entries) {
    if (key.startsWith('count ')) {
      const [of, name] = parsed(key.slice('count '.length)) as readonly unknown[]
      if (typeof of !== 'string' || typeof name !== 'string') continue
      const sums = counts.get(of) ?? {}
      sums[name] = count
      counts.set(of, sums)
    } else if (key.startsWith('fault ')) {
      const fault = parsed(text) as Omit<CountedFault, 'count'>
      if (typeof fault.model === 'string' && typeof fault.outcome === 'string') faults.push({ ...fault, count })
    } else if (key.startsWith(FIRST_KEPT)) {
      const change = parsed(text) as LaneChange
      if (typeof change.lane === 'string' && CHANGE_REASONS.includes(change.why)) changes.push(change)
    }
  }
  return {
    at,
    counts: [...counts].map(([of, sums]) => ({ of, counts: sums })),
    faults,
    changes: changes.toSorted((one, other) => one.at - other.at),
  }
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : []
  } catch {
    return []
  }
}
