// The link to a shared store: lost calls and replies, deadlines, pauses, outages and dead nodes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '@mangaassist/server/adapters/memory/telemetry'
import { RedisUnavailable } from '@mangaassist/server/adapters/redis/client/connection'
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import { seededRandom } from '../virtual/random.ts'
import { NodeClock } from '../virtual/node-clock.ts'
import { VirtualTime } from '../virtual/time.ts'
import { simulatedRedis } from './simulated-redis.ts'
import { SimulatedStore } from './simulated-store.ts'
import { StoreLink } from './store-link.ts'
import { CLEAR_NETWORK, StoreNetwork } from './store-network.ts'
import type { NetworkQuality } from './store-network.ts'

const STARTS_AT = 1_800_000_000_000
const CALL_MS = 50

function linked(quality: Partial<NetworkQuality> = {}) {
  const time = new VirtualTime({ startsAt: STARTS_AT, random: seededRandom('ties'), drain: promiseDrain() })
  const network = new StoreNetwork({ clock: time.clock(), random: seededRandom('network') })
  network.quality = { ...CLEAR_NETWORK, ...quality }
  const node = new NodeClock(time)
  const link = new StoreLink({ network, node, random: seededRandom(3), telemetry: memoryTelemetry(), callMs: CALL_MS })
  const pass = (ms: number) => {
    const until = time.now() + ms
    time.after(ms, () => {})
    return time.run({ until, eventsMax: 10_000 })
  }
  return { time, network, node, link, pass }
}

/** Records how a call ended, and when. */
function watched<Answer>(call: Promise<Answer>, now: () => number) {
  const seen: { answer?: Answer; error?: unknown; atMs?: number } = {}
  void call.then(
    (answer) => Object.assign(seen, { answer, atMs: now() - STARTS_AT }),
    (error: unknown) => Object.assign(seen, { error, atMs: now() - STARTS_AT }),
  )
  return seen
}

test('without latency or faults a call takes no time and no event', async () => {
  const { link, time } = linked()
  assert.equal(await link.call('add', () => 42), 42)
  assert.equal(await time.run({ until: Infinity, eventsMax: 10 }), 0)
})

test('calls and answers are delayed and keep their order', async () => {
  const { link, pass, time } = linked({ oneWayMs: 5, spread: 0.4 })
  const carriedOut: number[] = []
  const answered: number[] = []
  for (let number = 0; number < 20; number += 1) {
    void link.call('add', () => carriedOut.push(number)).then(() => answered.push(number))
  }
  assert.deepEqual(carriedOut, [])
  await pass(CALL_MS)
  const inOrder = Array.from({ length: 20 }, (_, index) => index)
  assert.deepEqual(carriedOut, inOrder)
  assert.deepEqual(answered, inOrder)
  assert.ok(time.now() > STARTS_AT)
})

test('a lost reply fails at the deadline, and the call was executed once', async () => {
  const { link, pass, time } = linked({ oneWayMs: 1, lostAfter: 1 })
  let done = 0
  const seen = watched(
    link.call('charge', () => (done += 1)),
    () => time.now(),
  )
  await pass(1000)
  assert.equal(done, 1)
  assert.ok(seen.error instanceof RedisUnavailable && seen.error.isLate && seen.error.mayHaveHappened)
  assert.equal(seen.atMs, CALL_MS)
})

test('a call that is lost on its way is never executed', async () => {
  const { link, pass, time } = linked({ lostBefore: 1 })
  let done = 0
  const seen = watched(
    link.call('charge', () => (done += 1)),
    () => time.now(),
  )
  await pass(1000)
  assert.equal(done, 0)
  assert.ok(seen.error instanceof RedisUnavailable)
})

test('an answer after the deadline is a failure, although the call was executed', async () => {
  const { link, pass, time } = linked({ oneWayMs: 40, spread: 0 })
  let done = 0
  const seen = watched(
    link.call('charge', () => (done += 1)),
    () => time.now(),
  )
  await pass(1000)
  assert.equal(done, 1)
  assert.equal(seen.atMs, CALL_MS)
  assert.ok(seen.error instanceof RedisUnavailable)
})

test('a paused store executes its calls later, after their callers have given up', async () => {
  const { link, network, pass, time } = linked()
  network.pause()
  let done = 0
  const seen = watched(
    link.call('charge', () => (done += 1)),
    () => time.now(),
  )
  await pass(200)
  assert.equal(done, 0)
  assert.equal(seen.atMs, CALL_MS)
  network.resume()
  assert.equal(done, 1)
})

test('the circuit stops calls to a store that does not answer', async () => {
  const { link, network, pass } = linked()
  network.cut(link)
  for (let call = 0; call < 3; call += 1) {
    const late = assert.rejects(link.call('read', () => 1))
    await pass(CALL_MS)
    await late
  }
  await assert.rejects(
    link.call('read', () => 1),
    (error) => error instanceof RedisUnavailable && !error.mayHaveHappened,
  )
  network.reconnect(link)
  await pass(2000)
  assert.equal(await link.call('read', () => 1), 1)
})

test('a store that is down refuses at once, and gap listeners are called when it is up again', async () => {
  const { link, network, pass } = linked()
  let gaps = 0
  using _ = link.onGap(() => (gaps += 1))
  network.goDown()
  const refused = assert.rejects(
    link.call('read', () => 1),
    RedisUnavailable,
  )
  await pass(0)
  await refused
  network.comeUp()
  await pass(2000)
  assert.equal(gaps, 1)
})

test('a node that is cut off misses messages, and receives them again after it is reconnected', async () => {
  const { link, network, pass, time } = linked({ oneWayMs: 1 })
  const store = new SimulatedStore(time.clock())
  const redis = simulatedRedis(store, link)
  const received: string[] = []
  using _ = redis.subscribe('channel', (message) => received.push(message))
  await pass(20)
  const announce = (turnId: string) => store.command(['SPUBLISH', 'channel', turnId])
  announce('a')
  await pass(20)
  network.cut(link)
  announce('b')
  await pass(20)
  network.reconnect(link)
  await pass(2000)
  announce('c')
  await pass(20)
  assert.deepEqual(received, ['a', 'c'])
})

test('a paused node receives its answers when it resumes', async () => {
  const { link, node, pass, time } = linked({ oneWayMs: 2, spread: 0 })
  const seen = watched(
    link.call('read', () => 1),
    () => time.now(),
  )
  node.pause()
  await pass(500)
  assert.equal(seen.atMs, undefined)
  node.resume()
  await pass(1)
  assert.equal(seen.answer, 1)
})

test('a dead node receives nothing, and the calls that it sent are executed', async () => {
  const { link, pass, time } = linked({ oneWayMs: 2, spread: 0 })
  let done = 0
  const seen = watched(
    link.call('charge', () => (done += 1)),
    () => time.now(),
  )
  link.sever()
  await pass(500)
  assert.equal(done, 1)
  assert.equal(seen.atMs, undefined)
})
