// The counts of a shared lane: permits and their leases, slots that overload holds, outcomes by half seconds, the retry
// bucket, probes. Scripts only compare with the published gate: they are the same rules as domain/lane/lane-counter.ts and
// `judge`, and property tests hold them equal.
import { CELL_MS, CELLS_MAX } from '#domain/lane/cells.ts'
import { RETRY_WINDOW_MS } from '#domain/lane/gate.ts'
import { script } from '../client/script.ts'

/** The number of cells that a window of retries can include. */
const CELLS_RECENT = RETRY_WINDOW_MS / CELL_MS + 1

/** Every script gets these keys, all on the lane's slot. Time never goes below the latest time written. */
const LANE = `
local laneKey, permitsKey, leasesKey, heldKey, cellsKey, nodesKey = unpack(KEYS)
local call = redis.call
local KEEP_MS = 86400000
local COUNTS_KEEP_MS = 3600000
local FIELDS = { 'at', 'version', 'epoch', 'bucketMax', 'limit', 'retryInFlightMax', 'retryCountMax', 'notBefore',
  'probesMax', 'bucket', 'failures', 'successes', 'probeEpoch', 'taken', 'passed', 'failed', 'lost', 'tickUntil',
  'overloadsMax', 'overloadsNew', 'startsMax', 'startsNew', 'kind', 'ticker', 'state' }
local FIGURES = 22
local lane = {}
do
  local row = call('HMGET', laneKey, unpack(FIELDS))
  for i, field in ipairs(FIELDS) do
    if i <= FIGURES then lane[field] = tonumber(row[i]) else lane[field] = row[i] end
  end
  now = math.max(now, lane.at or 0)
end

local function write(...)
  call('HSET', laneKey, 'at', now, ...)
  call('PEXPIRE', laneKey, KEEP_MS)
end

-- A moment as an end of a range that leaves it out: leases that end now are over.
local function past()
  return string.format('(%.17g', now)
end

local function inFlight()
  return call('ZCARD', leasesKey) + call('ZCOUNT', heldKey, past(), '+inf')
end
`

const PERMITS = `
local function readPermit(id)
  local packed = call('HGET', permitsKey, id)
  if not packed then return nil end
  local epoch, isProbe, isServed, takenAt, leaseUntil = cmsgpack.unpack(packed)
  return { epoch = epoch, isProbe = isProbe, isServed = isServed, takenAt = takenAt, leaseUntil = leaseUntil }
end

local function putPermit(id, permit)
  call('HSET', permitsKey, id,
    cmsgpack.pack(permit.epoch, permit.isProbe, permit.isServed, permit.takenAt, permit.leaseUntil))
  call('ZADD', leasesKey, permit.leaseUntil, id)
  call('PEXPIRE', permitsKey, COUNTS_KEEP_MS)
  call('PEXPIRE', leasesKey, COUNTS_KEEP_MS)
end

local function dropPermit(id)
  call('HDEL', permitsKey, id)
  call('ZREM', leasesKey, id)
end

local function countProbe(permit, field)
  if permit.isProbe == 0 or permit.isServed == 1 or permit.epoch ~= lane.probeEpoch then return end
  lane[field] = lane[field] + 1
  write(field, lane[field])
end
`

/** A list of packed cells, the newest last: the start time, then the counts, by the positions below. */
const CELLS = `
local SUCCESSES, FIRSTS, RETRIES, SHED, PEAK, WAITED = 2, 6, 7, 8, 9, 10
local FAILURES = { overload = 3, silent = 4, fault = 5 }

local function count(place, by, otherPlace, otherBy)
  local last = call('LINDEX', cellsKey, -1)
  local cell = last and { cmsgpack.unpack(last) }
  local isCurrent = cell and now < cell[1] + ${CELL_MS}
  if not isCurrent then cell = { math.floor(now / ${CELL_MS}) * ${CELL_MS}, 0, 0, 0, 0, 0, 0, 0, 0, 0 } end
  cell[place] = cell[place] + by
  if otherPlace then cell[otherPlace] = cell[otherPlace] + otherBy end
  cell[PEAK] = math.max(cell[PEAK], inFlight())
  if isCurrent then
    call('LSET', cellsKey, -1, cmsgpack.pack(unpack(cell)))
  else
    call('RPUSH', cellsKey, cmsgpack.pack(unpack(cell)))
    call('LTRIM', cellsKey, -${CELLS_MAX}, -1)
  end
  call('PEXPIRE', cellsKey, COUNTS_KEEP_MS)
end
`

