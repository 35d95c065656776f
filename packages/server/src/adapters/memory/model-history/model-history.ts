// The model history in memory, of tests and simulations; several nodes can share it.
import { HISTORY_ENTRIES_MAX, HISTORY_KEEP_MS } from '#ports/model-history/port.ts'
import type { ModelHistory } from '#ports/model-history/port.ts'
import { entriesOf, FIRST_KEPT, stepOf } from '#ports/model-history/history-entries.ts'
import type { HistoryEntry } from '#ports/model-history/history-entries.ts'
import type { Clock } from '#ports/clock/port.ts'

interface StoredStep {
  readonly batches: Set<string>
  readonly entries: Map<string, HistoryEntry>
}

export function memoryModelHistory({ clock }: { readonly clock: Pick<Clock, 'now'> }): ModelHistory {
  const steps = new Map<number, StoredStep>()
  return {
    async add({ id, ...step }) {
      for (const at of steps.keys()) if (at < clock.now() - HISTORY_KEEP_MS) steps.delete(at)
      const stored = steps.get(step.at) ?? { batches: new Set(), entries: new Map() }
      steps.set(step.at, stored)
      if (stored.batches.has(id)) return
      stored.batches.add(id)
      for (const { count, key, text } of entriesOf(step)) {
        const known = stored.entries.get(key)
        if (known === undefined && stored.entries.size >= HISTORY_ENTRIES_MAX) continue
        const isKept = known !== undefined && key.startsWith(FIRST_KEPT)
        stored.entries.set(key, { key, count: (known?.count ?? 0) + count, text: isKept ? known.text : text })
      }
    },
    read: async (from, to) =>
      [...steps]
        .filter(([at, { entries }]) => at >= from && at < to && entries.size > 0)
        .toSorted(([one], [other]) => one - other)
        .map(([at, { entries }]) => stepOf(at, [...entries.values()])),
  }
}
