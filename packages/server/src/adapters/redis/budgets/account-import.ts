// Stores the use, the charged turns and the claims of accounts of another store in Redis, each in one script on the account's slot, as `budgets.ts`
// would have written them. What exists is newer and stays. For `mangaassist migrate`.
import type { Amounts } from '#domain/budget/quota.ts'
import type { AccountImport, AccountUse, ChargedTurn, DayUse, KeyClaim, SessionUse } from '#ports/migration/imports.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import { accountKeysOf } from './budgets.ts'
import { ACCOUNT, CLAIMS, TURN } from './lua.ts'

/** ARGV from 2: the day, until when it is stored, input, output, cost, messages. */
const ADD_DAY = script(
  'import-day',
  `${ACCOUNT}
local day, last = ARGV[2], tonumber(ARGV[3])
openAccount(day)
if account.isDayKept or last <= now then return 0 end
call('HSET', accountKey, 'at', now, day .. ':until', last, day .. ':input', ARGV[4], day .. ':output', ARGV[5],
  day .. ':cost', ARGV[6], day .. ':messages', ARGV[7])
lengthen(accountKey, account.isNew, last - now)
return 1`,
)

/** ARGV from 2: until when it is stored, input, output. */
const ADD_SESSION = script(
  'import-session-use',
  `${ACCOUNT}
local last = tonumber(ARGV[2])
if call('EXISTS', sessionKey) == 1 or last <= now then return 0 end
call('HSET', sessionKey, 'input', ARGV[3], 'output', ARGV[4])
call('PEXPIRE', sessionKey, last - now)
return 1`,
)

/** ARGV from 2: session, day, its end, key, until when it is stored, whether there is overage, the grant. */
const ADD_TURN = script(
  'import-turn',
  `${ACCOUNT}${TURN}
local session, day, endsAt, key, last = ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6])
openAccount(day)
if readTurn() or last <= now then return 0 end
local state = ARGV[7] == '1' and OVER or 'settled'
putTurn(state, { session = session, day = day, endsAt = endsAt, granted = amounts(8), key = key })
return 1`,
)

/** ARGV from 2: turn, session, day, its end, key, fingerprint, until when it is claimed, whether there is overage, the grant. */
const ADD_CLAIM = script(
  'import-claim',
  `${ACCOUNT}${TURN}${CLAIMS}
local id, session, day, endsAt = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local key, fingerprint, last = ARGV[6], ARGV[7], tonumber(ARGV[8])
openAccount(day)
if claimOf(key) or last <= now then return 0 end
if not readTurn() then
  local state = ARGV[9] == '1' and OVER or 'settled'
  putTurn(state, { session = session, day = day, endsAt = endsAt, granted = amounts(10), key = key })
end
putClaim(key, { endsAt = last, turn = id, session = session, fingerprint = fingerprint })
stamp()
return 1`,
)

/** ARGV from 2: the day. */
const READ_DAY = script(
  'imported-day',
  `${ACCOUNT}
local day = ARGV[2]
openAccount(day)
if not account.isDayKept then return false end
return { call('HGET', accountKey, day .. ':until'), account.used[1], account.used[2], account.used[3], account.messages }`,
)

const READ_SESSION = script(
  'imported-session-use',
  `${ACCOUNT}
local used = call('HMGET', sessionKey, 'input', 'output')
if not used[1] then return false end
return { now + call('PTTL', sessionKey), tonumber(used[1]), tonumber(used[2]) or 0 }`,
)

const READ_TURN = script(
  'imported-turn',
  `${ACCOUNT}${TURN}
local turn = readTurn()
if not turn then return false end
return { now + call('PTTL', turnKey), turn.session, turn.day, turn.endsAt, turn.key, turn.state == OVER and 1 or 0,
  turn.granted[1], turn.granted[2], turn.granted[3] }`,
)

