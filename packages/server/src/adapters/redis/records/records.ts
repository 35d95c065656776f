// Records in Redis. All keys of a home have its hash tag: one script reads what a decision needs, and another writes what it changes, only if
// everything that was read is still the same; otherwise the decision is made again. A list is one script, with its values.
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { positionOf, readsOf } from '#ports/records/port.ts'
import type { RecordChange, Decide, Kind, Page, Reads, Records, RecordStore, Where } from '#ports/records/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import { layoutOf } from './layout.ts'
import type { Call, Layout } from './layout.ts'

/**
 * KEYS: the values, all of the home, then one for each query. ARGV from 2: the queries as JSON; before a change also how long values are kept, and
 * how many that are over are read. Returns the time; for each query its values, and what tells that its list has changed; and what is over.
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
    token = call('ZCOUNT', key, query.since, '+inf')
    local offset = query.skip
    repeat
      local ids = call('ZREVRANGEBYSCORE', key, query.at, query.since, 'WITHSCORES', 'LIMIT', offset, query.limit)
      for place = 1, #ids, 2 do
        local isBehind = ids[place + 1] ~= query.at or ids[place] < query.id
        if isBehind and #found < query.limit then add(found, ids[place]) end
      end
      offset = offset + query.limit
    until #ids == 0 or #found >= query.limit
  end
  replies[index] = { token, found }
end
local over = {}
if ARGV[3] then
  local ids = call('ZRANGEBYSCORE', KEYS[2], '-inf', now - tonumber(ARGV[3]), 'LIMIT', 0, ARGV[4])
  for _, id in ipairs(ids) do add(over, id) end
end
return { now, replies, over }`,
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
/** How many values that are over one change removes. */
const OVER_MAX = 100

export function redisRecords({ redis }: { readonly redis: Pick<Redis, 'run'> }): RecordStore {
  return { open: (kind) => new RedisRecords(kind, redis) }
}

/** What was read of a home: values with their texts, and the time. */
interface Seen<Value> {
  readonly now: number
  /** What each query found, and by what a change of it is seen. */
  readonly found: readonly { readonly token: string; readonly values: readonly Value[] }[]
  /** All of it by id, with the texts. */
  readonly stored: ReadonlyMap<string, { readonly value: Value; readonly text: string }>
  readonly over: ReadonlyMap<string, Value>
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
    return this.#readable(await this.#read(home, [page]), 0)
  }

  async change<Given extends Reads, Result>(
    home: string,
    reads: Given,
    decide: Decide<Value, Given, Result>,
  ): Promise<Result> {
    const wheres = Object.values(reads)
    const pages = wheres.map((where) => ({ ...where, limit: READ_MAX }))
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const seen = await this.#read(home, pages, OVER_MAX)
      const found = readsOf(reads, (_, place) => this.#readable(seen, place))
      const change = decide(found, seen.now)
      if (await this.#isMade(home, wheres, seen, change)) return change.result
    }
    throw new StoreUnavailable(`the ${this.#kind.name} of a home are changed all the time`, { mayHaveHappened: false })
  }

  /** Where homes expire by themselves there is nothing to do. */
  async sweep(limit: number): Promise<number> {
    if (this.#kind.home !== undefined) return 0
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const seen = await this.#read('', [], limit)
      if (await this.#isMade('', [], seen, { result: undefined })) return seen.over.size
    }
    return 0
  }

  /** With `overMax` also so many values that are over. */
  async #read(home: string, pages: readonly Page[], overMax?: number): Promise<Seen<Value>> {
    const queries = pages.map((page) => this.#layout.query(home, page))
    const keys = [...this.#layout.keys(home), ...queries.map(({ key }) => key)]
    const bounds = overMax === undefined || this.#layout.isOne ? [] : [this.#kind.keepMs, overMax]
    const reply = await this.#redis.run(READ, keys, [JSON.stringify(queries), ...bounds])
    const [now, replies, over] = reply as readonly [
      now: number,
      replies: readonly (readonly [token: string | number, texts: readonly string[]])[],
      over: readonly string[],
    ]
    const stored = new Map<string, { readonly value: Value; readonly text: string }>()
    const valuesIn = (texts: readonly string[]) =>
      texts.map((text) => {
        const fields = this.#kind.home === undefined ? {} : { [this.#kind.home]: home }
        const value = this.#kind.redis.unpack(JSON.parse(text), fields)
        stored.set(this.#idOf(value), { value, text })
        return value
      })
    const found = replies.map(([token, texts]) => ({ token: String(token), values: valuesIn(texts) }))
    valuesIn(over)
    const isOver = (value: Value) => positionOf(this.#kind, value).at <= now - this.#kind.keepMs
    return {
      now,
      found,
      stored,
      over: new Map([...stored].flatMap(([id, { value }]) => (isOver(value) ? [[id, value]] : []))),
    }
  }

  /** False when something that was read has changed. What is over is removed too. */
  async #isMade(
    home: string,
    wheres: readonly Where[],
    seen: Seen<Value>,
    { put = [], remove = [] }: RecordChange<Value, unknown>,
  ): Promise<boolean> {
    const ids = new Set(put.map((value) => this.#idOf(value)))
    const gone = [...seen.over.values(), ...remove].filter((value) => !ids.has(this.#idOf(value)))
    const writes: readonly Call[] = [
      ...gone.flatMap((value) => this.#layout.remove(home, value)),
      ...put.flatMap((value) => {
        const ttlMs = Math.max(this.#kind.keepMs, positionOf(this.#kind, value).at + this.#kind.keepMs - seen.now)
        return this.#layout.put(home, value, { old: seen.stored.get(this.#idOf(value))?.value, ttlMs })
      }),
    ]
    if (writes.length === 0) return true
    for (const id of seen.stored.keys()) ids.add(id)
    for (const { by, is = '' } of wheres) if (by === this.#kind.id) ids.add(String(is))
    const checks = [
      ...wheres.flatMap((where, place) => this.#layout.check(home, where, seen.found[place]?.token ?? '')),
      ...[...ids].map((id) => ({ call: this.#layout.read(home, id), reply: seen.stored.get(id)?.text ?? '' })),
    ]
    const keys = [...new Set([...checks.map(({ call }) => call), ...writes].map(([, key]) => key))]
    return (await this.#redis.run(COMMIT, keys, [JSON.stringify({ checks, writes })])) === 1
  }

  /** What a query found that is not over. */
  #readable({ found, over }: Seen<Value>, place: number): readonly Value[] {
    return (found[place]?.values ?? []).filter((value) => !over.has(this.#idOf(value)))
  }

  #idOf(value: Value): string {
    return positionOf(this.#kind, value).id
  }
}
