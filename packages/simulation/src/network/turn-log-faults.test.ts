// The production turn log over the simulated store, when calls of a node are lost. Another node finds a turn whose
// owner died by scanning or by reading it; an owner that is cut off writes only what it may, and resumes before others
// take over.
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

/**
 * SURE_MS: how long an owner that gets no answer is certain of its lease. STILL_MS: how long it then waits to learn who
 * owns the turn.
 */
const SURE_MS = LEASE_MS - 1000
const STILL_MS = 6000
const OWNERS_FIRST_MS = 6000

/**
 * Two nodes over one store. Scripts named in `lost` fail for their node, those in `lostOnce`, with their first key, once, and
 * a node that is cut off reaches nothing.
 */
function world() {
  const clock = manualClock()
  const store = new SimulatedStore(clock)
  const node = (nodeId: string) => {
    const lost = new Set<string>()
    const network = new StoreNetwork({ clock, random: seededRandom('network') })
    const awake = { ...clock, whenRunning: (action: () => void) => action() }
    const whole = simulatedRedis(
      store,
      new StoreLink({ network, node: awake, random: seededRandom(3), telemetry: memoryTelemetry(), callMs: 50 }),
    )
    const link = { isCut: false, isAnswerLost: false, troubledAt: 0 }
    const lostOnce = new Set<string>()
    const redis: Redis = {
      ...whole,
      troubledAt: () => link.troubledAt,
      run: async (script, keys, args) => {
        if (link.isCut || lost.has(script.name)) throw new RedisUnavailable(`${script.name} was lost`, { isLate: true })
        if (lostOnce.delete(`${script.name} ${keys[0]}`))
          throw new RedisUnavailable(`${script.name} was lost once`, { isLate: true })
        const answer = await whole.run(script, keys, args)
        if (link.isAnswerLost) throw new RedisUnavailable(`the answer to ${script.name} was lost`, { isLate: true })
        return answer
      },
    }
    const parts = { redis, clock, telemetry: memoryTelemetry(), nodeId, keepMs: 3_600_000, bounds: LOG_BOUNDS }
    return { log: redisTurnLog(parts), lost, lostOnce, link }
  }
  return { clock, store, owner: node('node_1'), other: node('node_2') }
}

test('a turn that is missing from the lease index is taken over after a node reads it', async () => {
  const { clock, owner, other } = world()
  owner.lost.add('lease-index.add')
  assert.equal(await owner.log.open(startNow(), LEASE_MS), true)
  owner.log[Symbol.dispose]()
  await clock.advance(LEASE_MS)
  assert.deepEqual(await other.log.orphans(10), [], 'the index does not know the turn')
  const gone = new AbortController()
  const reader = other.log.follow('turn_1', -1, gone.signal)[Symbol.asyncIterator]()
  await reader.next()
  assert.deepEqual(await other.log.orphans(10), ['turn_1'])
  gone.abort()
})

