// A call of a few tokens through a model's lane, at the shop's cost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueDefaults } from '#domain/queue/fair-queue.ts'
import { laneOf } from '#domain/lane/lanes-of.ts'
import { TypicalTimes } from '#domain/model/typical-times.ts'
import { Rejections } from '#domain/model/rejections.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { freeSpending } from '#fixtures/budgets/free-spending.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { fails, testPorts } from '#fixtures/stores/ports.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import type { Script } from '#fixtures/models/scripted-model.ts'
import { sampleRung } from '#fixtures/turns/turns.ts'
import { createHouseCall } from './house-call.ts'
import { createProbeLane } from './probe-lane.ts'
import { createWaitingQueue } from '../invocation/waiting-queue.ts'
import type { Entry, WaitingQueue } from '../invocation/waiting-queue.ts'

const LANE = laneOf(testConfig, 'embedded')

async function setUp(script: Script, { isAlone = false } = {}) {
  const ports = await testPorts()
  const model = scriptedModel(ports.clock, script)
  const rung = sampleRung(model, { lane: LANE })
  const line = createWaitingQueue({ ...ports, settings: queueDefaults })
  const entered: Entry[] = []
  const enter: WaitingQueue['enter'] = (lane, entry) => (entered.push(entry), line.enter(lane, entry))
  const houseCall = createHouseCall({
    ...ports,
    rejections: new Rejections(ports.clock),
    spending: freeSpending,
    queue: { ...line, enter },
    estimates: plainEstimates,
    config: testConfig,
  })
  const typical = new TypicalTimes(ports.clock)
  const probeLane = createProbeLane({ ...ports, houseCall, config: testConfig, typical, isAlone: () => isAlone })
  return { ports, model, entered, ask: () => probeLane(rung) }
}

test('an answered probe costs few tokens, returns its permit, and is booked to the shop', async () => {
  const { ports, model, ask } = await setUp(answering('ok'))
  assert.equal(await ask(), true)
  assert.equal(model.requests[0]?.maxOutputTokens, testConfig.probe.outputTokens)
  const { inFlight, recent } = ports.lanes.seen(LANE)
  assert.deepEqual([inFlight, recent.calls, recent.failures], [0, 1, 0])
  assert.equal((await ports.ledger.totals({ principalId: 'shop' })).rows, 1)
})

test('a failed probe is reported to its lane; an open lane is not asked', async () => {
  const { ports, model, ask } = await setUp([failure('unavailable')])
  assert.equal(await ask(), false)
  assert.equal(ports.lanes.seen(LANE).recent.failures, 1)
  await ports.lanes.operate(LANE, 'force-open', 'test')
  assert.equal(await ask(), false)
  assert.equal(model.requests.length, 1)
})

test('a model that is alone and slow from its first call is waited for longer each time, until its words show how slow it is', async () => {
  const slow: Script = [{ waitMs: 4000 }, ...answering('ok')]
  const alone = await setUp(slow, { isAlone: true })
  const probed = async ({ ask, ports }: typeof alone) => {
    const answered = ask()
    await ports.clock.advance(10_000)
    return answered
  }
  assert.deepEqual([await probed(alone), await probed(alone)], [false, true])
  const beside = await setUp(slow)
  assert.deepEqual([await probed(beside), await probed(beside)], [false, false])
})

test('a model that is alone and known to be slow is waited for as long as any question would be', async () => {
  const words = [4000, 4000, 4000, 4000, 9000].map((waitMs) => [{ waitMs }, ...answering('ok')])
  const { ask, ports } = await setUp({ calls: words }, { isAlone: true })
  const probed = []
  for (const _ of words) {
    const answered = ask()
    await ports.clock.advance(10_000)
    probed.push(await answered)
  }
  assert.deepEqual(probed, [false, true, true, true, true])
})

test('a probe has the highest priority in the queue, for a short time', async () => {
  const { entered, ask } = await setUp(answering('ok'))
  await ask()
  assert.deepEqual([entered[0]?.priority, entered[0]?.waitMaxMs], ['critical', 3000])
})

test('an unavailable ledger does not fail a probe', async () => {
  const { ports, ask } = await setUp(answering('ok'))
  ports.ledger.record = fails
  assert.equal(await ask(), false)
  assert.equal(ports.lanes.seen(LANE).inFlight, 0)
})
