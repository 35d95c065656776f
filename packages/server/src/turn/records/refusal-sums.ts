// Sums refused requests for their records: those of one principal by the same limit and door within a few seconds are one record with
// a count. A flood of refusals costs a lookup each, and at most `SUMS_MAX` records in a window; beyond that, principals are not counted apart.
import type { RefusedBy, RefusedWhy } from '#domain/turn-records/refused-by.ts'
import type { RefusalRecord } from '#domain/turn-records/refusal-record.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import { REFUSAL_ID } from '#ports/turn-records/port.ts'

export interface RefusalSumsParts {
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly random: Pick<Random, 'id'>
  readonly recorder: { put(record: RefusalRecord): void }
  readonly node: string
}

export interface RefusalSums {
  /** Never throws, and returns at once. */
  note(why: RefusedWhy, by: RefusedBy): void
  /** Records what was summed. */
  flush(): void
}

const WINDOW_MS = 5000
const SUMS_MAX = 200

interface Sum {
  count: number
  readonly since: number
  at: number
  why: RefusedWhy
  by: RefusedBy
  /** Beyond the number of those that are counted apart. */
  readonly isOfAll: boolean
}

export function createRefusalSums({ clock, node, random, recorder }: RefusalSumsParts): RefusalSums {
  const sums = new Map<string, Sum>()
  let timer: Disposable | undefined

  function flush(): void {
    timer?.[Symbol.dispose]()
    timer = undefined
    for (const sum of sums.values()) recorder.put(recordOf(sum, { node, refusalId: random.id(ID_KIND) }))
    sums.clear()
  }

  return {
    flush,
    note(why, by) {
      const now = clock.now()
      const limit = `${why.code} ${why.scope ?? ''} ${why.reason ?? ''} ${by.door}`
      const own = `${limit} ${by.principal?.id ?? ''}`
      const isOfAll = !sums.has(own) && sums.size >= SUMS_MAX
      const key = isOfAll ? limit : own
      const sum = sums.get(key)
      if (sum === undefined) sums.set(key, { count: 1, since: now, at: now, why, by, isOfAll })
      else {
        sum.count += 1
        Object.assign(sum, { at: now, why, by })
      }
      timer ??= clock.after(WINDOW_MS, flush)
    },
  }
}

/** Ids are made as `<kind>_…`. */
const ID_KIND = REFUSAL_ID.slice(0, -1)

function recordOf(
  { at, by, count, isOfAll, since, why }: Sum,
  { node, refusalId }: { readonly node: string; readonly refusalId: string },
): RefusalRecord {
  const { door, principal, requestId, route, sessionId = '', traceId } = by
  const network = isOfAll ? undefined : by.network?.()
  return {
    kind: 'refusal',
    refusalId,
    at,
    since,
    count,
    ...why,
    principalId: isOfAll ? '' : (principal?.id ?? ''),
    ...(isOfAll || principal === undefined ? {} : { userTier: principal.tier }),
    sessionId: isOfAll ? '' : sessionId,
    ...(network === undefined ? {} : { network }),
    door,
    ...(route === undefined ? {} : { route }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(traceId === undefined ? {} : { traceId }),
    node,
  }
}
