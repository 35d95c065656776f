// The alarm board that the nodes share: a hash with the report of each node and its time, and a hash with the state and its version.
// Every report removes those whose lease has lapsed, and keeps the state from expiring. Repeating a call after a lost reply changes nothing.
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import type { AlarmBoard } from '#ports/alarm-board/port.ts'
import { ALARMS_KEEP_MS, REPORT_LEASE_MS } from '#ports/alarm-board/port.ts'
import { readReport, readState, reportText } from '#ports/alarm-board/stored-alarms.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

export interface RedisAlarmBoardOptions {
  readonly redis: Redis
}

const REPORTS = 'ma:{alarms}:reports'
const STATE = 'ma:{alarms}:state'

/** KEYS: reports, state. ARGV from 2: the node, its report. Replies the report of every node. */
const REPORT = script(
  'alarm-report',
  `local reports = {}
redis.call('HSET', KEYS[1], ARGV[2], string.format('%.0f ', now) .. ARGV[3])
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local at, text = string.match(all[i + 1], '^(%d+) (.*)$')
  if not at or now - tonumber(at) >= ${REPORT_LEASE_MS} then redis.call('HDEL', KEYS[1], all[i])
  else reports[#reports + 1] = text end
end
redis.call('PEXPIRE', KEYS[1], ${REPORT_LEASE_MS})
redis.call('PEXPIRE', KEYS[2], ${ALARMS_KEEP_MS})
return reports`,
)

/** KEYS: the state. ARGV from 2: the version that was read, the new state. */
const WRITE = script(
  'alarm-write',
  `local row = redis.call('HMGET', KEYS[1], 'version', 'state')
local version, read = tonumber(row[1] or '0'), tonumber(ARGV[2])
-- A repeated write has been executed already.
if version == read + 1 and row[2] == ARGV[3] then return 1 end
if version ~= read then return 0 end
redis.call('HSET', KEYS[1], 'version', string.format('%.0f', read + 1), 'state', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ${ALARMS_KEEP_MS})
return 1`,
)

export function redisAlarmBoard({ redis }: RedisAlarmBoardOptions): AlarmBoard {
  return {
    async report(report) {
      const texts = (await redis.run(
        REPORT,
        [REPORTS, STATE],
        [report.nodeId, reportText(report)],
      )) as readonly string[]
      return texts.map(readReport)
    },
    async read() {
      const row = (await redis.command(STATE, 'HMGET', STATE, 'version', 'state')) as readonly (string | null)[]
      const [version, state] = row
      if (typeof version !== 'string' || typeof state !== 'string') return { version: 0, state: NO_ALARM_STATE }
      return { version: Number(version), state: readState(state) }
    },
    async write(state, version) {
      return (await redis.run(WRITE, [STATE], [version, JSON.stringify(state)])) === 1
    },
  }
}
