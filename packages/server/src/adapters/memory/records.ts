// Records in memory: for tests and simulations, and the oracle of the other adapters.
import type { Clock } from '#ports/clock/port.ts'
import { comparePositions, homeOf, positionOf, readsOf } from '#ports/records/port.ts'
import type { Kind, Records, RecordStore, Where } from '#ports/records/port.ts'

/** What is opened of the same kind twice is the same. */
export function memoryRecords({ clock }: { readonly clock: Pick<Clock, 'now'> }): RecordStore {
  const opened = new Map<string, unknown>()
  return {
    open<Value>(kind: Kind<Value>) {
      const records = opened.get(kind.name) ?? recordsOf(kind, clock)
      opened.set(kind.name, records)
      return records as Records<Value>
    },
  }
}

function recordsOf<Value>(kind: Kind<Value>, clock: Pick<Clock, 'now'>): Records<Value> {
  let kept: readonly Value[] = []
  const isOver = (value: Value) => positionOf(kind, value).at <= clock.now() - kind.keepMs
  const idOf = (value: Value) => positionOf(kind, value).id
  const newestFirst = (a: Value, b: Value) => comparePositions(positionOf(kind, a), positionOf(kind, b))

  const found = (home: string, { by, is, since = -Infinity, skip = 0 }: Where): readonly Value[] =>
    kept
      .filter((value) => homeOf(kind, value) === home && !isOver(value) && positionOf(kind, value).at > since)
      .filter((value) => by === undefined || kind.fields(value)[by] === is)
      .sort(newestFirst)
      .slice(skip)

  return {
    async list(home, { after, limit, ...where }) {
      return found(home, where)
        .filter((value) => after === undefined || comparePositions(after, positionOf(kind, value)) < 0)
        .slice(0, limit)
    },
    async change(home, reads, decide) {
      const {
        put = [],
        remove = [],
        result,
      } = decide(
        readsOf(reads, (where) => found(home, where)),
        clock.now(),
      )
      const changed = new Set([...put, ...remove].map(idOf))
      kept = [...kept.filter((value) => homeOf(kind, value) !== home || !changed.has(idOf(value))), ...put]
      return result
    },
    async sweep(limit) {
      const gone = new Set(kept.filter(isOver).slice(0, limit))
      kept = kept.filter((value) => !gone.has(value))
      return gone.size
    },
  }
}
