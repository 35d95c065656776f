// The parts of a move that belong to turn records: turns with their thumbs, refusals, and as whom users are assigned to arms. A store
// that is bounded by number gets the newest.
import { isDeepStrictEqual } from 'node:util'
import { idOf } from '#domain/turn-records/records-filter.ts'
import type { UnitImport } from '#ports/migration/imports.ts'
import type { RecordPosition, RecordsFilter, StoredRecord, TurnRecords } from '#ports/turn-records/port.ts'
import type { Part, PartOptions } from './part.ts'

const RECORDS_AT_ONCE = 100
/** A store writes each record of a group with its entries in several lists. */
const GROUPS_AT_ONCE = 4

export interface RecordsTarget {
  readonly records: Pick<TurnRecords, 'add' | 'list'>
  /** How many the store keeps; absent: all that have not expired. */
  readonly countMax?: number
}

interface Group {
  readonly records: readonly StoredRecord[]
  /** The record before the first of the group. */
  readonly after: RecordPosition | undefined
}

export function turnRecordsPart(options: PartOptions<RecordsTarget>): Part {
  return recordsPart(options, { name: 'turn records', kind: 'turn', stored: options.counts.turnRecords })
}

export function refusalsPart(options: PartOptions<RecordsTarget>): Part {
  return recordsPart(options, { name: 'records of refusals', kind: 'refusal', stored: options.counts.refusals })
}

interface RecordsOfKind {
  readonly name: string
  readonly kind: 'turn' | 'refusal'
  /** How many the source has. */
  readonly stored: number
}

function recordsPart(
  { source, store, target }: PartOptions<RecordsTarget>,
  { kind, name, stored }: RecordsOfKind,
): Part {
  const { countMax = Number.MAX_SAFE_INTEGER, records } = target
  const filter: RecordsFilter = { kind, from: source.recordsFrom }
  const total = Math.min(stored, countMax)
  const older = stored - total
  return {
    name,
    store,
    total,
    ...(older === 0 ? {} : { left: `the oldest ${older} ${name}: ${store} keeps ${countMax}` }),
    hasData: async () => (await records.list({ kind }, 1)).records.length > 0,
    move: (each) =>
      each(
        groupsOf(source.turnRecords, filter, { count: total }),
        async (group) => {
          await records.add(group.records)
          return group.records.length
        },
        GROUPS_AT_ONCE,
      ),
    // By the lists of the target, as operators read them, so that a record that no list has is missed.
    verify: (each, differs) =>
      each(
        groupsOf(source.turnRecords, filter, { count: total }),
        async (group) => {
          const found = new Map<string, StoredRecord>()
          const place = { count: group.records.length, after: group.after }
          for await (const moved of groupsOf(records, filter, place))
            for (const record of moved.records) found.set(idOf(record), record)
          for (const record of group.records)
            if (!isDeepStrictEqual(found.get(idOf(record)), record)) differs(idOf(record))
          return group.records.length
        },
        GROUPS_AT_ONCE,
      ),
  }
}

interface Place {
  readonly count: number
  readonly after?: RecordPosition | undefined
}

/** The newest `count` records after a position, newest first. */
async function* groupsOf(
  store: Pick<TurnRecords, 'list'>,
  filter: RecordsFilter,
  { after: first, count }: Place,
): AsyncGenerator<Group> {
  let [after, wanted] = [first, count]
  while (wanted > 0) {
    const { next, records } = await store.list(filter, Math.min(wanted, RECORDS_AT_ONCE), after)
    if (records.length > 0) yield { records, after }
    if (next === undefined) return
    wanted -= records.length
    after = next
  }
}

export function unitsPart(
  options: PartOptions<{ readonly imports: UnitImport; readonly records: Pick<TurnRecords, 'unitOf'> }>,
): Part {
  const { counts, source, store, target } = options
  return {
    name: 'units of experiments',
    store,
    total: counts.units,
    move: (each) => each(source.units(), (unit) => target.imports.add(unit)),
    verify: (each, differs) =>
      each(source.units(), async ({ principalId, unit }) => {
        if ((await target.records.unitOf(principalId)) !== unit) differs(principalId)
      }),
  }
}
