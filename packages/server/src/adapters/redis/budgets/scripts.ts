// The verbs of budgets as scripts: each is one atomic step on the principal's slot. All are idempotent by the turn's id, so
// a call whose reply was lost can be repeated.
import { script } from '../client/script.ts'
import { ACCOUNT, CLAIMS, DAYS, GRANT, HOLDS, QUOTA, RAISE, RATES, TURN } from './lua.ts'

const admit = `
local turn, session, day, dayEndsAt = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local key, fingerprint, claimMs, leaseMs = ARGV[6], ARGV[7], tonumber(ARGV[8]), tonumber(ARGV[9])
local ask = amounts(10)
local limits = {
  day = amounts(13),
  session = { tonumber(ARGV[16]), tonumber(ARGV[17]) },
  perMinute = tonumber(ARGV[18]),
  messagesPerDay = tonumber(ARGV[19]),
  perSecond = tonumber(ARGV[20]),
  burst = tonumber(ARGV[21]),
  inputMin = tonumber(ARGV[22]),
  outputMin = tonumber(ARGV[23]),
}

openAccount(day)
local holds = readHolds(day, session)
if #holds.over > 0 then call('HDEL', holdsKey, unpack(holds.over)) end
local minute = readMinute()
local function quota() return quotaOf(holds.reserved, minute) end

local function usedOfSession()
  local used = call('HMGET', sessionKey, 'input', 'output')
  return { tonumber(used[1]) or 0, tonumber(used[2]) or 0 }
end

local before = readTurn()
if before and before.state ~= 'released' then
  return { 'granted', before.session, before.day, before.endsAt, before.granted, quota(), usedOfSession() }
end

local claimed = claimedAs(key, fingerprint)
if claimed then return claimed end
if holds.busyWith then return { 'session-busy', holds.busyWith } end
-- The epoch in which the day must have been compared with the ledger; empty: in none.
if ARGV[24] ~= '' and account.comparedIn ~= ARGV[24] then return { 'not-compared' } end

local bucket = readBucket(limits.perSecond, limits.burst)
local minuteMs = minuteWaitMs(minute.count, limits.perMinute)
if bucket.waitMs > 0 or minuteMs > 0 then
  if bucket.waitMs > minuteMs then return { 'rate-limited', 'user-rate', bucket.waitMs, quota() } end
  return { 'rate-limited', 'requests-per-minute', minuteMs, quota() }
end
if account.messages >= limits.messagesPerDay then
  return { 'rate-limited', 'messages-per-day', math.max(0, dayEndsAt - now), quota() }
end

local ofSession = usedOfSession()
local granted, exceeded = grant(ask, limits, account.used, holds.reserved, ofSession)
if not granted then return { 'quota-exceeded', exceeded, quota() } end

putTurn('held', { session = session, day = day, endsAt = dayEndsAt, granted = granted, key = key })
local hold = { expiresAt = now + leaseMs, reserved = granted, day = day, session = session }
putHold(turn, hold, holds.liveCount == 0)
putClaim(key, { endsAt = now + claimMs, turn = turn, session = session, fingerprint = fingerprint })
takeMinute(turn, minute.hasOver)
writeDay(dayEndsAt, day .. ':messages', account.messages + 1, 'arrival', bucket.next,
  'busyFrom', bucket.busyFrom, 'interval', bucket.intervalMs)
for part = 1, 3 do holds.reserved[part] = holds.reserved[part] + granted[part] end
minute = { count = minute.count + 1, resetMs = minute.count > 0 and minute.resetMs or WINDOW_MS }
return { 'granted', session, day, dayEndsAt, granted, quota(), ofSession }
`

const markCompared = `
local day = ARGV[2]
openAccount(day)
writeDay(tonumber(ARGV[3]), day .. ':messages', math.max(account.messages, tonumber(ARGV[4])), day .. ':compared', ARGV[5])
return 1
`

const claimed = `
openAccount('')
return claimedAs(ARGV[2], ARGV[3]) or false
`

const claim = `
local id, session, day, endsAt = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local key, fingerprint, claimMs = ARGV[6], ARGV[7], tonumber(ARGV[8])
openAccount(day)
if not readTurn() then
  putTurn(ALONE, { session = session, day = day, endsAt = endsAt, granted = amounts(9), key = key })
end
local before = claimOf(key)
if not before or before.turn ~= id then
  putClaim(key, { endsAt = now + claimMs, turn = id, session = session, fingerprint = fingerprint })
end
stamp()
return 1
`

const narrow = `
openAccount('')
local hold = liveHold(ARGV[2])
if not hold then return 0 end
local to = amounts(3)
for part = 1, 3 do hold.reserved[part] = math.min(hold.reserved[part], to[part]) end
putHold(ARGV[2], hold, false)
stamp()
return 1
`

const extend = `
local id, to = ARGV[2], amounts(4)
local hold = storedHold(id)
if not hold or hold.session ~= ARGV[3] then return 0 end
openAccount(hold.day)
if hold.expiresAt <= now then return 0 end
local used = call('HMGET', sessionKey, 'input', 'output')
local ofSession = { tonumber(used[1]) or 0, tonumber(used[2]) or 0 }
local limits = { day = amounts(7), session = { tonumber(ARGV[10]), tonumber(ARGV[11]) } }
local raised = raisedTo(hold.reserved, to, limits, account.used, readHolds(hold.day, nil).reserved, ofSession)
if not raised then return 0 end
hold.reserved = raised
putHold(id, hold, false)
stamp()
return 1
`

