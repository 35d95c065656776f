// Where a kind is in Redis: the keys that are read and the calls that write, by the layout in its declaration. Pure.
import { positionOf } from '#ports/records/port.ts'
import type { Kind, Page, RedisHash, RedisValue, Where } from '#ports/records/port.ts'

export type Call = readonly [command: string, key: string, ...args: string[]]

/** A call, and the reply by which something is still as it was read. */
export interface Check {
  readonly call: Call
  readonly reply: string
}

/** What the script of a read is asked. */
export interface Query {
  readonly key: string
  readonly get: 'value' | 'id' | 'unique' | 'list'
  readonly is?: string
  /** The bounds of a list as Redis writes them, and the id at `at` that it begins behind. */
  readonly at?: string
  readonly id?: string
  readonly since?: string
  readonly limit?: number
  readonly skip?: number
}

export interface Layout<Value> {
  /** A home has one value, and no lists. */
  readonly isOne: boolean
  /** The values of a home, and the list of all. */
  readonly keys: (home: string) => readonly string[]
  readonly query: (home: string, page: Page) => Query
  /** Whether the list of a query is the same; `token` is as the read replied. */
  readonly check: (home: string, where: Where, token: string) => readonly Check[]
  /** Reads one value. */
  readonly read: (home: string, id: string) => Call
  readonly put: (
    home: string,
    value: Value,
    write: { readonly old: Value | undefined; readonly ttlMs: number },
  ) => readonly Call[]
  readonly remove: (home: string, value: Value) => readonly Call[]
}

export function layoutOf<Value>(kind: Kind<Value>): Layout<Value> {
  return 'value' in kind.redis ? valueLayout(kind, kind.redis) : hashLayout(kind, kind.redis)
}

function valueLayout<Value>({ redis }: Kind<Value>, { value: keyOf }: RedisValue): Layout<Value> {
  return {
    isOne: true,
    keys: (home) => [keyOf(home), keyOf(home)],
    query: (home) => ({ key: keyOf(home), get: 'value' }),
    check: () => [],
    read: (home) => ['GET', keyOf(home)],
    put: (home, value, { ttlMs }) => [
      ['SET', keyOf(home), JSON.stringify(redis.pack(value)), 'PX', String(Math.max(1, ttlMs))],
    ],
    remove: (home) => [['DEL', keyOf(home)]],
  }
}

function hashLayout<Value>(kind: Kind<Value>, layout: RedisHash): Layout<Value> {
  const { all, list, records, unique } = layout

  function listsOf(home: string, value: Value): readonly string[] {
    const fields = kind.fields(value)
    return [all(home), ...(kind.indexes ?? []).flatMap((name) => list?.(home, name, fields[name] ?? '') ?? [])]
  }

  function listOf(home: string, { by, is = '' }: Where): string {
    return by === undefined ? all(home) : (list?.(home, by, is) ?? all(home))
  }

  const uniqueOf = (value: Value) => String(kind.fields(value)[kind.unique ?? ''])
  const from = (since: number | undefined) => (since === undefined ? '-inf' : `(${since}`)

  return {
    isOne: false,
    keys: (home) => [records(home), all(home)],
    query(home, { after, limit, skip = 0, ...where }) {
      const is = String(where.is)
      if (where.by === kind.id) return { key: records(home), get: 'id', is }
      if (unique !== undefined && where.by === kind.unique) return { key: unique(home), get: 'unique', is }
      const bounds = { at: String(after?.at ?? '+inf'), id: after?.id ?? '', since: from(where.since), limit, skip }
      return { key: listOf(home, where), get: 'list', ...bounds }
    },
    check(home, where, token) {
      if (where.by === kind.id) return []
      if (unique !== undefined && where.by === kind.unique)
        return [{ call: ['HGET', unique(home), String(where.is)], reply: token }]
      return [{ call: ['ZCOUNT', listOf(home, where), from(where.since), '+inf'], reply: token }]
    },
    read: (home, id) => ['HGET', records(home), id],
    put(home, value, { old, ttlMs }) {
      const { at, id } = positionOf(kind, value)
      const lists = listsOf(home, value)
      const left = old === undefined ? [] : listsOf(home, old).filter((key) => !lists.includes(key))
      const keys = [records(home), ...lists, ...(unique === undefined ? [] : [unique(home)])]
      return [
        ['HSET', records(home), id, JSON.stringify(kind.redis.pack(value))],
        ...left.map((key): Call => ['ZREM', key, id]),
        ...lists.map((key): Call => ['ZADD', key, String(at), id]),
        ...(unique === undefined ? [] : [['HSET', unique(home), uniqueOf(value), id] as const]),
        ...keys.map((key): Call => ['PEXPIRE', key, String(ttlMs)]),
      ]
    },
    remove(home, value) {
      const { id } = positionOf(kind, value)
      return [
        ['HDEL', records(home), id],
        ...listsOf(home, value).map((key): Call => ['ZREM', key, id]),
        ...(unique === undefined ? [] : [['HDEL', unique(home), uniqueOf(value)] as const]),
      ]
    },
  }
}