/** The same rule as `judge` in domain/lane/gate.ts. */
const JUDGE = `
local function retriesRecent()
  local sum = 0
  for _, packed in ipairs(call('LRANGE', cellsKey, -${CELLS_RECENT}, -1)) do
    local cell = { cmsgpack.unpack(packed) }
    if cell[1] >= now - ${RETRY_WINDOW_MS} then sum = sum + cell[RETRIES] end
  end
  return sum
end

local function judge(isRetry, cost)
  if lane.kind == 'shut' then return 'open' end
  if lane.kind == 'probing' then
    if now < lane.notBefore then return 'open' end
    if isRetry then return 'no-retries' end
    local taken = lane.probeEpoch == lane.epoch and lane.taken or 0
    return taken < lane.probesMax and 'probe' or 'probing'
  end
  if lane.overloadsMax and (lane.overloadsNew or 0) >= lane.overloadsMax then return 'saturated' end
  if lane.startsMax and (lane.startsNew or 0) >= lane.startsMax then return 'saturated' end
  if not lane.limit and not isRetry then return 'permit' end
  local out = inFlight()
  if lane.limit and out >= lane.limit then return 'saturated' end
  if not isRetry then return 'permit' end
  if not lane.retryCountMax then return 'no-retries' end
  if lane.retryInFlightMax and out >= lane.retryInFlightMax then return 'saturated' end
  if retriesRecent() >= lane.retryCountMax then return 'retry-cap' end
  return lane.bucket >= cost and 'permit' or 'retry-bucket'
end
`

const permit = `
local id, kind, cost, leaseMs = ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
if not lane.version then return { 'unknown' } end
local function answer(taken)
  return { 'permit', taken.epoch, taken.isProbe, taken.isServed, taken.takenAt, taken.leaseUntil }
end
local before = readPermit(id)
if before then return answer(before) end
local isRetry = kind == 'retry'
local verdict = judge(isRetry, cost)
if verdict ~= 'permit' and verdict ~= 'probe' then
  local isKnown = verdict == 'open' and lane.kind == 'probing'
  return { verdict, isKnown and lane.notBefore - now or -1 }
end
local isProbe = verdict == 'probe' and 1 or 0
local taken = { epoch = lane.epoch, isProbe = isProbe, isServed = 0, takenAt = now, leaseUntil = now + leaseMs }
putPermit(id, taken)
write('taken', lane.taken + isProbe, 'bucket', lane.bucket - (isRetry and cost or 0), 'startsNew', (lane.startsNew or 0) + 1)
count(isRetry and RETRIES or FIRSTS, 1)
return answer(taken)
`

const SUCCEED = `
local function succeed(held)
  write('failures', 0, 'successes', lane.successes + 1)
  count(SUCCESSES, 1, WAITED, now - held.takenAt)
end
`

const SERVE = `
local function serve(id, held, leaseMs)
  if not held or held.isServed == 1 then return end
  if held.epoch == lane.epoch then countProbe(held, 'passed') end
  held.isServed = 1
  held.leaseUntil = now + leaseMs
  putPermit(id, held)
  if held.epoch == lane.epoch then succeed(held) end
end
`

const served = `
serve(ARGV[2], readPermit(ARGV[2]), tonumber(ARGV[3]))
return 1
`

const report = `
local id, outcome, holdMs = ARGV[2], ARGV[3], tonumber(ARGV[4])
local held = readPermit(id)
if not held then return 0 end
dropPermit(id)
local heldUntil = held.takenAt + holdMs
if heldUntil > now then
  call('ZADD', heldKey, heldUntil, id)
  call('PEXPIRE', heldKey, COUNTS_KEEP_MS)
end
if held.epoch ~= lane.epoch then return 1 end
if outcome == 'success' then
  countProbe(held, 'passed')
  write('bucket', math.min(lane.bucketMax, lane.bucket + 1))
  -- The end of an answer that began well a while ago says nothing about now.
  if held.isServed == 0 then succeed(held) end
elseif outcome == 'neutral' then
  countProbe(held, 'lost')
else
  countProbe(held, 'failed')
  local overloads = (lane.overloadsNew or 0) + (outcome ~= 'fault' and 1 or 0)
  write('failures', lane.failures + 1, 'successes', 0, 'overloadsNew', overloads)
  -- An answer that broke off was no success after all.
  count(FAILURES[outcome], 1, SUCCESSES, held.isServed == 1 and -1 or 0)
end
return 1
`

