// The fragments of the budgets' scripts: each reads or changes one kind of data of a principal. The arithmetic duplicates
// domain/budget/quota.ts, lib/rates/gcra.ts and lib/rates/sliding-window.ts, because it must run where the numbers are;
// property tests hold the two equal. Sums are of integers below 2^53, so they are exact.

/**
 * Every script gets these keys, all on the principal's slot, and first opens the account: a hash of the bucket, of the use
 * of each day, and of the latest time written. Time never goes below that, even when a server with a slower clock took
 * over.
 */
export const ACCOUNT = `
local accountKey, minuteKey, holdsKey, evenClaimsKey, oddClaimsKey, turnKey, sessionKey = unpack(KEYS)
local call = redis.call
local KEEP_MS = 172800000
local MARGIN_MS = 600000
local account

local function amounts(first)
  return { tonumber(ARGV[first]), tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2]) }
end

local function openAccount(day)
  local row = call('HMGET', accountKey, 'at', 'arrival', 'busyFrom', 'interval', day .. ':until', day .. ':input',
    day .. ':output', day .. ':cost', day .. ':messages', day .. ':compared')
  now = math.max(now, tonumber(row[1]) or 0)
  local isDayKept = (tonumber(row[5]) or 0) > now
  account = {
    isNew = not row[1],
    arrivalAt = tonumber(row[2]),
    busyFrom = tonumber(row[3]),
    intervalMs = tonumber(row[4]),
    day = day,
    isDayKept = isDayKept,
    used = isDayKept and { tonumber(row[6]) or 0, tonumber(row[7]) or 0, tonumber(row[8]) or 0 } or { 0, 0, 0 },
    messages = isDayKept and tonumber(row[9]) or 0,
    comparedIn = isDayKept and row[10] or nil,
  }
end

-- GT alone would never set the expiry of a key that has none.
local function lengthen(key, isNew, ms)
  if isNew then call('PEXPIRE', key, ms) else call('PEXPIRE', key, ms, 'GT') end
end

local function stamp()
  call('HSET', accountKey, 'at', now)
  lengthen(accountKey, account.isNew, KEEP_MS)
end
`

/** Writes the day's field of the account; days long over are removed when another begins. */
export const DAYS = `
local DAY_FIELDS = { ':until', ':input', ':output', ':cost', ':messages', ':compared' }

local function sweepDays()
  local rows = call('HGETALL', accountKey)
  for i = 1, #rows, 2 do
    local day = string.match(rows[i], '^(.*):until$')
    if day and tonumber(rows[i + 1]) <= now then
      for _, field in ipairs(DAY_FIELDS) do call('HDEL', accountKey, day .. field) end
    end
  end
end

local function keptUntil(dayEndsAt)
  return math.max(dayEndsAt, now) + KEEP_MS
end

local function writeDay(dayEndsAt, ...)
  if not account.isDayKept then sweepDays() end
  local lastMs = keptUntil(dayEndsAt)
  call('HSET', accountKey, 'at', now, account.day .. ':until', lastMs, ...)
  lengthen(accountKey, account.isNew, lastMs - now)
end
`

/**
 * The live holds of a principal, in one hash: the reserved amount is their sum and never a counter. An expired hold counts
 * for nothing from that moment, removed or not.
 */
