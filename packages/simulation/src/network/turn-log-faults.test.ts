// The production turn log over the simulated store, when calls of a node are lost. A turn whose owner died is found again by
// whoever scans, or by whoever reads it; an owner that is cut off says no more than it may, and comes back before others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '@mangaassist/server/adapters/memory/telemetry'
import { RedisUnavailable } from '@mangaassist/server/adapters/redis/client/connection'
import type { Redis } from '@mangaassist/server/adapters/redis/client/connection'
import { redisTurnLog } from '@mangaassist/server/adapters/redis/turn-log/turn-log'
import { seededRandom } from '../virtual/random.ts'
import { LOG_BOUNDS } from '@mangaassist/server/domain/turn/log-bounds'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { TurnLog } from '@mangaassist/server/ports/turn-log/port'
import { manualClock } from '@mangaassist/server/fixtures/time/manual-clock'
import { startNow } from '@mangaassist/server/fixtures/turns/cluster-nodes'
import { LEASE_MS, text, turnEnd } from '@mangaassist/server/fixtures/turns/turn-logs'
import { simulatedRedis } from './simulated-redis.ts'
import { SimulatedStore } from './simulated-store.ts'
import { StoreLink } from './store-link.ts'
import { StoreNetwork } from './store-network.ts'

const RENEW_MS = 3000
const POSTPONED_MS = 1000

/** What is taken off a lease by its owner, and how long it then waits to hear whose the turn is. */
const SURE_MS = LEASE_MS - 1000
const STILL_MS = 6000
const OWNERS_FIRST_MS = 6000

/** Nodes over one store; what a node calls by a name in `lost` does not arrive, and nothing of one that is cut off. */
function world() {
  const clock = manualClock()
  const store = new SimulatedStore(clock)
  const node = (nodeId: string) => {
    const lost = new Set<string>()
    const network = new StoreNetwork({ clock, random: seededRandom('network') })
    const awake = { ...clock, whenAwake: (action: () => void) => action() }
    const whole = simulatedRedis(
      store,
      new StoreLink({ network, node: awake, random: seededRandom(3), telemetry: memoryTelemetry(), callMs: 50 }),
    )
    const way = { isCut: false, isAnswerLost: false }
    const redis: Redis = {
      ...whole,
      run: async (script, keys, args) => {
        if (way.isCut || lost.has(script.name)) throw new RedisUnavailable(`${script.name} was lost`, { isLate: true })
        const answer = await whole.run(script, keys, args)
        if (way.isAnswerLost) throw new RedisUnavailable(`the answer to ${script.name} was lost`, { isLate: true })
        return answer
      },
    }
    const parts = { redis, clock, telemetry: memoryTelemetry(), nodeId, keepMs: 3_600_000, bounds: LOG_BOUNDS }
    return { log: redisTurnLog(parts), lost, way }
  }
  return { clock, store, owner: node('node_1'), other: node('node_2') }
}

test('a turn that the index missed is taken over once somebody reads it', async () => {
  const { clock, owner, other } = world()
  owner.lost.add('lease-index.add')
  assert.equal(await owner.log.open(startNow(), LEASE_MS), true)
  owner.log[Symbol.dispose]()
  await clock.advance(LEASE_MS)
  assert.deepEqual(await other.log.orphans(10), [], 'nobody has told the index')
  const gone = new AbortController()
  const reader = other.log.follow('turn_1', -1, gone.signal)[Symbol.asyncIterator]()
  await reader.next()
  assert.deepEqual(await other.log.orphans(10), ['turn_1'])
  gone.abort()
})

test('a turn that fell out of the index is told to it again by the next renewals', async () => {
  const { clock, owner, other, store } = world()
  await owner.log.open(startNow(), LEASE_MS)
  for (let shard = 0; shard < 16; shard += 1) store.command(['ZREM', `ma:{leases:${shard}}`, 'turn_1'])
  await clock.advance(RENEW_MS)
  await owner.log.renew('turn_1', 1, LEASE_MS)
  await clock.advance(POSTPONED_MS)
  owner.log[Symbol.dispose]()
  await clock.advance(LEASE_MS)
  assert.deepEqual(await other.log.orphans(10), ['turn_1'])
})

test('a single lost call to the index is made up for before anybody is told of the turn', async () => {
  const { clock, owner, other } = world()
  owner.lost.add('lease-index.add')
  const opened = owner.log.open(startNow(), LEASE_MS)
  owner.lost.clear()
  assert.equal(await opened, true)
  owner.log[Symbol.dispose]()
  await clock.advance(LEASE_MS)
  assert.deepEqual(await other.log.orphans(10), ['turn_1'])
})

/** What a reader on the node has read of the turn, as it comes. */
function readerOn(log: TurnLog) {
  const read = { text: '', isEnded: false, error: undefined as unknown, leave: new AbortController() }
  const reading = async () => {
    for await (const batch of log.follow('turn_1', -1, read.leave.signal))
      for (const record of batch) if (record.kind === 'text') read.text += record.text
    read.isEnded = true
  }
  reading().catch((error: unknown) => (read.error = error))
  return read
}

