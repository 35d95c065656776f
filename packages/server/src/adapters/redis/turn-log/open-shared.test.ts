// Opens a turn in the shared log, and knows afterwards whether it may be there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleStart } from '#fixtures/turns/samples.ts'
import { RedisUnavailable } from '../client/connection.ts'
import { openShared } from './open-shared.ts'

const NOW = 1_000_000
const LEASE_MS = 10_000
const late = () => Promise.reject(new RedisUnavailable('late', { isLate: true }))

async function open(calls: { add?: () => Promise<number>; open?: () => Promise<boolean>; troubledAt?: number }) {
  const sent: string[] = []
  const sending =
    <Answer>(name: string, call: () => Promise<Answer>) =>
    () => {
      sent.push(name)
      return call()
    }
  const parts = {
    index: { add: sending('add', calls.add ?? (async () => NOW + LEASE_MS)) },
    store: { open: sending('open', calls.open ?? (async () => true)) },
    redis: { troubledAt: () => calls.troubledAt ?? 0 },
    clock: { now: () => NOW },
  }
  const opened = await openShared(parts, sampleStart(), LEASE_MS)
  return { opened, sent }
}

test('an answered opening is held by the shared log, and one of an existing turn is refused', async () => {
  const { opened, sent } = await open({})
  assert.deepEqual(opened, { shared: { type: 'held', seq: 0 }, indexedUntil: NOW + LEASE_MS })
  assert.deepEqual(sent, ['add', 'open'])
  assert.equal((await open({ open: async () => false })).opened, undefined)
})

test('an opening that was sent and not answered may be in the shared log', async () => {
  const { opened } = await open({ add: late, open: late })
  assert.deepEqual(opened, { shared: { type: 'unanswered' }, indexedUntil: undefined })
})

test('while calls fail, the opening is not sent before one is answered', async () => {
  const { opened, sent } = await open({ add: late, open: late, troubledAt: NOW - 1000 })
  assert.deepEqual(opened, { shared: { type: 'absent' }, indexedUntil: undefined })
  assert.deepEqual(sent, ['add'])
  const again = await open({ troubledAt: NOW - 1000 })
  assert.deepEqual([again.opened?.shared.type, again.sent], ['held', ['add', 'open']])
})

test('some time after the last failed call the opening is sent at once', async () => {
  const { opened, sent } = await open({ add: late, troubledAt: NOW - 10_000 })
  assert.deepEqual([opened?.shared.type, opened?.indexedUntil], ['held', undefined])
  assert.deepEqual(sent, ['add', 'open'])
})
