// Refusals are summed by principal and limit within a window, and a flood of them stays small.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#domain/refusal.ts'
import { refusedWhy } from '#domain/turn-records/refused-by.ts'
import type { RefusalRecord } from '#domain/turn-records/refusal-record.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { createRefusalSums } from './refusal-sums.ts'

function setUp() {
  const clock = manualClock()
  const records: RefusalRecord[] = []
  const recorder = { put: (record: RefusalRecord) => void records.push(record) }
  return { clock, records, sums: createRefusalSums({ clock, random: seededRandom(1), recorder, node: 'node_1' }) }
}

const limited = { code: 'RATE_LIMITED', scope: 'user-rate', retryAfterMs: 1000 } as const
const guest = (id: string) => ({ door: 'ws', route: 'chat', principal: { id, tier: 'free' } }) as const

test('refusals of one principal by one limit within a window are one record with a count', async () => {
  const { clock, records, sums } = setUp()
  let named = 0
  const network = () => `net_${(named += 1)}`
  for (const requestId of ['req_1', 'req_2', 'req_3']) {
    sums.note(limited, { ...guest('guest_1'), requestId, sessionId: 'sess_1', network })
    await clock.advance(1000)
  }
  sums.note({ code: 'QUOTA_EXCEEDED', scope: 'day-cost' }, guest('guest_1'))
  sums.note(limited, guest('guest_2'))
  assert.equal(records.length, 0)
  await clock.advance(2000)
  assert.deepEqual(
    records.map(({ code, count, principalId }) => [code, principalId, count]),
    [
      ['RATE_LIMITED', 'guest_1', 3],
      ['QUOTA_EXCEEDED', 'guest_1', 1],
      ['RATE_LIMITED', 'guest_2', 1],
    ],
  )
  const [first] = records
  assert.match(first?.refusalId ?? '', /^ref_/)
  assert.deepEqual(first, {
    refusalId: first?.refusalId,
    kind: 'refusal',
    ...limited,
    at: NOON + 2000,
    since: NOON,
    count: 3,
    principalId: 'guest_1',
    userTier: 'free',
    sessionId: 'sess_1',
    network: 'net_1',
    door: 'ws',
    route: 'chat',
    requestId: 'req_3',
    node: 'node_1',
  })
  await clock.advance(60_000)
  assert.equal(records.length, 3)
})

test('in a flood of principals those beyond a number are counted together, and none is lost', async () => {
  const { clock, records, sums } = setUp()
  for (let index = 0; index < 10_000; index += 1) sums.note(limited, { ...guest(`guest_${index}`), sessionId: 's' })
  await clock.advance(5000)
  assert.equal(records.length, 201)
  assert.equal(
    records.reduce((sum, { count }) => sum + count, 0),
    10_000,
  )
  const rest = records.find(({ principalId }) => principalId === '')
  assert.deepEqual([rest?.count, rest?.sessionId, rest?.userTier], [9800, '', undefined])
})

test('what was summed is recorded at the end of the process', () => {
  const { records, sums } = setUp()
  sums.note({ code: 'MAINTENANCE' }, { door: 'v1' })
  sums.flush()
  sums.flush()
  assert.deepEqual(
    records.map(({ code, principalId }) => [code, principalId]),
    [['MAINTENANCE', '']],
  )
})

test('only words of ours are recorded of the details', () => {
  const details = { scope: 'day-cost', reason: 'is not `known` here', field: 'message', limit: 4 }
  assert.deepEqual(refusedWhy(new Refusal('QUOTA_EXCEEDED', { details, retryAfterMs: 10.2 })), {
    code: 'QUOTA_EXCEEDED',
    scope: 'day-cost',
    reason: 'message',
    retryAfterMs: 11,
  })
})
