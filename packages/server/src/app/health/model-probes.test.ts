// Probes in virtual time: when they ask, how they judge the answer, who pays; and once against a faulty provider.
import { Rejections } from '#domain/model/rejections.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { defaults } from '#config/config.ts'
import type { Config } from '#config/config.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model } from '#ports/model/port.ts'
import type { VendorFault } from '@mangaassist/simulation/vendor/faults'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { END, failure, say, scriptedModel, START, usage } from '#fixtures/models/scripted-model.ts'
import type { ModelStep } from '#fixtures/models/scripted-model.ts'
import { PRICED } from '#fixtures/turns/turns.ts'
import { overBedrock, overOpenAi, SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { freeSpending } from '#fixtures/budgets/free-spending.ts'
import { rungsOf } from '../ladder.ts'
import { createHouseCall } from '#turn/house-calls/house-call.ts'
import { createWaitingQueue } from '#turn/invocation/waiting-queue.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { queueDefaults } from '#domain/queue/fair-queue.ts'
import type { LedgerRow } from '#ports/ledger/port.ts'
import { laneOf } from '#domain/lane/lanes-of.ts'
import { createModelProbes } from './model-probes.ts'

const MINUTE_MS = 60_000
const GOOD: readonly ModelStep[] = [START, say('Hello!'), usage(25, 2), END]

const config: Config = {
  ...testConfig,
  models: { primary: { provider: 'bedrock' }, economy: { provider: 'openai' }, own: { provider: 'embedded' } },
  ladder: ['primary', 'economy', 'own'],
}

function probing(clock: Clock, models: Readonly<Record<string, Model>>, probe: Partial<Config['probe']> = {}) {
  const [telemetry, ledger, random] = [memoryTelemetry(), memoryLedger(), seededRandom(1)]
  const known = Object.fromEntries(Object.entries(config.models).filter(([name]) => name in models))
  const own = { ...config, models: known, probe: { ...defaults.probe, ...probe } }
  const lanes = testLanes({ clock, random }, own)
  const rows: LedgerRow[] = []
  const record = async (added: readonly LedgerRow[]) => {
    rows.push(...added)
    await ledger.record(added)
  }
  const houseCall = createHouseCall({
    clock,
    random,
    ledger: { record },
    lanes,
    rejections: new Rejections(clock),
    queue: createWaitingQueue({ lanes, clock, random, settings: queueDefaults }),
    estimates: plainEstimates,
    spending: freeSpending,
    config: own,
    telemetry,
  })
  const rungs = rungsOf(own, new Map(Object.entries(models)), Object.keys(models)).values()
  const vendors = [...rungs].filter(({ tier }) => tier !== 'embedded')
  const probes = createModelProbes({ clock, random, telemetry, houseCall, rungs: vendors, config: own })
  return { probes, telemetry, ledger, lanes, rows }
}

test('every model of a vendor is asked for ten tokens soon after the start and about every five minutes', async () => {
  const clock = manualClock()
  const [primary, economy, own] = [scriptedModel(clock, GOOD), scriptedModel(clock, GOOD), scriptedModel(clock, GOOD)]
  const { probes } = probing(clock, { primary, economy, own })
  assert.deepEqual(
    Object.values(probes.health()).map(({ status }) => status),
    ['pending', 'pending'],
  )
  probes.start()
  await clock.advance(5000)
  assert.deepEqual([primary.requests.length, economy.requests.length, own.requests.length], [1, 1, 0])
  assert.equal(primary.requests[0]?.maxOutputTokens, 10)
  await clock.advance(60 * MINUTE_MS)
  assert.ok(primary.requests.length >= 10 && primary.requests.length <= 17, String(primary.requests.length))
  assert.equal(probes.health()['model:primary']?.status, 'ok')
  await probes.stop()
  const { length } = primary.requests
  await clock.advance(60 * MINUTE_MS)
  assert.deepEqual([primary.requests.length, clock.timers()], [length, 0])
  assert.equal(probes.health()['model:primary']?.status, 'stale')
})

test('no model is asked when probes are turned off', async () => {
  const clock = manualClock()
  const primary = scriptedModel(clock, GOOD)
  const { probes } = probing(clock, { primary }, { everyMs: 0 })
  probes.start()
  await clock.advance(60 * MINUTE_MS)
  assert.deepEqual([primary.requests.length, probes.health()], [0, {}])
})

test('the shop pays: reported usage at its price, or a flagged estimate', async () => {
  const clock = manualClock()
  const facts = { ...SAMPLE_FACTS, price: PRICED }
  const primary = { ...scriptedModel(clock, GOOD, 'big'), facts }
  const economy = { ...scriptedModel(clock, [START, say('Hello!'), END], 'small'), facts }
  const { ledger, probes, rows } = probing(clock, { primary, economy })
  probes.start()
  await clock.advance(5000)
  await probes.stop()
  const shown = rows.map(({ model, outcome, tier, estimated, day }) => [model, outcome, tier, estimated, day].join(' '))
  assert.deepEqual(shown.toSorted(), ['big probe primary false 2026-11-04', 'small probe economy true 2026-11-04'])
  const { costMicroUsd, inputTokens, outputTokens } = await ledger.totals({ principalId: 'shop', model: 'big' })
  assert.deepEqual([inputTokens, outputTokens], [25, 2])
  assert.ok(costMicroUsd > 0)
})

test('zero usage for an answer with text is booked by our estimate, which is flagged', async () => {
  const clock = manualClock()
  const facts = { ...SAMPLE_FACTS, price: PRICED }
  const primary = { ...scriptedModel(clock, [START, say('Hello to you all!'), usage(0, 0), END], 'big'), facts }
  const { probes, rows } = probing(clock, { primary })
  probes.start()
  await clock.advance(5000)
  await probes.stop()
  const [row] = rows
  assert.ok(row !== undefined && row.inputTokens > 0 && row.outputTokens > 0 && row.costMicroUsd > 0)
  assert.deepEqual([row.estimated, row.sessionId, row.outcome], [true, 'format-probe', 'probe'])
})

test('a probe takes a permit of its model’s lane, and its outcome counts there', async () => {
  const clock = manualClock()
  const primary = scriptedModel(clock, [{ waitMs: 100 }, failure('unavailable')])
  const { probes, lanes } = probing(clock, { primary })
  const lane = laneOf(config, 'primary')
  probes.start()
  await clock.advance(6000)
  await probes.stop()
  const { inFlight, recent } = lanes.seen(lane)
  assert.deepEqual([inFlight, recent.calls, recent.failures], [0, 1, 1])
})

test('while the lane is open the model is not asked: the last verdict stays and the skipped probe is reported', async () => {
  const clock = manualClock()
  const primary = scriptedModel(clock, GOOD)
  const { probes, lanes, rows, telemetry } = probing(clock, { primary })
  const now = () => probes.health()['model:primary']
  probes.start()
  await clock.advance(5000)
  await lanes.operate(laneOf(config, 'primary'), 'force-open', 'test')
  await clock.advance(7 * MINUTE_MS)
  assert.deepEqual([primary.requests.length, rows.length, now()?.status], [1, 1, 'ok'])
  assert.equal(now()?.skipped, 'circuit-open')
  assert.ok((now()?.skippedAt ?? '') > (now()?.at ?? ''))
  assert.ok(telemetry.counted.some(({ name }) => name === 'model_format_probe_skipped_total'))
  await clock.advance(7 * MINUTE_MS)
  assert.deepEqual([now()?.status, now()?.skipped], ['stale', 'circuit-open'])
  await lanes.operate(laneOf(config, 'primary'), 'reset', 'test')
  await clock.advance(7 * MINUTE_MS)
  assert.deepEqual([now()?.status, now()?.skipped], ['ok', undefined])
  assert.ok(primary.requests.length > 1)
  await probes.stop()
})

test('a probe of a half-open lane helps to decide whether it serves again', async () => {
  const clock = manualClock()
  const primary = scriptedModel(clock, GOOD)
  const { probes, lanes } = probing(clock, { primary })
  const lane = laneOf(config, 'primary')
  for (let failed = 0; failed < 10; failed += 1) {
    await lanes.permit(lane, { id: `p${failed}`, ask: { kind: 'first' } })
    await lanes.report(lane, `p${failed}`, 'fault')
  }
  await clock.advance(1000)
  await lanes.tick()
  assert.equal(lanes.seen(lane).phase, 'open')
  await clock.advance(5 * MINUTE_MS)
  await lanes.tick()
  assert.equal(lanes.seen(lane).phase, 'half-open')
  probes.start()
  await clock.advance(5000)
  await lanes.tick()
  assert.deepEqual([primary.requests.length, probes.health()['model:primary']?.status], [1, 'ok'])
  await probes.stop()
})

test('a model that fails is an error with its class, costs nothing, and raises an alarm', async () => {
  const clock = manualClock()
  const { ledger, probes, telemetry } = probing(clock, { primary: scriptedModel(clock, [failure('access-denied')]) })
  probes.start()
  await clock.advance(5000)
  await probes.stop()
  const { at, ...health } = probes.health()['model:primary'] ?? {}
  assert.deepEqual(health, { status: 'error', reason: 'access-denied' })
  assert.match(at ?? '', /^2026-11-04T/)
  assert.deepEqual(
    telemetry.logged.map(({ level, event, fields }) => [level, event, fields.reason]),
    [['error', 'model.format-degraded', 'access-denied']],
  )
  assert.equal(telemetry.counted[0]?.name, 'model_format_probes_total')
  assert.equal((await ledger.totals({})).rows, 0)
})

test('a silent model that ignores its signal is abandoned at the deadline, and asked again', async () => {
  const clock = manualClock()
  const primary = scriptedModel(clock, [START, say('Hel'), 'hang'])
  const { probes } = probing(clock, { primary })
  probes.start()
  await clock.advance(20_000)
  assert.deepEqual(probes.health()['model:primary']?.reason, 'timeout')
  assert.equal(primary.aborts.length, 1)
  await clock.advance(7 * MINUTE_MS)
  assert.equal(primary.requests.length, 2)
  await probes.stop()
})

test('a model that throws is an error, and the rounds continue', async () => {
  const clock = manualClock()
  let calls = 0
  const stream = () => {
    calls += 1
    throw new Error('a defect')
  }
  const { probes } = probing(clock, { primary: { id: 'broken', stream } })
  probes.start()
  await clock.advance(7 * MINUTE_MS)
  assert.deepEqual([probes.health()['model:primary']?.reason, calls], ['internal', 2])
  await probes.stop()
})

test('stopping ends a probe in flight without a verdict', async () => {
  const clock = manualClock()
  const primary = scriptedModel(clock, [START, 'hang'])
  const { probes, telemetry } = probing(clock, { primary })
  probes.start()
  await clock.advance(5000)
  await probes.stop()
  await clock.advance(MINUTE_MS)
  const probed = telemetry.counted.filter(({ name }) => name.startsWith('model_format'))
  assert.deepEqual([primary.aborts.length, probed.length, clock.timers()], [1, 0, 0])
})

test('a schema alert is held for an hour of good probes', async () => {
  const clock = manualClock()
  let undecodable = 1
  const primary = { ...scriptedModel(clock, GOOD), undecodableEvents: () => undecodable }
  const { probes } = probing(clock, { primary })
  const now = () => probes.health()['model:primary']
  probes.start()
  await clock.advance(5000)
  assert.equal(now()?.reason, 'undecodable-event')
  await clock.advance(50 * MINUTE_MS)
  assert.deepEqual([now()?.status, now()?.reason], ['degraded', 'schema-alert: undecodable-event'])
  await clock.advance(15 * MINUTE_MS)
  assert.equal(now()?.status, 'ok')
  undecodable += 1
  await clock.advance(7 * MINUTE_MS)
  assert.equal(now()?.status, 'degraded')
  await probes.stop()
})

const faults: readonly (readonly [VendorFault | undefined, string, string])[] = [
  [undefined, 'ok', 'ok'],
  [{ fault: 'usage', shape: 'missing' }, 'degraded', 'usage-missing'],
  [{ fault: 'usage', shape: 'zero' }, 'degraded', 'usage-missing'],
  [{ fault: 'usage', shape: 'renamed' }, 'degraded', 'usage-missing'],
  [{ fault: 'usage', shape: 'nested' }, 'ok', 'ok'],
  [{ fault: 'error', error: 'throttled' }, 'degraded', 'throttled'],
  [{ fault: 'error', error: 'unavailable' }, 'error', 'unavailable'],
  [{ fault: 'missing-end' }, 'error', 'stream-broken'],
  [{ fault: 'silence' }, 'error', 'timeout'],
  [{ fault: 'malformed', afterTokens: 1, how: 'json' }, 'degraded', 'undecodable-event'],
]

for (const [vendor, make] of Object.entries({ bedrock: overBedrock('converse'), openai: overOpenAi })) {
  for (const [fault, status, reason] of faults) {
    test(`${vendor} with ${JSON.stringify(fault ?? 'no fault')} is ${status}: ${reason}`, async () => {
      const clock = systemClock()
      await using simulator = await startSimulator({ clock, identicalText: 'Hello!', faults: fault ? [fault] : [] })
      const { anomalies, model } = await make(simulator.url)
      const primary = { ...model, undecodableEvents: () => anomalies.length }
      const { probes, telemetry } = probing({ ...clock, after: quick(clock) }, { primary })
      probes.start()
      await waitUntil('the probe is counted', () => telemetry.counted.length > 0)
      await probes.stop()
      const health = probes.health()['model:primary']
      assert.deepEqual([health?.status, health?.reason], [status, reason])
      assert.equal(simulator.attempts().length, 1)
    })
  }
}

/** The first round at once; all other limits unchanged. */
function quick(clock: Clock): Clock['after'] {
  return (ms, action) => clock.after(ms < 5000 ? 0 : ms, action)
}
