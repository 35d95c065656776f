// Counting on one lane: permits and their leases, slots that overload holds, the retry budget, probes by epoch.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FIRST } from '#fixtures/lanes/lanes.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { CELLS_MAX } from './cells.ts'
import type { FreeGate, Gate } from './gate.ts'
import { LaneCounter } from './lane-counter.ts'
import type { Outcome } from './outcome.ts'

const LIMITS = { overloadHoldMs: 500, silentHoldMs: 2500, bucketStart: 25 }
const free = (over: Partial<FreeGate> = {}): Gate => ({
  kind: 'free',
  overloadsMax: null,
  startsMax: null,
  epoch: 1,
  bucketMax: 25,
  refill: 0,
  limit: null,
  retry: { inFlightMax: null, countMax: 100 },
  ...over,
})
const probing = (over: { epoch?: number; probesMax?: number } = {}): Gate => ({
  kind: 'probing',
  epoch: 1,
  bucketMax: 25,
  refill: 0,
  notBefore: 0,
  probesMax: 1,
  ...over,
})
const counter = (gate: Gate = free()) => new LaneCounter(LIMITS, gate)
const LEASE_MS = 60_000
const first = (id: string) => ({ id, ask: FIRST, leaseMs: LEASE_MS })
const retry = (id: string, cost = 5) => ({ id, ask: { kind: 'retry', cost } as const, leaseMs: LEASE_MS })
const why = (answer: ReturnType<LaneCounter['take']>) => (answer.kind === 'refused' ? answer.why : answer.kind)

test('there are never more permits than the limit, and a finished call makes room', () => {
  const lane = counter(free({ limit: 2 }))
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => why(lane.take(first(id), NOON))),
    ['permit', 'permit', 'saturated'],
  )
  lane.report('a', 'success', NOON)
  assert.equal(why(lane.take(first('c'), NOON)), 'permit')
})

test('a second request with the same id returns the same permit, counted once', () => {
  const lane = counter(free({ limit: 1 }))
  assert.deepEqual(lane.take(first('a'), NOON), lane.take(first('a'), NOON + 10))
  const { inFlight, cells } = lane.counts(NOON)
  assert.deepEqual([inFlight, cells[0]?.firsts], [1, 1])
})

test('a silent call holds its slot as long as its provider may work on, and counts towards opening', () => {
  const lane = counter()
  lane.take(first('silent'), NOON)
  lane.report('silent', 'silent', NOON + 1500)
  assert.deepEqual([lane.counts(NOON + 2400).inFlight, lane.counts(NOON + 2500).inFlight], [1, 0])
  const cell = lane.counts(NOON + 2500).cells.find(({ silents }) => silents > 0)
  assert.deepEqual([cell?.silents, lane.counts(NOON).failuresRunning], [1, 1])
})

test('no more calls begin until the next tick than the pace allows', () => {
  const lane = counter(free({ startsMax: 2 }))
  const ask = (...ids: readonly string[]) => ids.map((id) => why(lane.take(first(id), NOON)))
  assert.deepEqual(ask('a', 'b', 'c'), ['permit', 'permit', 'saturated'])
  lane.setGate(free({ startsMax: 1 }))
  assert.deepEqual(ask('d', 'e'), ['permit', 'saturated'])
})

test('a quick throttle holds its slot for half a second, a success and a late timeout free theirs at once', () => {
  const lane = counter()
  for (const id of ['quick', 'good', 'late']) lane.take(first(id), NOON)
  lane.report('quick', 'overload', NOON + 50)
  lane.report('good', 'success', NOON + 50)
  assert.equal(lane.counts(NOON + 499).inFlight, 2)
  assert.equal(lane.counts(NOON + 500).inFlight, 1)
  lane.report('late', 'overload', NOON + 8000)
  assert.equal(lane.counts(NOON + 8000).inFlight, 0)
})

test('the second report of a call is not counted', () => {
  const lane = counter()
  lane.take(first('a'), NOON)
  lane.report('a', 'fault', NOON)
  lane.report('a', 'fault', NOON)
  assert.equal(lane.counts(NOON).failuresRunning, 1)
})

test('a neutral outcome changes neither rates nor consecutive counts nor the bucket', () => {
  const lane = counter()
  lane.take(first('a'), NOON)
  const before = lane.counts(NOON)
  lane.report('a', 'neutral', NOON)
  assert.deepEqual(lane.counts(NOON), { ...before, inFlight: 0 })
})

test('each success adds one to the bucket up to its size, and an empty bucket allows no retry', () => {
  const lane = counter()
  const paid = Array.from({ length: 6 }, (_, index) => why(lane.take(retry(`r${index}`), NOON)))
  assert.deepEqual(paid, ['permit', 'permit', 'permit', 'permit', 'permit', 'retry-bucket'])
  for (let index = 0; index < 30; index += 1) {
    lane.take(first(`f${index}`), NOON)
    lane.report(`f${index}`, 'success', NOON)
  }
  assert.equal(lane.counts(NOON).bucket, 25)
})

test('no ten seconds have more retries than the maximum, even with a full bucket', () => {
  const lane = counter(free({ retry: { inFlightMax: null, countMax: 3 } }))
  const at = (id: string, ms: number) => why(lane.take(retry(id, 0), NOON + ms))
  assert.deepEqual(
    [at('a', 0), at('b', 4000), at('c', 8000), at('d', 9000)],
    ['permit', 'permit', 'permit', 'retry-cap'],
  )
  assert.equal(at('e', 10_500), 'permit')
})

