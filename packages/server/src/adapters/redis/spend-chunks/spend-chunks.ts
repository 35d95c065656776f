// The shop's spending on Redis: one key for each account and day, on a slot of its own; nodes ask a few times a minute. The
// arithmetic duplicates the memory adapter's; the contract holds the two equal.
import type { SpendAccount, SpendChunks, SpendStep } from '#ports/spend-chunks/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

/**
 * KEYS: account, operation. ARGV: the end of the day, the limit, the least, and the most or the amount returned or charged.
 */
const ACCOUNT = `
local KEEP_MS, OPERATION_MS = 172800000, 600000
local endsAt, limit, least, most = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local before = redis.call('GET', KEYS[2])
if before then return cmsgpack.unpack(before) end
local row = redis.call('HMGET', KEYS[1], 'taken', 'highest')
local taken, highest = tonumber(row[1]) or 0, tonumber(row[2]) or 0

local function write(after, answer)
  redis.call('HSET', KEYS[1], 'taken', string.format('%.0f', after), 'highest', string.format('%.0f', math.max(highest, after)))
  redis.call('PEXPIRE', KEYS[1], math.max(endsAt - now, 0) + KEEP_MS)
  redis.call('SET', KEYS[2], cmsgpack.pack(answer), 'PX', OPERATION_MS)
  return answer
end
`

const LEASE = script(
  'spend-lease',
  `${ACCOUNT}
local left = math.max(0, limit - taken)
if left < least then return { 0, left, 0 } end
local granted = math.min(most, left)
local after, reached = math.max(highest, taken + granted), 0
for _, step in ipairs({ 50, 80, 100 }) do
  if highest * 100 < step * limit and after * 100 >= step * limit then reached = step end
end
return write(taken + granted, { granted, left - granted, reached })`,
)

const GIVE_BACK = script('spend-give-back', `${ACCOUNT}\nreturn write(math.max(0, taken - most), { 0, 0, 0 })`)

const CHARGE = script('spend-charge', `${ACCOUNT}\nreturn write(taken + most, { 0, 0, 0 })`)

export function redisSpendChunks({ redis }: { readonly redis: Pick<Redis, 'run' | 'command'> }): SpendChunks {
  const accountKey = ({ name, day }: SpendAccount) => `{spend:${name}:${day.key}}:taken`
  const keysOf = (account: SpendAccount, operation: string) => [
    accountKey(account),
    `{spend:${account.name}:${account.day.key}}:op:${operation}`,
  ]
  const argsOf = ({ day, limitMicroUsd }: SpendAccount, least: number, most: number) => [
    day.endsAt,
    limitMicroUsd,
    least,
    most,
  ]
  return {
    async lease(account, { least, most }, operation) {
      const reply = await redis.run(LEASE, keysOf(account, operation), argsOf(account, least, most))
      const [grantedMicroUsd, leftMicroUsd, reached] = reply as readonly [number, number, 0 | SpendStep]
      return { grantedMicroUsd, leftMicroUsd, ...(reached === 0 ? {} : { reached }) }
    },
    async giveBack(account, microUsd, operation) {
      await redis.run(GIVE_BACK, keysOf(account, operation), argsOf(account, 0, microUsd))
    },
    async charge(account, microUsd, operation) {
      await redis.run(CHARGE, keysOf(account, operation), argsOf(account, 0, microUsd))
    },
    async taken(account) {
      const key = accountKey(account)
      return Number((await redis.command(key, 'HGET', key, 'taken')) ?? 0)
    },
  }
}