export const HOLDS = `
local SWEEP_MAX = 16

local function storedHold(turn)
  local packed = call('HGET', holdsKey, turn)
  if not packed then return nil end
  local expiresAt, input, output, cost, day, session = cmsgpack.unpack(packed)
  return { expiresAt = expiresAt, reserved = { input, output, cost }, day = day, session = session }
end

local function liveHold(turn)
  local hold = storedHold(turn)
  return hold and hold.expiresAt > now and hold or nil
end

local function putHold(turn, hold, isOnly)
  local reserved = hold.reserved
  call('HSET', holdsKey, turn,
    cmsgpack.pack(hold.expiresAt, reserved[1], reserved[2], reserved[3], hold.day, hold.session))
  lengthen(holdsKey, isOnly, hold.expiresAt - now + MARGIN_MS)
end

local function readHolds(ofDay, ofSession)
  local input, output, cost, liveCount, busyWith, over = 0, 0, 0, 0, nil, {}
  local rows = call('HGETALL', holdsKey)
  for i = 1, #rows, 2 do
    local expiresAt, holdInput, holdOutput, holdCost, day, session = cmsgpack.unpack(rows[i + 1])
    if expiresAt <= now then
      if #over < SWEEP_MAX then over[#over + 1] = rows[i] end
    else
      liveCount = liveCount + 1
      if day == ofDay then input, output, cost = input + holdInput, output + holdOutput, cost + holdCost end
      if session == ofSession then busyWith = rows[i] end
    end
  end
  return { reserved = { input, output, cost }, liveCount = liveCount, busyWith = busyWith, over = over }
end
`

/** What is stored of an admission after its hold has ended, so that a repeat gets the same answer. */
export const TURN = `
-- Granted by a node without this state, and only claimed here: it holds nothing, and is charged when it is settled.
local ALONE = 'alone'
-- Settled, and more was used than was reserved.
local OVER = 'settled-over'

local function readTurn()
  local packed = call('GET', turnKey)
  if not packed then return nil end
  local state, session, day, endsAt, input, output, cost, key = cmsgpack.unpack(packed)
  return { state = state, session = session, day = day, endsAt = endsAt, granted = { input, output, cost }, key = key }
end

local function packTurn(state, turn)
  local granted = turn.granted
  return cmsgpack.pack(state, turn.session, turn.day, turn.endsAt, granted[1], granted[2], granted[3], turn.key)
end

local function changeTurn(state, turn)
  call('SET', turnKey, packTurn(state, turn), 'KEEPTTL')
end

local function putTurn(state, turn)
  call('SET', turnKey, packTurn(state, turn), 'PX', math.max(turn.endsAt, now) + KEEP_MS - now)
end
`

/**
 * Claims on idempotency keys. A settlement knows the turn, and only the turn knows its key, so claims cannot be keys of
 * their own; they are in two hashes, for this period of 48 hours and the one before, which expire whole. When both have a
 * key, the newer one is right. A late settlement may still extend a claim that has ended.
 */
export const CLAIMS = `
local function claimsKeys()
  if math.floor(now / KEEP_MS) % 2 == 0 then return evenClaimsKey, oddClaimsKey end
  return oddClaimsKey, evenClaimsKey
end

local function claimOf(key)
  local newer, older = claimsKeys()
  local packed = call('HGET', newer, key) or call('HGET', older, key)
  if not packed then return nil end
  local endsAt, turn, session, fingerprint = cmsgpack.unpack(packed)
  return { endsAt = endsAt, turn = turn, session = session, fingerprint = fingerprint }
end

local function putClaim(key, claim)
  local newer = claimsKeys()
  call('HSET', newer, key, cmsgpack.pack(claim.endsAt, claim.turn, claim.session, claim.fingerprint))
  call('PEXPIRE', newer, 2 * KEEP_MS - now % KEEP_MS)
end

-- The answer to a caller with this key; nothing while it is not claimed.
local function claimedAs(key, fingerprint)
  local claim = claimOf(key)
  if not claim or now >= claim.endsAt then return nil end
  if claim.fingerprint ~= fingerprint then return { 'key-reused' } end
  return { 'duplicate', claim.turn, claim.session }
end

-- A key whose claim ended may belong to another turn by now.
local function dropClaimOf(turn, key)
  local claim = claimOf(key)
  if not claim or claim.turn ~= turn then return end
  call('HDEL', evenClaimsKey, key)
  call('HDEL', oddClaimsKey, key)
end
`

