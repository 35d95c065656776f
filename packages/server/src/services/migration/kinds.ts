// The part of a move for any kind of record: values are stored as they are, with their times and versions. One that exists is newer, and stays.
import { isDeepStrictEqual } from 'node:util'
import { homeOf, positionOf } from '#ports/records/port.ts'
import type { RecordChange, Kind, Records } from '#ports/records/port.ts'
import type { Part, PartOptions } from './part.ts'

export interface KindPartOptions<Value> extends Omit<PartOptions<Records<Value>>, 'counts'> {
  readonly name: string
  readonly kind: Kind<Value>
}

export function kindPart<Value>({ kind, name, source, store, target }: KindPartOptions<Value>): Part {
  async function add(value: Value): Promise<void> {
    const { at, id } = positionOf(kind, value)
    const same = { by: kind.id, is: id }
    await target.change(homeOf(kind, value), { same }, (found, now): RecordChange<Value, void> => {
      const isOver = at <= now - kind.keepMs
      return { put: isOver || found.same.length > 0 ? [] : [value], result: undefined }
    })
  }

  /** By its id, and in each list that has it. */
  async function isStored(value: Value): Promise<boolean> {
    const [own, { at, id }] = [kind.fields(value), positionOf(kind, value)]
    const asked = [kind.id, ...(kind.unique === undefined ? [] : [kind.unique])]
    const wheres = [...asked, ...(kind.indexes ?? [])].map((by) => ({ by, is: own[by] ?? '' }))
    // The position before the value: an id that begins with the value's is behind it.
    const page = { limit: 1, after: { at, id: `${id} ` } }
    const found = await Promise.all([
      ...wheres.map(({ by, is }) =>
        target.list(homeOf(kind, value), { by, is, ...(asked.includes(by) ? { limit: 1 } : page) }),
      ),
      target.list(homeOf(kind, value), page),
    ])
    return found.every(([one]) => isDeepStrictEqual(one, value))
  }

  return {
    name,
    store,
    total: source.countOf(kind),
    move: (each) => each(source.records(kind), add),
    verify: (each, differs) =>
      each(source.records(kind), async (value) => {
        if (!(await isStored(value))) differs(positionOf(kind, value).id)
      }),
  }
}