test('retries leave room for first attempts', () => {
  const lane = counter(free({ limit: 10, retry: { inFlightMax: 9, countMax: 100 } }))
  for (let index = 0; index < 9; index += 1) lane.take(first(`f${index}`), NOON)
  assert.deepEqual([why(lane.take(retry('r'), NOON)), why(lane.take(first('f'), NOON))], ['saturated', 'permit'])
})

test('a permit with an expired lease is removed, and its later report is not counted', () => {
  const lane = counter()
  lane.take({ ...first('a'), leaseMs: 1000 }, NOON)
  lane.sweep(NOON + 1000)
  lane.report('a', 'fault', NOON + 1000)
  const { inFlight, failuresRunning } = lane.counts(NOON + 1000)
  assert.deepEqual([inFlight, failuresRunning], [0, 0])
})

test('an epoch lets exactly its number of probes pass, and none too early', () => {
  const lane = counter(probing({ probesMax: 3 }))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => why(lane.take(first(id), NOON))),
    ['permit', 'permit', 'permit', 'probing'],
  )
  const open = counter({ kind: 'probing', epoch: 1, bucketMax: 25, refill: 0, probesMax: 1, notBefore: NOON + 700 })
  assert.deepEqual(open.take(first('a'), NOON), { kind: 'refused', why: 'open', retryAfterMs: 700 })
})

test('a probe whose owner died, whose caller left or whose request was invalid is lost, neither passed nor failed', () => {
  const lane = counter(probing({ probesMax: 2 }))
  lane.take(first('dead'), NOON)
  lane.take(first('left'), NOON)
  lane.report('left', 'neutral', NOON)
  lane.sweep(NOON + LEASE_MS)
  assert.deepEqual(lane.counts(NOON).probes, { epoch: 1, taken: 2, passed: 0, failed: 0, lost: 2 })
})

test('a result of an older epoch frees its slot and is otherwise ignored', () => {
  const lane = counter(probing())
  lane.take(first('old'), NOON)
  lane.setGate(probing({ epoch: 2 }))
  lane.take(first('new'), NOON)
  lane.report('old', 'success', NOON)
  const { probes, cells, inFlight } = lane.counts(NOON)
  assert.deepEqual(probes, { epoch: 2, taken: 1, passed: 0, failed: 0, lost: 0 })
  assert.deepEqual([cells.at(-1)?.successes, inFlight], [0, 1])
})

test('a probe passes with its first words, and the end of its answer is not counted again', () => {
  const lane = counter(probing())
  lane.take(first('a'), NOON)
  lane.served('a', { now: NOON + 400, leaseMs: 120_000 })
  lane.sweep(NOON + 60_000)
  lane.report('a', 'success', NOON + 60_000)
  const { probes, cells } = lane.counts(NOON + 60_000)
  assert.deepEqual([probes.passed, probes.lost], [1, 0])
  assert.equal(
    cells.reduce((sum, cell) => sum + cell.successes, 0),
    1,
  )
})

test('an answer that broke off after its first words counts as a failure, not as a success', () => {
  const lane = counter()
  for (const id of ['a', 'b', 'c']) {
    lane.take(first(id), NOON)
    lane.served(id, { now: NOON, leaseMs: 1000 })
    lane.report(id, 'fault', NOON + 900)
  }
  const { cells, failuresRunning } = lane.counts(NOON + 900)
  const total = (field: 'successes' | 'faults') => cells.reduce((sum, cell) => sum + cell[field], 0)
  assert.deepEqual([total('successes'), total('faults'), failuresRunning], [0, 3, 1])
})

test('the end of an answer that started before does not interrupt a run of failures', () => {
  const lane = counter()
  lane.take(first('old'), NOON)
  lane.served('old', { now: NOON, leaseMs: 10_000 })
  for (const id of ['a', 'b']) {
    lane.take(first(id), NOON + 100)
    lane.report(id, 'fault', NOON + 200)
  }
  lane.report('old', 'success', NOON + 300)
  assert.equal(lane.counts(NOON + 300).failuresRunning, 2)
})

test('after the maximum of overloads no call passes until the next tick', () => {
  const lane = counter(free({ overloadsMax: 2 }))
  for (const id of ['a', 'b']) {
    lane.take(first(id), NOON)
    lane.report(id, 'overload', NOON)
  }
  assert.equal(why(lane.take(first('c'), NOON)), 'saturated')
  lane.setGate(free({ overloadsMax: 2 }))
  assert.equal(why(lane.take(first('c'), NOON)), 'permit')
})

test('reading the counts changes nothing: a health page uses up no probe', () => {
  const lane = counter(probing())
  for (let reads = 0; reads < 5; reads += 1) lane.counts(NOON)
  assert.equal(why(lane.take(first('a'), NOON)), 'permit')
})

test('after any history the bucket and the cells are within their bounds and nothing is left in flight', () => {
  const anyStep = fc.record({
    outcome: fc.constantFrom<Outcome>('success', 'overload', 'silent', 'fault', 'neutral'),
    isRetry: fc.boolean(),
    gapMs: fc.nat(3000),
  })
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
      const lane = counter(free({ retry: { inFlightMax: null, countMax: 10 } }))
      let now = NOON
      for (const [index, { outcome, isRetry, gapMs }] of steps.entries()) {
        lane.take(isRetry ? retry(`${index}`, 14) : first(`${index}`), now)
        now += gapMs
        lane.report(`${index}`, outcome, now)
        const { bucket, cells } = lane.counts(now)
        assert.ok(bucket >= 0 && bucket <= 25 && cells.length <= CELLS_MAX)
      }
      assert.equal(lane.counts(now + LIMITS.silentHoldMs).inFlight, 0)
    }),
  )
})