/** The user's bucket and sliding minute. Reading changes nothing; the scores are the times of the admitted turns. */
export const RATES = `
local WINDOW_MS = 60000
local ROUNDING_MS = 0.05

local function momentInside(index)
  local from = string.format('(%.17g', now - WINDOW_MS)
  return tonumber(call('ZRANGEBYSCORE', minuteKey, from, '+inf', 'WITHSCORES', 'LIMIT', index, 1)[2])
end

local function readMinute()
  local oldest = tonumber(call('ZRANGE', minuteKey, 0, 0, 'WITHSCORES')[2])
  if not oldest then return { count = 0, resetMs = 0, hasOver = false } end
  if oldest > now - WINDOW_MS then
    return { count = call('ZCARD', minuteKey), resetMs = oldest + WINDOW_MS - now, hasOver = false }
  end
  local count = call('ZCOUNT', minuteKey, string.format('(%.17g', now - WINDOW_MS), '+inf')
  local first = momentInside(0)
  return { count = count, resetMs = first and first + WINDOW_MS - now or 0, hasOver = true }
end

local function minuteWaitMs(count, limit)
  if count < limit then return 0 end
  local leaving = momentInside(count - limit)
  return leaving and leaving + WINDOW_MS - now or 0
end

local function readBucket(perSecond, burst)
  local intervalMs = 1000 / perSecond
  local isFull = not account.arrivalAt or account.arrivalAt <= now
  local next = (isFull and now or account.arrivalAt) + intervalMs
  local excessMs = next - now - intervalMs * burst
  return {
    waitMs = excessMs > ROUNDING_MS and math.ceil(excessMs) or 0,
    next = next,
    busyFrom = isFull and now or account.busyFrom,
    intervalMs = intervalMs,
  }
end

local function takeMinute(turn, hasOver)
  if hasOver then call('ZREMRANGEBYSCORE', minuteKey, '-inf', now - WINDOW_MS) end
  call('ZADD', minuteKey, now, turn)
  call('PEXPIRE', minuteKey, WINDOW_MS + MARGIN_MS)
end

-- The bucket gets back what has not flowed back by itself.
local function undoRates(turn)
  local takenAt = tonumber(call('ZSCORE', minuteKey, turn) or nil)
  if not takenAt then return end
  call('ZREM', minuteKey, turn)
  if takenAt >= account.busyFrom then call('HSET', accountKey, 'arrival', account.arrivalAt - account.intervalMs) end
end
`

/** The same rule as `grant` in domain/budget/quota.ts: amounts, or nothing and the scope that is exceeded. */
export const GRANT = `
local function grant(ask, limits, used, reserved, session)
  local dayInput = limits.day[1] - used[1] - reserved[1]
  local dayOutput = limits.day[2] - used[2] - reserved[2]
  local dayCost = limits.day[3] - used[3] - reserved[3]
  local sessionInput = limits.session[1] - session[1]
  local sessionOutput = limits.session[2] - session[2]
  local outputMin = math.min(limits.outputMin, ask[2])
  local inputMin = math.max(1, limits.inputMin)
  if dayInput < inputMin then return nil, 'day-input' end
  if dayOutput < outputMin then return nil, 'day-output' end
  if ask[3] > 0 and dayCost <= 0 then return nil, 'day-cost' end
  if sessionInput < inputMin then return nil, 'session-input' end
  if sessionOutput < outputMin then return nil, 'session-output' end
  return {
    math.min(ask[1], dayInput, sessionInput),
    math.min(ask[2], dayOutput, sessionOutput),
    math.min(ask[3], math.max(0, dayCost)),
  }
end
`

/** The same rule as `raised` in domain/budget/quota.ts: the new hold, or nothing. */
export const RAISE = `
local function raisedTo(own, to, limits, used, reserved, session)
  local target = {}
  for part = 1, 3 do
    target[part] = math.max(own[part], to[part])
    if target[part] > own[part] then
      if used[part] + reserved[part] - own[part] + target[part] > limits.day[part] then return nil end
      if part < 3 and session[part] + target[part] > limits.session[part] then return nil end
    end
  end
  return target
end
`

export const QUOTA = `
local function quotaOf(reserved, minute)
  local used = account.used
  return { used[1], used[2], used[3], reserved[1], reserved[2], reserved[3], minute.count, minute.resetMs }
end
`