/** ARGV from 2: the key. */
const READ_CLAIM = script(
  'imported-claim',
  `${ACCOUNT}${TURN}${CLAIMS}
openAccount('')
local claim, turn = claimOf(ARGV[2]), readTurn()
if not claim or not turn then return false end
return { claim.endsAt, claim.turn, claim.session, claim.fingerprint, turn.day, turn.endsAt, turn.state == OVER and 1 or 0,
  turn.granted[1], turn.granted[2], turn.granted[3] }`,
)

export function redisAccountImport({ redis }: { readonly redis: Pick<Redis, 'run'> }): AccountImport {
  return {
    async add(account, { kind, use }) {
      if (kind === 'day') await redis.run(ADD_DAY, accountKeysOf(account), dayArgs(use))
      else if (kind === 'session') await redis.run(ADD_SESSION, keysOfSession(account, use), sessionArgs(use))
      else if (kind === 'turn') await redis.run(ADD_TURN, accountKeysOf(account, use.turnId), turnArgs(use))
      else await redis.run(ADD_CLAIM, accountKeysOf(account, use.turnId), claimArgs(use))
    },
    async read(account, like) {
      const reply = await ask(redis, account, like)
      return reply === null ? undefined : toUse(like, reply as readonly (string | number)[])
    },
  }
}

function ask(redis: Pick<Redis, 'run'>, account: string, { kind, use }: AccountUse): Promise<unknown> {
  if (kind === 'day') return redis.run(READ_DAY, accountKeysOf(account), [use.day])
  if (kind === 'session') return redis.run(READ_SESSION, keysOfSession(account, use), [])
  if (kind === 'turn') return redis.run(READ_TURN, accountKeysOf(account, use.turnId), [])
  return redis.run(READ_CLAIM, accountKeysOf(account, use.turnId), [use.key])
}

/** There is no turn here: the empty id fills the position before the session's key. */
const keysOfSession = (account: string, { sessionId }: SessionUse) => accountKeysOf(account, '', sessionId)
const dayArgs = ({ day, messages, until, used }: DayUse) => [day, until, ...listed(used), messages]
const sessionArgs = ({ inputTokens, outputTokens, until }: SessionUse) => [until, inputTokens, outputTokens]
const listed = (amounts: Amounts) => [amounts.inputTokens, amounts.outputTokens, amounts.costMicroUsd]

function turnArgs({ day, granted, key, overage, sessionId, until }: ChargedTurn) {
  return [sessionId, day.key, day.endsAt, key, until, overage ? 1 : 0, ...listed(granted)]
}

function claimArgs({ day, fingerprint, granted, key, overage, sessionId, turnId, until }: KeyClaim) {
  const turn = [turnId, sessionId, day.key, day.endsAt]
  return [...turn, key, fingerprint, until, overage ? 1 : 0, ...listed(granted)]
}

function toUse(like: AccountUse, reply: readonly (string | number)[]): AccountUse {
  const number = (at: number) => Number(reply[at])
  const amounts = (at: number) => ({
    inputTokens: number(at),
    outputTokens: number(at + 1),
    costMicroUsd: number(at + 2),
  })
  const until = number(0)
  if (like.kind === 'day')
    return { kind: 'day', use: { day: like.use.day, used: amounts(1), messages: number(4), until } }
  if (like.kind === 'session') {
    const { sessionId } = like.use
    return { kind: 'session', use: { sessionId, inputTokens: number(1), outputTokens: number(2), until } }
  }
  if (like.kind === 'turn') {
    const [, sessionId = '', key = '', , claimKey = ''] = reply.map(String)
    const use = { turnId: like.use.turnId, sessionId, day: { key, endsAt: number(3) }, key: claimKey }
    return { kind: 'turn', use: { ...use, granted: amounts(6), overage: reply[5] === 1, until } }
  }
  const [, turnId = '', sessionId = '', fingerprint = '', day = ''] = reply.map(String)
  const use = { key: like.use.key, fingerprint, turnId, sessionId, day: { key: day, endsAt: number(5) } }
  return { kind: 'claim', use: { ...use, granted: amounts(7), overage: reply[6] === 1, until } }
}
