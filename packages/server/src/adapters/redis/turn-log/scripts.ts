// The verbs of the turn log, each one script on the turn's slot. All can be repeated after a lost reply: appends name the
// number of their first record, openings and takeovers carry an operation id.  KEYS: 1 the turn, 2 its records, 3 the nodes
// that have readers of it. ARGV[2] is the new expiry. In the list of records the start is at 0 and record `seq` at `seq -
// base + 1`: `base` is 1, or the snapshot's `seq`.
import { script } from '../client/script.ts'

const KEEP = `local function keep()
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[2]) end
end
`

const WRITE = `local function push(from)
  for first = from, #ARGV, 500 do
    redis.call('RPUSH', KEYS[2], unpack(ARGV, first, math.min(first + 499, #ARGV)))
  end
end
local function written(live, stop, from, ends)
  if ends == '1' then redis.call('HSET', KEYS[1], 'endedAt', now) end
  keep()
  if from > #ARGV then return end
  redis.call('SPUBLISH', live, '[' .. table.concat(ARGV, ',', from) .. ']')
  if ends == '1' then redis.call('SPUBLISH', stop, 'end') end
end
`

/** 3 leaseMs, 4 operation, 5 the record of the start. */
export const OPEN = script(
  'turn-log.open',
  `${KEEP}
if redis.call('EXISTS', KEYS[1]) == 1 then
  return redis.call('HGET', KEYS[1], 'op') == ARGV[4] and 1 or 0
end
redis.call('HSET', KEYS[1], 'epoch', 1, 'leasedUntil', now + ARGV[3], 'count', 1, 'base', 1, 'seenAt', now, 'op', ARGV[4])
redis.call('RPUSH', KEYS[2], ARGV[5])
keep()
return 1`,
)

/** 3 epoch, 4 seq of the first record, 5 whether the turn ends, 6 and 7 the channels, then records. */
export const EXTEND = script(
  'turn-log.extend',
  `${KEEP}${WRITE}
local turn = redis.call('HMGET', KEYS[1], 'epoch', 'count', 'endedAt')
if not turn[1] then return {'missing', 0} end
local first, count = tonumber(ARGV[4]), tonumber(turn[2])
if turn[1] ~= ARGV[3] then return {'fenced', count} end
local after = first + #ARGV - 7
if turn[3] then return {after <= count and 'done' or 'fenced', count} end
if first > count then return {'behind', count} end
local from = 8 + count - first
if from <= #ARGV then
  push(from)
  redis.call('HSET', KEYS[1], 'count', after)
  count = after
end
written(ARGV[6], ARGV[7], from, ARGV[5])
return {'done', count}`,
)

/**
 * Rewrites the whole log with new records. 3 epoch, 4 base, 5 whether the turn ends, 6 and 7 the channels, 8 leaseMs to
 * create a missing turn with (empty: do not), 9 whether a stop was requested, then records from the start on.
 */
export const REWRITE = script(
  'turn-log.rewrite',
  `${KEEP}${WRITE}
local turn = redis.call('HMGET', KEYS[1], 'epoch', 'count', 'endedAt')
local base = tonumber(ARGV[4])
local after = base + #ARGV - 10
local count = tonumber(turn[2]) or 0
if not turn[1] then
  if ARGV[8] == '' then return {'missing', 0} end
  redis.call('HSET', KEYS[1], 'epoch', ARGV[3], 'leasedUntil', now + ARGV[8], 'seenAt', now)
  if ARGV[9] == '1' then redis.call('HSET', KEYS[1], 'stop', 1) end
else
  if turn[1] ~= ARGV[3] then return {'fenced', count} end
  if turn[3] then return {after <= count and 'done' or 'fenced', count} end
end
if after < count then return {'done', count} end
redis.call('DEL', KEYS[2])
push(10)
redis.call('HSET', KEYS[1], 'count', after, 'base', base)
written(ARGV[6], ARGV[7], math.max(11, 11 + count - base), ARGV[5])
return {'done', after}`,
)

/**
 * 3 the last seq of the reader. Returns nothing, or epoch, whether a stop was requested, whether the turn ended, records.
 */
export const READ = script(
  'turn-log.read',
  `local turn = redis.call('HMGET', KEYS[1], 'epoch', 'base', 'stop', 'endedAt')
if not turn[1] then return false end
local after = tonumber(ARGV[3])
local from = after < 0 and 0 or math.max(1, after - turn[2] + 2)
return {turn[1], turn[3] and 1 or 0, turn[4] and 1 or 0, redis.call('LRANGE', KEYS[2], from, -1)}`,
)

/** Returns nothing, or the record of the start. */
export const START = script('turn-log.start', `return redis.call('LINDEX', KEYS[2], 0)`)

/**
 * 3 epoch, 4 leaseMs, 5 whether the owner has readers itself. Returns `missing`, `fenced`, or how long the turn had no
 * reader, whether a stop was requested, and the end of the lease.
 */
