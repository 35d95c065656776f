// Merges lists of positions that are each newest first, group by group.
import { compareRecords } from './records-filter.ts'
import type { RecordPosition } from './turn-record.ts'

type Groups<Position> = AsyncGenerator<readonly Position[]>

export async function* newestOf<Position extends RecordPosition>(lists: readonly Groups<Position>[]): Groups<Position> {
  const heads = await Promise.all(lists.map(async (list) => ({ list, group: await next(list) })))
  for (;;) {
    const open = heads.filter(({ group }) => group.length > 0)
    if (open.length === 0) return
    // Up to the newest end of a group: what follows it in another list may be older than the next of this one.
    const ends = open.flatMap(({ group }) => group.slice(-1))
    const until = ends.reduce((newest, end) => (compareRecords(end, newest) < 0 ? end : newest))
    const isIn = (position: Position) => compareRecords(position, until) <= 0
    const taken = open.flatMap(({ group }) => group.filter(isIn))
    for (const head of open) head.group = head.group.filter((position) => !isIn(position))
    await Promise.all(
      open.map(async (head) => {
        if (head.group.length === 0) head.group = await next(head.list)
      }),
    )
    yield taken.toSorted(compareRecords)
  }
}

async function next<Position>(list: Groups<Position>): Promise<readonly Position[]> {
  const { done, value } = await list.next()
  return done === true ? [] : value
}
