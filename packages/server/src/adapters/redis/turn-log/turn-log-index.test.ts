// A turn that cannot be found would never end: whatever fails, it is in the index of leases before the shared log has it,
// or soon after.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { SimulatedStore } from '@mangaassist/simulation/network/simulated-store'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleStart } from '#fixtures/turns/samples.ts'
import { LEASE_MS } from '#fixtures/turns/turn-logs.ts'
import { RedisUnavailable } from '../client/connection.ts'
import type { Redis } from '../client/connection.ts'
import { redisTurnLog } from './turn-log.ts'

const INDEX = 'lease-index.add'

function setUp() {
  const clock = manualClock()
  const store = new SimulatedStore(clock)
  const failing = new Set<string>()
  const done: string[] = []
  const redis: Redis = {
    async run(script, keys, args) {
      const { name } = script
      if (failing.has(name) || failing.has('all')) throw new RedisUnavailable(`${name} was not asked`)
      done.push(name)
      return store.run(script, keys, args)
    },
    command: async (_, ...args) => store.command(args),
    subscribe: () => ({ ready: Promise.resolve(), [Symbol.dispose]: () => {} }),
    troubledAt: () => 0,
    onGap: () => ({ [Symbol.dispose]: () => {} }),
    async [Symbol.asyncDispose]() {},
  }
  const bounds = { recordsMax: 100, bytesMax: 100_000 }
  const log = (nodeId: string) =>
    redisTurnLog({ redis, clock, telemetry: memoryTelemetry(), nodeId, bounds, keepMs: 60_000 })
  return { clock, failing, done, log }
}

test('a turn that began without Redis is written to the log only after the index', async () => {
  const { clock, done, failing, log } = setUp()
  using owner = log('node_1')
  failing.add('all')
  assert.equal(await owner.open(sampleStart(), LEASE_MS), true)
  failing.delete('all')
  failing.add(INDEX)
  await clock.advance(1000)
  assert.ok(!done.includes('turn-log.rewrite'))
  failing.delete(INDEX)
  await clock.advance(3000)
  assert.ok(done.indexOf(INDEX) < done.indexOf('turn-log.rewrite'))
  await clock.advance(LEASE_MS)
  using other = log('node_2')
  assert.deepEqual(await other.orphans(10), [sampleStart().turnId])
})

test('an index entry that failed at a turn’s opening is retried at once, not with the next renewal', async () => {
  const { clock, failing, log } = setUp()
  using owner = log('node_1')
  failing.add(INDEX)
  await owner.open(sampleStart(), LEASE_MS)
  failing.delete(INDEX)
  await clock.advance(500)
  owner[Symbol.dispose]()
  await clock.advance(LEASE_MS)
  using other = log('node_2')
  assert.deepEqual(await other.orphans(10), [sampleStart().turnId])
})
