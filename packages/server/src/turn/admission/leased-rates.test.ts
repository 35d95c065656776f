// Leased rates of a node: exact to the token, with few round trips, and a refusal loses nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { Refusal } from '#domain/refusal.ts'
import type { RateChunks } from '#ports/rate-chunks/port.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { LeasedRates } from './leased-rates.ts'

function setUp(buckets = { global: { perSecond: 100, burst: 400 }, chat: { perSecond: 100, burst: 400 } }, nodes = 1) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const shared = memoryRateChunks({ clock })
  let leases = 0
  const chunks: RateChunks = {
    lease(...given) {
      leases += 1
      return shared.lease(...given)
    },
    giveBack: (...given) => shared.giveBack(...given),
  }
  const random = seededRandom(1)
  const rates = Array.from({ length: nodes }, () => new LeasedRates({ chunks, clock, random, telemetry }, buckets))
  const [first] = rates
  assert.ok(first !== undefined)
  return { clock, rates, first, telemetry, leases: () => leases }
}

async function takeMany(count: number, take: () => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: count }, take))
  return results.filter(({ status }) => status === 'fulfilled').length
}

test('a burst is granted to the last token and not one more, in far fewer leases than requests', async () => {
  const { first, leases } = setUp()
  assert.equal(await takeMany(1000, () => first.take('global')), 400)
  assert.ok(leases() < 40, `${leases()} leases`)
})

test('several nodes together get no more than one node would', async () => {
  const { rates } = setUp(undefined, 4)
  const granted = await Promise.all(rates.map((node) => takeMany(500, () => node.take('global'))))
  assert.equal(
    granted.reduce((sum, one) => sum + one, 0),
    400,
  )
})

test('a steady stream is served from chunks that are leased ahead', async () => {
  const { clock, first, leases } = setUp()
  for (let ms = 0; ms < 5000; ms += 20) {
    await first.take('global', 'chat')
    await clock.advance(20)
  }
  // 250 requests on two buckets.
  assert.ok(leases() < 120, `${leases()} leases`)
})

test('a refusal names the bucket and a jittered retry time, and takes nothing of the other buckets', async () => {
  const { clock, first } = setUp({ global: { perSecond: 1, burst: 3 }, chat: { perSecond: 1, burst: 2 } })
  await first.take('global', 'chat')
  await first.take('global', 'chat')
  await assert.rejects(first.take('global', 'chat'), (error) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual([error.code, error.details], ['RATE_LIMITED', { scope: 'chat' }])
    assert.ok(error.retryAfterMs !== undefined && error.retryAfterMs >= 1000 && error.retryAfterMs <= 2000)
    return true
  })
  await first.take('global')
  await assert.rejects(first.take('global'), { code: 'RATE_LIMITED' })
  await clock.advance(1000)
  await first.take('global', 'chat')
})

test('the tokens of a request that is refused later are returned once', async () => {
  const { first } = setUp({ global: { perSecond: 0.001, burst: 1 }, chat: { perSecond: 1, burst: 1 } })
  for (let tries = 0; tries < 5; tries += 1) {
    const taken = await first.take('global')
    taken.undo()
    taken.undo()
  }
  await first.take('global')
  await assert.rejects(first.take('global'), { code: 'RATE_LIMITED' })
})

test('another node soon gets the tokens that a node leased and did not use', async () => {
  const { clock, rates } = setUp({ global: { perSecond: 0.001, burst: 800 }, chat: { perSecond: 1, burst: 1 } }, 2)
  const [one, other] = rates
  assert.ok(one !== undefined && other !== undefined)
  await one.take('global')
  assert.equal(await takeMany(800, () => other.take('global')), 792)
  await clock.advance(500)
  // It notices at its next request, for which it must lease again.
  await one.take('global')
  assert.equal(await takeMany(10, () => one.take('global')), 6)
})

test('an unavailable store of rates refuses for a moment, and is reported', async () => {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const unavailable = () => Promise.reject(new Error('unavailable'))
  const parts = { chunks: { lease: unavailable, giveBack: unavailable }, clock, random: seededRandom(1), telemetry }
  const rates = new LeasedRates(parts, { global: { perSecond: 1, burst: 1 } })
  await assert.rejects(rates.take('global'), { code: 'RATE_LIMITED' })
  assert.deepEqual(
    telemetry.logged.map(({ event }) => event),
    ['rate.unavailable'],
  )
})
