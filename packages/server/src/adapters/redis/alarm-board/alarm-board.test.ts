// Runs the contract of the alarm board on a real Redis; every key expires.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { alarmBoardContract } from '#ports/alarm-board/contract.ts'
import { redisAlarmBoard } from './alarm-board.ts'

const open = cleanRedis()

alarmBoardContract('redis alarm board', async (context, clock) => {
  const redis = await open(context, clock)
  return { board: redisAlarmBoard({ redis }), reopen: async () => redisAlarmBoard({ redis }) }
})

test('a write whose reply was lost may be repeated, and every key expires', async (context) => {
  const redis = await open(context, manualClock())
  const board = redisAlarmBoard({ redis })
  await board.report({ nodeId: 'a', host: 'a.example', firing: [] })
  assert.deepEqual([await board.write(NO_ALARM_STATE, 0), await board.write(NO_ALARM_STATE, 0)], [true, true])
  assert.equal((await board.read()).version, 1)
  const keys = (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  assert.equal(keys.length, 2)
  for (const key of keys) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, key)
})
