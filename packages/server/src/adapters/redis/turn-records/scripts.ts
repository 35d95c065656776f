// The scripts of turn records. A record is a hash: `facts` never change; the principal, the thumb and each note have a field. A
// hash without facts has notes that wait for their record, until `notedUntil`. A note that begins with + is counted.
import { script } from '../client/script.ts'

const NOTE = `local function note(cards, first)
  if cards ~= '0' then redis.call('HINCRBY', KEYS[1], 'cardsOpened', cards) end
  for index = first, #ARGV do
    local name = ARGV[index]
    if string.sub(name, 1, 1) == '+' then redis.call('HINCRBY', KEYS[1], string.sub(name, 2), 1)
    else redis.call('HSET', KEYS[1], name, 1) end
  end
end
local function forget_late()
  local noted = redis.call('HGET', KEYS[1], 'notedUntil')
  if noted and tonumber(noted) <= now then redis.call('DEL', KEYS[1]) end
end
`

/** KEYS: the record. ARGV from 2: how long to keep it, facts, principal, thumb or nothing, cards opened, names of notes. */
export const ADD = script(
  'turn-record-add',
  `${NOTE}if redis.call('HEXISTS', KEYS[1], 'facts') == 1 then return 0 end
forget_late()
redis.call('HSET', KEYS[1], 'facts', ARGV[3], 'principal', ARGV[4])
redis.call('HDEL', KEYS[1], 'notedUntil')
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'feedback', ARGV[5]) end
note(ARGV[6], 7)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
)

/** KEYS: the record. ARGV from 2: how long a note waits for its record, cards opened, names of notes. */
export const ADD_NOTE = script(
  'turn-record-note',
  `${NOTE}if redis.call('HEXISTS', KEYS[1], 'facts') == 0 then
  forget_late()
  redis.call('HSET', KEYS[1], 'notedUntil', now + tonumber(ARGV[2]))
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
note(ARGV[3], 4)
return 1`,
)

/** KEYS: the record. ARGV[2]: the thumb, or nothing to take it back. Returns whether there is a record. */
export const SET_FEEDBACK = script(
  'turn-record-feedback',
  `if redis.call('HEXISTS', KEYS[1], 'facts') == 0 then return 0 end
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], 'feedback') else redis.call('HSET', KEYS[1], 'feedback', ARGV[2]) end
return 1`,
)

/** KEYS: the record. ARGV from 2: the principal before, the new one. */
export const SET_PRINCIPAL = script(
  'turn-record-principal',
  `if redis.call('HGET', KEYS[1], 'principal') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'principal', ARGV[3])
return 1`,
)

/** KEYS: the index of a day. ARGV from 2: how long to keep it, entries. */
export const INDEX = script(
  'turn-records-index',
  `for index = 3, #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
)

/** KEYS: who was forgotten, and when. ARGV from 2: how long it is remembered, the name. */
export const REMEMBER_FORGOTTEN = script(
  'turn-records-forget',
  `redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[2]))
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
)

/** KEYS: who was forgotten, and when. ARGV from 2: how long it is remembered, names. Returns the times, 0 for never. */
export const FORGOTTEN = script(
  'turn-records-forgotten',
  `local found = {}
if redis.call('EXISTS', KEYS[1]) == 0 then return found end
for index = 3, #ARGV do
  local at = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[index]) or 0)
  found[index - 2] = at > now - tonumber(ARGV[2]) and at or 0
end
return found`,
)