const shed = `
count(SHED, 1)
return 1
`

/**
 * The controller's input, and who ticks: with a node's name, that node asks for the lane's tick or keeps it. Only the
 * ticker removes the permits of dead owners and gets every cell; the others get what a view needs.
 */
const read = `
local SWEEP_MAX = 1000
local node, tickLeaseMs, nodeMs = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local isTicker = 0
if node ~= '' then
  call('ZADD', nodesKey, now + nodeMs, node)
  call('ZREMRANGEBYSCORE', nodesKey, '-inf', now)
  call('PEXPIRE', nodesKey, COUNTS_KEEP_MS)
  if lane.ticker == node or (lane.tickUntil or 0) <= now then
    isTicker = 1
    write('ticker', node, 'tickUntil', now + tickLeaseMs)
  end
end
local nodes = call('ZCOUNT', nodesKey, past(), '+inf')
if not lane.version then return { now, isTicker, nodes } end
if isTicker == 1 then
  for _, id in ipairs(call('ZRANGEBYSCORE', leasesKey, '-inf', now, 'LIMIT', 0, SWEEP_MAX)) do
    local left = readPermit(id)
    dropPermit(id)
    if left then countProbe(left, 'lost') end
  end
  call('ZREMRANGEBYSCORE', heldKey, '-inf', now)
end
local cells = {}
for _, packed in ipairs(call('LRANGE', cellsKey, isTicker == 1 and 0 or -${CELLS_RECENT}, -1)) do
  for _, figure in ipairs({ cmsgpack.unpack(packed) }) do cells[#cells + 1] = figure end
end
return { now, isTicker, nodes, lane.version, lane.state, inFlight(), lane.bucket, lane.failures, lane.successes,
  lane.probeEpoch, lane.taken, lane.passed, lane.failed, lane.lost, cells }
`

/** Replaces version ARGV[2] of the state and its gate; 0 for a lane that was never written. */
const publish = `
local expected, state, kind, epoch, bucketMax =
  tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
if (lane.version or 0) ~= expected then return 0 end
write('version', expected + 1, 'state', state, 'kind', kind, 'epoch', epoch, 'bucketMax', bucketMax,
  'limit', ARGV[7], 'retryInFlightMax', ARGV[8], 'retryCountMax', ARGV[9], 'notBefore', ARGV[10],
  'probesMax', ARGV[11], 'overloadsMax', ARGV[12], 'overloadsNew', 0, 'startsMax', ARGV[13], 'startsNew', 0,
  'bucket', math.min((lane.bucket or tonumber(ARGV[14])) + tonumber(ARGV[15]), bucketMax))
if not lane.version then write('failures', 0, 'successes', 0) end
if lane.epoch ~= epoch then write('probeEpoch', epoch, 'taken', 0, 'passed', 0, 'failed', 0, 'lost', 0) end
return 1
`

/**
 * Permits of a node that could not reach this lane: id, lease, whether served, and the epoch of those granted by this lane
 * (empty: the node granted it by itself), in fours. Missing ones are counted again.
 */
const adopt = `
if not lane.version then return 0 end
for i = 2, #ARGV, 4 do
  local id, leaseMs, isServed = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local held = readPermit(id)
  if held and isServed == 1 then serve(id, held, leaseMs) end
  if not held then
    putPermit(id, { epoch = tonumber(ARGV[i + 3]) or lane.epoch, isProbe = 0, isServed = isServed, takenAt = now,
      leaseUntil = now + leaseMs })
  end
end
return 1
`

export const LANE_SCRIPTS = {
  permit: script('lane-permit', LANE + PERMITS + CELLS + JUDGE + permit),
  served: script('lane-served', LANE + PERMITS + CELLS + SUCCEED + SERVE + served),
  report: script('lane-report', LANE + PERMITS + CELLS + SUCCEED + report),
  shed: script('lane-shed', LANE + CELLS + shed),
  read: script('lane-read', LANE + PERMITS + read),
  publish: script('lane-publish', LANE + publish),
  adopt: script('lane-adopt', LANE + PERMITS + CELLS + SUCCEED + SERVE + adopt),
} as const
