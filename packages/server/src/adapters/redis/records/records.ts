// Records in Redis. All keys of a home have its hash tag: one script reads what a decision needs, and another writes what it changes, only if
// everything that was read is still the same; otherwise the decision is made again. A list is one script, with its values.
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { comparePositions, positionOf, readsOf } from '#ports/records/port.ts'
import type { RecordChange, Decide, Kind, Page, Reads, Records, RecordStore, Where } from '#ports/records/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import { layoutOf } from './layout.ts'
import type { Call, Layout } from './layout.ts'

const OVER_MAX = 100

/**
 * KEYS: the values, all of the home, then one for each query. ARGV[2]: the queries as JSON. Before a change also how long values are kept, and how
 * many. Returns the time; for each query a count or an id, by which a change of the list is seen, and the values; how many the home has; and its
 * oldest values: those that are over, and those that make room for one.
 */
const READ = script(
  'records-read',
  `local call, replies = redis.call, {}
local function add(found, id)
  local text = id and call('HGET', KEYS[1], id)
  if text then found[#found + 1] = text end
end
for index, query in ipairs(cjson.decode(ARGV[2])) do
  local key, found, token = KEYS[index + 2], {}, ''
  if query.get == 'value' then
    found[1] = call('GET', key) or nil
  elseif query.get == 'id' then
    add(found, query.is)
  elseif query.get == 'unique' then
    token = call('HGET', key, query.is) or ''
    add(found, token)
  else
    token = 0
    repeat
      local ids = call('ZREVRANGEBYSCORE', key, query.at, query.since, 'WITHSCORES', 'LIMIT', token, query.limit)
      for place = 1, #ids, 2 do
        local isBehind = ids[place + 1] ~= query.at or ids[place] < query.id
        if isBehind and #found < query.limit then add(found, ids[place]) end
      end
      token = token + #ids / 2
    until #ids == 0 or #found >= query.limit
  end
  replies[index] = { token, found }
end
local count, oldest = 0, {}
if ARGV[3] then
  count = call('ZCARD', KEYS[2])
  local over = call('ZRANGEBYSCORE', KEYS[2], '-inf', now - tonumber(ARGV[3]), 'LIMIT', 0, ${OVER_MAX})
  for _, id in ipairs(over) do add(oldest, id) end
  local excess = count - tonumber(ARGV[4])
  if excess >= 0 then
    for _, id in ipairs(call('ZRANGE', KEYS[2], #over, #over + excess)) do add(oldest, id) end
  end
end
return { now, replies, count, oldest }`,
)

/** ARGV[2]: calls with the replies that they must have, then calls to make, as JSON. Returns whether they were made. */
const COMMIT = script(
  'records-commit',
  `local plan = cjson.decode(ARGV[2])
for _, check in ipairs(plan.checks) do
  if tostring(redis.call(unpack(check.call)) or '') ~= check.reply then return 0 end
end
for _, call in ipairs(plan.writes) do redis.call(unpack(call)) end
return 1`,
)

/** A home that changes so often between a read and a write is not written. */
const TRIES_MAX = 20
/** More than a decision reads. */
const READ_MAX = 10_000

export function redisRecords({ redis }: { readonly redis: Pick<Redis, 'run'> }): RecordStore {
  return { open: (kind) => new RedisRecords(kind, redis) }
}

/** What was read of a home: values with their texts, and the time. */
interface Seen<Value> {
  readonly now: number
  /** What each query found, and by what a change of it is seen. */
  readonly found: readonly { readonly token: string; readonly values: readonly Value[] }[]
  /** By id, with the texts. */
  readonly stored: ReadonlyMap<string, { readonly value: Value; readonly text: string }>
  readonly count: number
  readonly oldest: readonly Value[]
}

class RedisRecords<Value> implements Records<Value> {
  readonly #kind: Kind<Value>
  readonly #layout: Layout<Value>
  readonly #redis: Pick<Redis, 'run'>

  constructor(kind: Kind<Value>, redis: Pick<Redis, 'run'>) {
    this.#kind = kind
    this.#layout = layoutOf(kind)
    this.#redis = redis
  }

