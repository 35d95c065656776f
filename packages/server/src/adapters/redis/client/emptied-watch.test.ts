// Every node notices, once, that Redis has lost its data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { RedisUnavailable } from './connection.ts'
import { watchForEmptied } from './emptied-watch.ts'

function setUp() {
  const clock = manualClock()
  const kept = new Map<string, string>()
  const gaps = new Set<() => void>()
  const store = { kept, isUnavailable: false, reconnect: () => gaps.forEach((tell) => tell()) }
  const redis = {
    async command(_: string | undefined, name?: string, key = '', value = '') {
      if (store.isUnavailable) throw new RedisUnavailable('late')
      const before = kept.get(key) ?? null
      if (name === 'SET' && before === null) kept.set(key, value)
      return before
    },
    onGap(listener: () => void) {
      gaps.add(listener)
      return { [Symbol.dispose]: () => void gaps.delete(listener) }
    },
  }
  let marks = 0
  const node = async () => {
    const telemetry = memoryTelemetry()
    let repaired = 0
    const random = { id: () => `mark_${(marks += 1)}` }
    const onEmptied = async () => void (repaired += 1)
    const watch = await watchForEmptied({ redis, clock, random, telemetry, onEmptied })
    const alarms = () => telemetry.logged.filter(({ event }) => event === 'alarm.redis-emptied').length
    return { alarms, repaired: () => repaired, watch }
  }
  return { clock, node, store }
}

test('each node reports an emptied Redis once, and restores what it can', async () => {
  const { clock, node, store } = setUp()
  const [first, second] = [await node(), await node()]
  await clock.advance(20_000)
  assert.deepEqual([first.alarms(), second.alarms()], [0, 0])
  store.kept.clear()
  await clock.advance(20_000)
  assert.deepEqual([first.alarms(), second.alarms()], [1, 1])
  assert.equal(first.repaired(), 1)
  first.watch[Symbol.dispose]()
  second.watch[Symbol.dispose]()
  assert.equal(clock.timers(), 0)
})

test('lost data is noticed right after a reconnect, and an outage alone is not reported', async () => {
  const { clock, node, store } = setUp()
  const { alarms } = await node()
  store.isUnavailable = true
  await clock.advance(20_000)
  store.isUnavailable = false
  store.reconnect()
  await clock.advance(0)
  assert.equal(alarms(), 0)
  store.kept.clear()
  store.reconnect()
  await clock.advance(0)
  assert.equal(alarms(), 1)
})