const renew = `
openAccount('')
local hold = liveHold(ARGV[2])
if not hold then return 0 end
hold.expiresAt = math.max(hold.expiresAt, now + tonumber(ARGV[3]))
putHold(ARGV[2], hold, false)
stamp()
return 1
`

const settle = `
local id, session, day, dayEndsAt = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local granted, used, claimMs = amounts(6), amounts(9), tonumber(ARGV[12])
local alarmAt = tonumber(ARGV[13]) or math.huge
openAccount(day)
local turn = readTurn()
if turn and (turn.state == 'settled' or turn.state == OVER) then return { 0, turn.state == OVER and 1 or 0, 0 } end

local hold = liveHold(id)
if hold and ARGV[14] == '1' then return { 0, 0, 0 } end
local covered = hold and hold.reserved or { 0, 0, 0 }
local isOver = 0
for part = 1, 3 do if used[part] > covered[part] then isOver = 1 end end

local settled = isOver == 1 and OVER or 'settled'
local before = account.used
local isAlarm = before[3] <= alarmAt and before[3] + used[3] > alarmAt and 1 or 0
writeDay(dayEndsAt, day .. ':input', before[1] + used[1], day .. ':output', before[2] + used[2],
  day .. ':cost', before[3] + used[3])
call('HINCRBY', sessionKey, 'input', used[1])
call('HINCRBY', sessionKey, 'output', used[2])
call('PEXPIRE', sessionKey, KEEP_MS)
call('HDEL', holdsKey, id)
if not turn then
  -- It was forgotten before it was settled: it is remembered now, so that it is charged once.
  putTurn(settled, { session = session, day = day, endsAt = dayEndsAt, granted = granted, key = '' })
  return { 1, isOver, isAlarm }
end
changeTurn(settled, turn)
local claim = claimMs and claimOf(turn.key)
if claim and claim.turn == id then
  claim.endsAt = now + claimMs
  putClaim(turn.key, claim)
end
return { 1, isOver, isAlarm }
`

const resetDay = `
local day = ARGV[2]
openAccount(day)
if not account.isDayKept then return { 0, 0, 0 } end
local held = 0
local rows = call('HGETALL', holdsKey)
for i = 1, #rows, 2 do
  local expiresAt, _, _, _, ofDay = cmsgpack.unpack(rows[i + 1])
  if expiresAt > now and ofDay == day then held = held + 1 end
end
call('HSET', accountKey, day .. ':input', 0, day .. ':output', 0, day .. ':cost', 0, day .. ':messages', held)
stamp()
return account.used
`

// The dollars of a session are not stored: they are counted by the day.
const resetSession = `
local key = KEYS[6]
local used = call('HMGET', key, 'input', 'output')
-- What was carried over from a guest stays known, or it would come again.
if used[1] or used[2] then call('HSET', key, 'input', 0, 'output', 0) end
return { tonumber(used[1]) or 0, tonumber(used[2]) or 0, 0 }
`

const release = `
local id = ARGV[2]
local turn = readTurn()
if not turn or turn.state == 'settled' or turn.state == OVER then return 0 end
openAccount(turn.day)
dropClaimOf(id, turn.key)
if turn.state ~= 'held' then return 0 end
changeTurn('released', turn)
call('HDEL', holdsKey, id)
undoRates(id)
if account.isDayKept then call('HINCRBY', accountKey, turn.day .. ':messages', -1) end
stamp()
return 1
`

const forgetClaim = `
local turn = readTurn()
if not turn then return 0 end
openAccount(turn.day)
dropClaimOf(ARGV[2], turn.key)
return 1
`

const quota = `
local day = ARGV[2]
openAccount(day)
return quotaOf(readHolds(day, nil).reserved, readMinute())
`

const runningTurn = `
openAccount('')
return readHolds(nil, ARGV[2]).busyWith or false
`

export const SHARED_STATE_SCRIPTS = {
  admit: script('admit', ACCOUNT + DAYS + HOLDS + TURN + CLAIMS + RATES + GRANT + QUOTA + admit),
  markCompared: script('mark-compared', ACCOUNT + DAYS + markCompared),
  claimed: script('claimed', ACCOUNT + CLAIMS + claimed),
  // Urgent: until it is written, another node may admit the same question.
  claim: { ...script('claim', ACCOUNT + TURN + CLAIMS + claim), isUrgent: true },
  narrow: script('narrow', ACCOUNT + HOLDS + narrow),
  extend: script('extend', ACCOUNT + HOLDS + RAISE + extend),
  renew: script('renew', ACCOUNT + HOLDS + renew),
  settle: script('settle', ACCOUNT + DAYS + HOLDS + TURN + CLAIMS + settle),
  resetDay: script('reset-day', ACCOUNT + resetDay),
  resetSession: script('reset-session', ACCOUNT + resetSession),
  release: script('release', ACCOUNT + TURN + CLAIMS + RATES + release),
  forgetClaim: script('forget-claim', ACCOUNT + TURN + CLAIMS + forgetClaim),
  quota: script('quota', ACCOUNT + HOLDS + RATES + QUOTA + quota),
  runningTurn: script('running-turn', ACCOUNT + HOLDS + runningTurn),
} as const
