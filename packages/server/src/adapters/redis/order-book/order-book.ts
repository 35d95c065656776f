// Orders that the nodes share, on the principal's slot: the orders with their keys, their order in time, and the way from a key to its
// order. Every verb is one script. The keys expire with the latest order.
import type { Order } from '#domain/commerce/order.ts'
import { ORDERS_MAX } from '#ports/order-book/port.ts'
import type { NewOrder, OrderBook } from '#ports/order-book/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

export interface RedisOrderBookOptions {
  readonly redis: Redis
  /** How long an order is stored after it was placed. */
  readonly keepMs: number
}

/** Removes expired orders first, so that nothing else has to ask for their age. ARGV[2]: keepMs. */
const PRELUDE = `local orders, times, keys = unpack(KEYS)
local call, keep_ms = redis.call, tonumber(ARGV[2])
local function remove(ids)
  for _, id in ipairs(ids) do
    local text = call('HGET', orders, id)
    if text then call('HDEL', keys, cjson.decode(text).key) end
    call('HDEL', orders, id)
    call('ZREM', times, id)
  end
end
remove(call('ZRANGEBYSCORE', times, '-inf', now - keep_ms))
`

/** ARGV from 3: key, order id, placedAt, the order with its key. */
const PLACE = script(
  'order-place',
  `${PRELUDE}local same = call('HGET', keys, ARGV[3])
if same then return call('HGET', orders, same) end
call('HSET', orders, ARGV[4], ARGV[6])
call('ZADD', times, ARGV[5], ARGV[4])
call('HSET', keys, ARGV[3], ARGV[4])
remove(call('ZRANGE', times, 0, -${ORDERS_MAX + 1}))
for _, key in ipairs(KEYS) do call('PEXPIRE', key, keep_ms) end
return ARGV[6]`,
)

/** ARGV from 3: limit. */
const LIST = script(
  'order-list',
  `${PRELUDE}local found = {}
if tonumber(ARGV[3]) < 1 then return found end
for _, id in ipairs(call('ZREVRANGE', times, 0, tonumber(ARGV[3]) - 1)) do found[#found + 1] = call('HGET', orders, id) end
return found`,
)

/** ARGV from 3: `id` or `key`, and its value. */
const FIND = script(
  'order-find',
  `${PRELUDE}local id = ARGV[4]
if ARGV[3] == 'key' then id = call('HGET', keys, id) end
return id and call('HGET', orders, id) or ''`,
)

/** Returns how many there were. */
const FORGET = script(
  'order-forget',
  `${PRELUDE}local count = call('HLEN', orders)
call('DEL', orders, times, keys)
return count`,
)

export function redisOrderBook({ keepMs, redis }: RedisOrderBookOptions): OrderBook {
  async function list(principalId: string, limit: number): Promise<readonly NewOrder[]> {
    const found = (await redis.run(LIST, keysOf(principalId), [keepMs, limit])) as readonly string[]
    return found.map(parsed)
  }

  async function place(principalId: string, placed: NewOrder): Promise<Order> {
    const { key, order } = placed
    const args = [keepMs, key, order.id, order.placedAt, JSON.stringify(placed)]
    return parsed(String(await redis.run(PLACE, keysOf(principalId), args))).order
  }

  async function find(principalId: string, by: 'id' | 'key', value: string): Promise<Order | undefined> {
    const text = String(await redis.run(FIND, keysOf(principalId), [keepMs, by, value]))
    return text === '' ? undefined : parsed(text).order
  }

  const forget = async (principalId: string): Promise<number> =>
    Number(await redis.run(FORGET, keysOf(principalId), [keepMs]))

  return {
    place,
    list: async (principalId, limit) => (await list(principalId, limit)).map(({ order }) => order),
    find: (principalId, orderId) => find(principalId, 'id', orderId),
    findByKey: (principalId, key) => find(principalId, 'key', key),
    // Guest and user are on different slots: a repeat after a crash places none twice, because keys are kept.
    async adopt(guestId, userId) {
      const adopted = await list(guestId, ORDERS_MAX)
      for (const placed of adopted.toReversed()) await place(userId, placed)
      if (adopted.length > 0) await forget(guestId)
    },
    forget,
    sweep: async () => 0,
  }
}

const parsed = (text: string): NewOrder => JSON.parse(text) as NewOrder

function keysOf(principalId: string): readonly string[] {
  const base = `ma:{user:${encodeURIComponent(principalId)}}:orders`
  return [base, `${base}:times`, `${base}:keys`]
}
