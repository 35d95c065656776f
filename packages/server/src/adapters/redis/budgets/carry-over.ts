// Carries over the use of a conversation that a guest handed to a user. The two are on different slots, so it takes two
// scripts: the guest's reports its total, and the user's adds the part that it has not added yet. Both can be repeated.
import type { OwnedId } from '#ports/budgets/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import { ACCOUNT, HOLDS } from './lua.ts'

/** KEYS: those of the account's fragments, and the session. ARGV[2]: the session. */
const TELL = script(
  'carry-tell',
  `${ACCOUNT}${HOLDS}
openAccount('')
local used = call('HMGET', sessionKey, 'input', 'output')
return { readHolds(nil, ARGV[2]).busyWith or '', tonumber(used[1]) or 0, tonumber(used[2]) or 0 }`,
)

/** KEYS: the session. ARGV from 2: the input and output that the former owner used, and the expiry. */
const TAKE = script(
  'carry-take',
  `local call = redis.call
for index, part in ipairs({ 'input', 'output' }) do
  local taken = tonumber(call('HGET', KEYS[1], 'carried:' .. part)) or 0
  local given = tonumber(ARGV[index + 1])
  if given > taken then
    call('HINCRBY', KEYS[1], part, given - taken)
    call('HSET', KEYS[1], 'carried:' .. part, given)
    call('PEXPIRE', KEYS[1], ARGV[4])
  end
end
return 1`,
)

/** The same as for the use of any session. */
const KEEP_MS = 48 * 3_600_000

export async function carryOver(
  redis: Pick<Redis, 'run'>,
  session: OwnedId & { readonly inheritedFrom: string },
  keys: { readonly ofFormer: readonly string[]; readonly own: string },
): Promise<string | undefined> {
  const [busyWith, input, output] = (await redis.run(TELL, keys.ofFormer, [session.id])) as [string, number, number]
  if (busyWith !== '') return busyWith
  await redis.run(TAKE, [keys.own], [input, output, KEEP_MS])
  return undefined
}
