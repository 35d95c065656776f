// The sorted-set commands that the adapters use.
import type { KeySpace } from './key-space.ts'
import { integerOf, scoreOf, sliceOf, writtenScore } from './numbers.ts'
import { CommandRefused } from './reply.ts'
import type { Reply } from './reply.ts'
import { SortedSet } from './sorted-set.ts'
import type { ScoreRange } from './sorted-set.ts'

type Arguments = readonly string[]
type Condition = 'NX' | 'XX' | 'GT' | 'LT'

const CONDITIONS: ReadonlySet<string> = new Set<Condition>(['NX', 'XX', 'GT', 'LT'])

export const sortedSetCommands = {
  ZADD(keys: KeySpace, [key = '', ...rest]: Arguments): Reply {
    const condition = CONDITIONS.has(rest[0] ?? '') ? (rest[0] as Condition) : undefined
    const pairs = pairsOf(condition === undefined ? rest : rest.slice(1))
    const known = keys.sortedSet(key)
    if (known === undefined && condition === 'XX') return 0
    const set = known ?? keys.put(key, new SortedSet())
    const before = set.size
    for (const [score, member] of pairs) {
      if (isAllowed(condition, set.score(member), score)) set.set(member, score)
    }
    return set.size - before
  },
  ZREM: (keys: KeySpace, [key = '', ...members]: Arguments): Reply =>
    removing(keys, key, (set) => members.filter((member) => set.delete(member)).length),
  ZCARD: (keys: KeySpace, [key = '']: Arguments): Reply => keys.sortedSet(key)?.size ?? 0,
  ZSCORE(keys: KeySpace, [key = '', member = '']: Arguments): Reply {
    const score = keys.sortedSet(key)?.score(member)
    return score === undefined ? null : writtenScore(score)
  },
  ZCOUNT: (keys: KeySpace, [key = '', min, max]: Arguments): Reply => {
    const range = rangeOf(min, max)
    return keys.sortedSet(key)?.count(range) ?? 0
  },
  ZRANGE(keys: KeySpace, [key = '', from, to, ...options]: Arguments): Reply {
    if (options[0] === 'BYSCORE') return byScore(keys, key, { range: rangeOf(from, to), options: options.slice(1) })
    if (options.length > 0) throw new CommandRefused('ERR syntax error')
    const [first, last] = [integerOf(from), integerOf(to)]
    const set = keys.sortedSet(key)
    return set === undefined ? [] : set.members().slice(...sliceOf(set.size, first, last))
  },
  ZRANGEBYSCORE: (keys: KeySpace, [key = '', min, max, ...options]: Arguments): Reply =>
    byScore(keys, key, { range: rangeOf(min, max), options }),
  ZREMRANGEBYRANK(keys: KeySpace, [key = '', from, to]: Arguments): Reply {
    const [first, last] = [integerOf(from), integerOf(to)]
    return removing(keys, key, (set) => {
      const [start, end] = sliceOf(set.size, first, last)
      if (start === end) return 0
      return set
        .members()
        .slice(start, end)
        .filter((member) => set.delete(member)).length
    })
  },
  ZREMRANGEBYSCORE(keys: KeySpace, [key = '', min, max]: Arguments): Reply {
    const range = rangeOf(min, max)
    return removing(keys, key, (set) => set.deleteWithin(range))
  },
} as const

function pairsOf(args: Arguments): readonly (readonly [number, string])[] {
  if (args.length === 0 || args.length % 2 === 1) throw new CommandRefused('ERR syntax error')
  const pairs: [number, string][] = []
  for (let index = 0; index < args.length; index += 2) pairs.push([scoreOf(args[index]), args[index + 1] ?? ''])
  return pairs
}

function isAllowed(condition: Condition | undefined, before: number | undefined, score: number): boolean {
  switch (condition) {
    case 'NX':
      return before === undefined
    case 'XX':
      return before !== undefined
    case 'GT':
      return before === undefined || score > before
    case 'LT':
      return before === undefined || score < before
    default:
      return true
  }
}

function rangeOf(min = '', max = ''): ScoreRange {
  const [isMinOpen, isMaxOpen] = [min.startsWith('('), max.startsWith('(')]
  try {
    return {
      min: scoreOf(isMinOpen ? min.slice(1) : min),
      max: scoreOf(isMaxOpen ? max.slice(1) : max),
      isMinOpen,
      isMaxOpen,
    }
  } catch {
    throw new CommandRefused('ERR min or max is not a float')
  }
}

function byScore(
  keys: KeySpace,
  key: string,
  { range, options }: { readonly range: ScoreRange; readonly options: Arguments },
): Reply {
  const [name, offset = '0', count = '-1'] = options
  if (name !== undefined && (name !== 'LIMIT' || options.length !== 3)) throw new CommandRefused('ERR syntax error')
  const [skipped, limit] = [integerOf(offset), integerOf(count)]
  const found = keys.sortedSet(key)?.within(range) ?? []
  if (skipped < 0) return []
  return limit < 0 ? found.slice(skipped) : found.slice(skipped, skipped + limit)
}

function removing(keys: KeySpace, key: string, remove: (set: SortedSet) => number): number {
  const set = keys.sortedSet(key)
  if (set === undefined) return 0
  const removed = remove(set)
  if (set.size === 0) keys.delete(key)
  return removed
}