export const RENEW = script(
  'turn-log.renew',
  `${KEEP}
local turn = redis.call('HMGET', KEYS[1], 'epoch', 'endedAt', 'seenAt', 'stop')
if not turn[1] then return 'missing' end
if turn[1] ~= ARGV[3] or turn[2] then return 'fenced' end
redis.call('HSET', KEYS[1], 'leasedUntil', now + ARGV[4])
local seenAt = tonumber(turn[3])
local readers = ARGV[5] == '1' or redis.call('ZCOUNT', KEYS[3], now, '+inf') > 0
if readers then seenAt = math.max(seenAt, now) end
redis.call('HSET', KEYS[1], 'seenAt', seenAt)
keep()
return {math.max(0, now - seenAt), turn[4] and 1 or 0, now + ARGV[4]}`,
)

/** 3 epoch. Ends its lease now. Returns whether the turn has no end and still had this epoch. */
export const RELEASE = script(
  'turn-log.release',
  `${KEEP}
local turn = redis.call('HMGET', KEYS[1], 'epoch', 'endedAt')
if turn[1] ~= ARGV[3] or turn[2] then return 0 end
redis.call('HSET', KEYS[1], 'leasedUntil', now)
keep()
return 1`,
)

/** 3 leaseMs, 4 operation. Returns nothing, or the new epoch, whether a stop was requested, and the records. */
export const TAKE_OVER = script(
  'turn-log.take-over',
  `${KEEP}
local turn = redis.call('HMGET', KEYS[1], 'leasedUntil', 'endedAt', 'op', 'stop', 'epoch')
if not turn[1] or turn[2] then return false end
if turn[3] ~= ARGV[4] then
  if tonumber(turn[1]) > now then return false end
  turn[5] = redis.call('HINCRBY', KEYS[1], 'epoch', 1)
  redis.call('HSET', KEYS[1], 'leasedUntil', now + ARGV[3], 'op', ARGV[4])
  keep()
end
return {tonumber(turn[5]), turn[4] and 1 or 0, redis.call('LRANGE', KEYS[2], 0, -1)}`,
)

/**
 * 3 the node, 4 how long it counts as reading. Returns how many records there have been (−1 when the turn does not exist)
 * and whether it has no end and its lease has lapsed.
 */
export const ATTEND = script(
  'turn-log.attend',
  `local turn = redis.call('HMGET', KEYS[1], 'count', 'seenAt', 'leasedUntil', 'endedAt')
if not turn[1] then return {-1, 0} end
redis.call('ZADD', KEYS[3], now + ARGV[4], ARGV[3])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
redis.call('HSET', KEYS[1], 'seenAt', math.max(now, tonumber(turn[2])))
return {tonumber(turn[1]), (not turn[4] and tonumber(turn[3]) <= now) and 1 or 0}`,
)

/** 3 the node whose last reader has left. */
export const LEAVE = script(
  'turn-log.leave',
  `redis.call('ZREM', KEYS[3], ARGV[3])
local seenAt = redis.call('HGET', KEYS[1], 'seenAt')
if seenAt then redis.call('HSET', KEYS[1], 'seenAt', math.max(now, tonumber(seenAt))) end
return 1`,
)

/** 3 the channel. Returns whether a running turn has a stop request. */
export const STOP = script(
  'turn-log.stop',
  `local turn = redis.call('HMGET', KEYS[1], 'epoch', 'endedAt', 'stop')
if not turn[1] or turn[2] then return 0 end
if not turn[3] then
  redis.call('HSET', KEYS[1], 'stop', 1)
  redis.call('SPUBLISH', ARGV[3], 'stop')
end
return 1`,
)

/** Returns whether a stop was requested: 1 or 0; −1 when the turn has ended or does not exist. */
export const IS_STOP_REQUESTED = script(
  'turn-log.is-stop-requested',
  `local turn = redis.call('HMGET', KEYS[1], 'epoch', 'endedAt', 'stop')
if not turn[1] or turn[2] then return -1 end
return turn[3] and 1 or 0`,
)

/** Returns the end of the lease, whether it has passed, and the epoch; −1 when the turn has ended or does not exist. */
export const LEASE_OF = script(
  'turn-log.lease-of',
  `local turn = redis.call('HMGET', KEYS[1], 'leasedUntil', 'endedAt', 'epoch')
if not turn[1] or turn[2] then return {-1, 0, 0} end
return {tonumber(turn[1]), tonumber(turn[1]) <= now and 1 or 0, tonumber(turn[3])}`,
)

/**
 * 3 the turn must have ended before (empty: any time), 4 operation. KEYS[4] stores for a while which operation removed the
 * turn. Returns 1 when this one did, 0 when the turn stays, −1 when it does not exist.
 */
export const FORGET = script(
  'turn-log.forget',
  `local turn = redis.call('HMGET', KEYS[1], 'epoch', 'endedAt')
if not turn[1] then return redis.call('GET', KEYS[4]) == ARGV[4] and 1 or -1 end
if not turn[2] or (ARGV[3] ~= '' and tonumber(turn[2]) >= tonumber(ARGV[3])) then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('SET', KEYS[4], ARGV[4], 'PX', 60000)
return 1`,
)