  async list(home: string, page: Page): Promise<readonly Value[]> {
    if (page.limit < 1) return []
    const { found, now } = await this.#read(home, [page])
    return (found[0]?.values ?? []).filter((value) => !this.#isOver(value, now))
  }

  async change<Given extends Reads, Result>(
    home: string,
    reads: Given,
    decide: Decide<Value, Given, Result>,
  ): Promise<Result> {
    const wheres = Object.values(reads)
    const pages = wheres.map((where) => ({ ...where, limit: READ_MAX }))
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const seen = await this.#read(home, pages, this.#layout.isOne ? [] : [this.#kind.keepMs, this.#max])
      const live = (values: readonly Value[] = []) => values.filter((value) => !this.#isOver(value, seen.now))
      const change = decide(
        readsOf(reads, (_, place) => live(seen.found[place]?.values)),
        seen.now,
      )
      if (await this.#isMade(home, wheres, seen, change)) return change.result
    }
    throw new StoreUnavailable(`the ${this.#kind.name} of a home are changed all the time`, { mayHaveHappened: false })
  }

  /** Where homes expire by themselves there is nothing to do. */
  async sweep(limit: number): Promise<number> {
    if (this.#kind.home !== undefined) return 0
    let removed = 0
    for (;;) {
      const seen = await this.#read('', [], [this.#kind.keepMs, Number.MAX_SAFE_INTEGER])
      const over = new Map([...seen.stored].slice(0, limit - removed))
      if (over.size === 0) return removed
      if (await this.#isMade('', [], { ...seen, stored: over }, { result: undefined })) removed += over.size
    }
  }

  async #read(home: string, pages: readonly Page[], bounds: readonly number[] = []): Promise<Seen<Value>> {
    const queries = pages.map((page) => this.#layout.query(home, page))
    const keys = [...this.#layout.keys(home), ...queries.map(({ key }) => key)]
    const reply = await this.#redis.run(READ, keys, [JSON.stringify(queries), ...bounds])
    const [now, replies, count, oldest] = reply as readonly [
      now: number,
      replies: readonly (readonly [token: string | number, texts: readonly string[]])[],
      count: number,
      oldest: readonly string[],
    ]
    const stored = new Map<string, { readonly value: Value; readonly text: string }>()
    const valuesIn = (some: readonly string[]) =>
      some.map((text) => {
        const fields = this.#kind.home === undefined ? {} : { [this.#kind.home]: home }
        const value = this.#kind.redis.unpack(JSON.parse(text), fields)
        stored.set(this.#idOf(value), { value, text })
        return value
      })
    const found = replies.map(([token, own]) => ({ token: String(token), values: valuesIn(own) }))
    return { now, found, stored, count, oldest: valuesIn(oldest) }
  }

  /** False when something that was read has changed. */
  async #isMade(
    home: string,
    wheres: readonly Where[],
    seen: Seen<Value>,
    { put = [], remove = [] }: RecordChange<Value, unknown>,
  ): Promise<boolean> {
    const excess = this.#excess(seen, put)
    const added = put.filter((value) => !excess.has(this.#idOf(value)))
    const gone = [...excess.values(), ...remove].filter((value) => !put.includes(value))
    const writes: readonly Call[] = [
      ...gone.flatMap((value) => this.#layout.remove(home, value)),
      ...added.flatMap((value) => {
        const ttlMs = Math.max(this.#kind.keepMs, positionOf(this.#kind, value).at + this.#kind.keepMs - seen.now)
        return this.#layout.put(home, value, { old: seen.stored.get(this.#idOf(value))?.value, ttlMs })
      }),
    ]
    if (writes.length === 0) return true
    const asked = wheres.flatMap(({ by, is = '' }) => (by === this.#kind.id ? [String(is)] : []))
    const ids = new Set([...seen.stored.keys(), ...asked, ...added.map((value) => this.#idOf(value))])
    const checks = [
      ...wheres.flatMap((where, place) => this.#layout.check(home, where, seen.found[place]?.token ?? '')),
      ...[...ids].map((id) => ({ call: this.#layout.read(home, id), reply: seen.stored.get(id)?.text ?? '' })),
    ]
    const keys = [...new Set([...checks.map(({ call }) => call), ...writes].map(([, key]) => key))]
    return (await this.#redis.run(COMMIT, keys, [JSON.stringify({ checks, writes })])) === 1
  }

  /** What the home has too much of when these are added: what is over, and the oldest above the bound. */
  #excess({ count, now, oldest, stored }: Seen<Value>, added: readonly Value[]): ReadonlyMap<string, Value> {
    const put = new Set(added.map((value) => this.#idOf(value)))
    const untouched = (value: Value) => !put.has(this.#idOf(value))
    const fresh = added.filter((value) => !stored.has(this.#idOf(value)))
    const known = [...stored.values()].map(({ value }) => value).filter(untouched)
    const over = known.filter((value) => this.#isOver(value, now))
    const left = oldest.filter((value) => untouched(value) && !this.#isOver(value, now))
    const excess = Math.min(left.length, count - over.length + fresh.length - this.#max)
    const oldestFirst = (a: Value, b: Value) => comparePositions(positionOf(this.#kind, b), positionOf(this.#kind, a))
    const gone = [...over, ...[...left, ...fresh].sort(oldestFirst).slice(0, Math.max(0, excess))]
    return new Map(gone.map((value) => [this.#idOf(value), value]))
  }

  get #max(): number {
    return this.#kind.perHomeMax ?? Number.MAX_SAFE_INTEGER
  }

  #isOver(value: Value, now: number): boolean {
    return positionOf(this.#kind, value).at <= now - this.#kind.keepMs
  }

  #idOf(value: Value): string {
    return positionOf(this.#kind, value).id
  }
}