test('the next renewal puts a turn back into the lease index', async () => {
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

test('a lost call to the lease index is retried before open() returns', async () => {
  const { clock, owner, other } = world()
  owner.lost.add('lease-index.add')
  const opened = owner.log.open(startNow(), LEASE_MS)
  owner.lost.clear()
  assert.equal(await opened, true)
  owner.log[Symbol.dispose]()
  await clock.advance(LEASE_MS)
  assert.deepEqual(await other.log.orphans(10), ['turn_1'])
})

test('a scan for turns without an owner repeats a lost call in each of its shards', async () => {
  const { clock, owner, other } = world()
  await owner.log.open(startNow(), LEASE_MS)
  owner.log[Symbol.dispose]()
  await clock.advance(LEASE_MS)
  for (let shard = 0; shard < 16; shard += 1) other.lostOnce.add(`lease-index.lapsed ma:{leases:${shard}}`)
  assert.deepEqual(await other.log.orphans(10), ['turn_1'])
})

/** Collects what a reader on this node receives of the turn. */
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

test('an owner that is cut off keeps writing for its readers while its lease is certain, and cannot confirm the turn', async () => {
  const { clock, owner } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  const reader = readerOn(owner.log)
  owner.link.isCut = true
  await owner.log.append('turn_1', 1, [text(0, 'a')])
  await clock.advance(SURE_MS)
  await owner.log.append('turn_1', 1, [text(1, 'b')])
  await clock.advance(0)
  assert.equal(reader.text, 'ab')
  await assert.rejects(owner.log.confirm('turn_1', 1), RedisUnavailable)
  reader.leave.abort()
})

test('an owner whose lease may have lapsed withholds text from readers for a few seconds', async () => {
  const { clock, owner } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  const reader = readerOn(owner.log)
  await owner.log.append('turn_1', 1, [text(0, 'a')])
  owner.link.isCut = true
  await clock.advance(SURE_MS)
  const appended = owner.log.append('turn_1', 1, [text(1, 'b')])
  await clock.advance(STILL_MS - 1)
  assert.equal(reader.text, 'a')
  await clock.advance(1)
  assert.equal(await appended, true)
  await clock.advance(0)
  assert.equal(reader.text, 'ab', 'no node answers, so the store may be down for all of them')
  reader.leave.abort()
})

test('after a takeover readers get the text of the new owner, not the text that the old one withheld', async () => {
  const { clock, owner, other } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  const reader = readerOn(owner.log)
  await owner.log.append('turn_1', 1, [text(0, 'a')])
  owner.link.isCut = true
  await clock.advance(RENEW_MS)
  await owner.log.renew('turn_1', 1, LEASE_MS)
  await clock.advance(LEASE_MS - RENEW_MS)
  const appended = owner.log.append('turn_1', 1, [text(1, 'b')])
  await clock.advance(0)
  assert.equal(await other.log.takeOver('turn_1', LEASE_MS), 2)
  await other.log.append('turn_1', 2, [text(1, 'c'), turnEnd])
  owner.link.isCut = false
  await clock.advance(5000)
  assert.equal(await appended, false)
  assert.deepEqual([reader.text, reader.isEnded, reader.error], ['ac', true, undefined])
})

test('a record whose write was not answered is not written twice when its owner resumes', async () => {
  const { clock, owner, other } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  await clock.advance(SURE_MS)
  owner.link.isAnswerLost = true
  const appended = owner.log.append('turn_1', 1, [text(0, 'a')])
  await clock.advance(1)
  owner.link.isAnswerLost = false
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

test('after an unanswered open() a turn is not confirmed until the log answers, even while its lease is certain', async () => {
  const { clock, owner } = world()
  owner.link.isAnswerLost = true
  assert.equal(await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS), true)
  owner.link.isAnswerLost = false
  owner.link.isCut = true
  await assert.rejects(owner.log.confirm('turn_1', 1), RedisUnavailable)
  await owner.log.append('turn_1', 1, [text(0, 'a')])
  await clock.advance(SURE_MS)
  await assert.rejects(owner.log.confirm('turn_1', 1), RedisUnavailable)
  owner.link.isCut = false
  await clock.advance(5000)
  assert.equal(await owner.log.confirm('turn_1', 1), true)
})

test('a turn whose open() was not answered and that another node took over is not confirmed', async () => {
  const { clock, owner, other } = world()
  owner.link.isAnswerLost = true
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  owner.link.isAnswerLost = false
  owner.link.isCut = true
  await clock.advance(LEASE_MS)
  assert.equal(await other.log.takeOver('turn_1', LEASE_MS), 2)
  owner.link.isCut = false
  await clock.advance(5000)
  assert.equal(await owner.log.confirm('turn_1', 1), false)
})

test('a turn that was opened outside the log is confirmed, but not once the log was asked to take it and has not answered', async () => {
  const { clock, owner } = world()
  owner.link.isCut = true
  owner.link.troubledAt = clock.now()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  await clock.advance(SURE_MS)
  assert.equal(await owner.log.confirm('turn_1', 1), true)
  owner.lost.add('turn-log.rewrite')
  owner.link.isCut = false
  await clock.advance(5000)
  await assert.rejects(owner.log.confirm('turn_1', 1), RedisUnavailable)
  owner.lost.clear()
  await clock.advance(5000)
  assert.equal(await owner.log.confirm('turn_1', 1), true)
})

test('after an outage owners can renew their turns before other nodes take them over', async () => {
  const { clock, owner, other } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  for (const { link } of [owner, other]) link.isCut = true
  await owner.log.append('turn_1', 1, [text(0, 'a')])
  for (let scan = 0; scan < 2; scan += 1) {
    await assert.rejects(other.log.orphans(10), RedisUnavailable)
    await clock.advance(LEASE_MS)
  }
  for (const { link } of [owner, other]) link.isCut = false
  assert.deepEqual(await other.log.orphans(10), [], 'the owner has time to renew although its lease has lapsed')
  await clock.advance(OWNERS_FIRST_MS)
  assert.deepEqual(await other.log.orphans(10), [], 'it was backfilled and renewed')
  assert.equal(await other.log.takeOver('turn_1', LEASE_MS), undefined)
  await clock.advance(LEASE_MS)
  assert.deepEqual(await other.log.orphans(10), ['turn_1'], 'it was not renewed since')
})

test('a node that takes its own turn back from another node continues from the text of that node', async () => {
  const { clock, owner, other } = world()
  await owner.log.open(startNow({ deadlines: deadlinesAt(clock) }), LEASE_MS)
  owner.link.isCut = true
  await owner.log.append('turn_1', 1, [text(0, 'mine'), text(4, '!')])
  await clock.advance(LEASE_MS)
  assert.equal(await other.log.takeOver('turn_1', LEASE_MS), 2)
  await other.log.append('turn_1', 2, [text(0, 'its')])
  await clock.advance(LEASE_MS)
  owner.link.isCut = false
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