test('an owner that is cut off goes on while it surely has the turn, and afterwards where its readers have its words', async () => {
  const { clock, owner } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  const reader = readerOn(owner.log)
  owner.way.isCut = true
  await owner.log.append('turn_1', 1, [text(0, 'a')])
  await clock.advance(SURE_MS)
  await owner.log.append('turn_1', 1, [text(1, 'b')])
  await clock.advance(0)
  assert.equal(reader.text, 'ab')
  await assert.rejects(owner.log.confirm('turn_1', 1), RedisUnavailable)
  reader.leave.abort()
})

test('an owner whose lease may have lapsed spares readers that are level with the log its words, for a moment', async () => {
  const { clock, owner } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  const reader = readerOn(owner.log)
  await owner.log.append('turn_1', 1, [text(0, 'a')])
  owner.way.isCut = true
  await clock.advance(SURE_MS)
  const appended = owner.log.append('turn_1', 1, [text(1, 'b')])
  await clock.advance(STILL_MS - 1)
  assert.equal(reader.text, 'a')
  await clock.advance(1)
  assert.equal(await appended, true)
  await clock.advance(0)
  assert.equal(reader.text, 'ab', 'nobody answers: it may as well be an outage for all')
  reader.leave.abort()
})

test('what an owner kept to itself is said by whoever has the turn meanwhile, and its readers read on there', async () => {
  const { clock, owner, other } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  const reader = readerOn(owner.log)
  await owner.log.append('turn_1', 1, [text(0, 'a')])
  owner.way.isCut = true
  await clock.advance(RENEW_MS)
  await owner.log.renew('turn_1', 1, LEASE_MS)
  await clock.advance(LEASE_MS - RENEW_MS)
  const appended = owner.log.append('turn_1', 1, [text(1, 'b')])
  await clock.advance(0)
  assert.equal(await other.log.takeOver('turn_1', LEASE_MS), 2)
  await other.log.append('turn_1', 2, [text(1, 'c'), turnEnd])
  owner.way.isCut = false
  await clock.advance(5000)
  assert.equal(await appended, false)
  assert.deepEqual([reader.text, reader.isEnded, reader.error], ['ac', true, undefined])
})

test('what was sent and not answered is not written twice after an owner kept still', async () => {
  const { clock, owner, other } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  await clock.advance(SURE_MS)
  owner.way.isAnswerLost = true
  const appended = owner.log.append('turn_1', 1, [text(0, 'a')])
  await clock.advance(1)
  owner.way.isAnswerLost = false
  await clock.advance(500)
  assert.equal(await appended, true)
  await owner.log.append('turn_1', 1, [text(1, 'b'), turnEnd])
  const records = await other.log.read('turn_1', 0)
  assert.deepEqual(
    records?.map(({ seq, kind }) => [seq, kind]),
    [
      [1, 'text'],
      [2, 'text'],
      [3, 'turn-end'],
    ],
  )
})

test('a turn whose opening was not answered may be known to others: past its lease nothing is booked until the log is heard', async () => {
  const { clock, owner, other } = world()
  owner.way.isAnswerLost = true
  assert.equal(await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS), true)
  owner.way.isAnswerLost = false
  owner.way.isCut = true
  assert.equal(await owner.log.confirm('turn_1', 1), true)
  await clock.advance(LEASE_MS)
  await assert.rejects(owner.log.confirm('turn_1', 1), RedisUnavailable)
  assert.equal(await other.log.takeOver('turn_1', LEASE_MS), 2)
})

test('after an outage owners renew what they have before anybody else takes it', async () => {
  const { clock, owner, other } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  for (const { way } of [owner, other]) way.isCut = true
  await owner.log.append('turn_1', 1, [text(0, 'a')])
  for (let scan = 0; scan < 2; scan += 1) {
    await assert.rejects(other.log.orphans(10), RedisUnavailable)
    await clock.advance(LEASE_MS)
  }
  for (const { way } of [owner, other]) way.isCut = false
  assert.deepEqual(await other.log.orphans(10), [], 'though its lease has lapsed')
  await clock.advance(OWNERS_FIRST_MS)
  assert.deepEqual(await other.log.orphans(10), [], 'it was backfilled and renewed')
  assert.equal(await other.log.takeOver('turn_1', LEASE_MS), undefined)
  await clock.advance(LEASE_MS)
  assert.deepEqual(await other.log.orphans(10), ['turn_1'], 'nobody renewed it since')
})

test('a node that takes its own turn back after another had it goes by what that one said', async () => {
  const { clock, owner, other } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  owner.way.isCut = true
  await owner.log.append('turn_1', 1, [text(0, 'mine'), text(4, '!')])
  await clock.advance(LEASE_MS)
  assert.equal(await other.log.takeOver('turn_1', LEASE_MS), 2)
  await other.log.append('turn_1', 2, [text(0, 'its')])
  await clock.advance(LEASE_MS)
  owner.way.isCut = false
  assert.equal(await owner.log.takeOver('turn_1', LEASE_MS), 3)
  assert.equal(await owner.log.append('turn_1', 3, [text(3, ' own')]), true)
  const reader = readerOn(other.log)
  await clock.advance(0)
  assert.equal(reader.text, 'its own')
  reader.leave.abort()
})

function deadlinesAt(clock: Clock) {
  return { firstWordBy: clock.now() + 25_000, endBy: clock.now() + 120_000 }
}
