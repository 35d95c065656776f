// Merges lists of positions that are each newest first, group by group.
import { compareRecords } from '#domain/turn-records/records-filter.ts'
import type { RecordPosition } from '#ports/turn-records/port.ts'

type Groups = AsyncGenerator<readonly RecordPosition[]>

export async function* newestOf(lists: readonly Groups[]): Groups {
  const heads = await Promise.all(lists.map(async (list) => ({ list, group: await next(list) })))
  for (;;) {
    const open = heads.filter(({ group }) => group.length > 0)
    if (open.length === 0) return
    // Up to the newest end of a group: what follows it in another list may be older than the next of this one.
    const ends = open.flatMap(({ group }) => group.slice(-1))
    const until = ends.reduce((newest, end) => (compareRecords(end, newest) < 0 ? end : newest))
    const taken: RecordPosition[] = []
    for (const head of open) {
      const isIn = (position: RecordPosition) => compareRecords(position, until) <= 0
      taken.push(...head.group.filter(isIn))
      head.group = head.group.filter((position) => !isIn(position))
      if (head.group.length === 0) head.group = await next(head.list)
    }
    yield taken.toSorted(compareRecords)
  }
}

async function next(list: Groups): Promise<readonly RecordPosition[]> {
  const { done, value } = await list.next()
  return done === true ? [] : value
}
