// Decides when deferred questions may be asked again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLanes } from '#adapters/memory/lanes.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { policyFor } from '#domain/lane/policy-for.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { scriptedModel } from '#fixtures/models/scripted-model.ts'
import { sampleRung } from '#fixtures/turns/turns.ts'
import { changedSettings } from '#fixtures/turns/normal-settings.ts'
import { createModelReturn } from './model-return.ts'
import type { Rung } from '../turn.ts'

function setUp(names: readonly string[]) {
  const clock = manualClock()
  const policies = new Map(names.map((name) => [name, policyFor(testConfig, 'primary')]))
  const lanes = memoryLanes({ clock, random: seededRandom(1), policies, leaseMs: 10_000 })
  const rungs = names.map((name) => sampleRung(scriptedModel(clock, [], name)))
  const asked: string[] = []
  const well = new Set<string>()
  const probeLane = async ({ lane }: Rung) => {
    const id = `ask-${asked.push(lane)}`
    const answer = await lanes.permit(lane, { id, ask: { kind: 'first' } })
    if (answer.kind === 'refused') return false
    await lanes.report(lane, id, well.has(lane) ? 'success' : 'fault')
    return well.has(lane)
  }
  const settings = changedSettings()
  const modelReturn = createModelReturn({ clock, lanes, rungs, probeLane, settings })
  return { clock, lanes, settings, asked, well, ...modelReturn }
}

test('a closed circuit proves nothing by itself: one call must have been answered', async () => {
  const { isBack, check, well, asked } = setUp(['a'])
  assert.equal(isBack(), false)
  await check()
  assert.deepEqual([isBack(), asked.length], [false, 1])
  well.add('a')
  await check()
  assert.equal(isBack(), true)
  assert.ok(asked.length > 5, 'one answer after a failure is not yet enough')
})

test('a model that answered a moment ago counts as available, and needs a new proof after a while', async () => {
  const { isBack, check, well, clock, asked } = setUp(['a', 'b'])
  well.add('b')
  await check()
  assert.deepEqual([isBack(), asked], [true, ['a', 'b']])
  await clock.advance(60_000)
  assert.equal(isBack(), false)
})

test('a lane without traffic is probed through all stages until it closes', async () => {
  const { isBack, check, well, clock, lanes } = setUp(['a'])
  for (let failure = 0; failure < 3; failure += 1) await check()
  await clock.advance(1000)
  await lanes.tick()
  assert.equal(lanes.seen('a').phase, 'open')
  well.add('a')
  for (let round = 0; round < 30 && !isBack(); round += 1) {
    await clock.advance(1000)
    await lanes.tick()
    await check()
  }
  assert.ok(isBack())
})

test('in every mode but the normal one no model is asked', async () => {
  const { isBack, check, well, settings, asked } = setUp(['a'])
  well.add('a')
  settings.current = 'maintenance'
  await check()
  assert.deepEqual([isBack(), asked], [false, []])
})

test('while a model sheds shoppers’ calls it is not available for deferred questions, and is not probed', async () => {
  const { isBack, check, well, asked, lanes } = setUp(['a'])
  well.add('a')
  await check()
  assert.equal(isBack(), true)
  await lanes.shed('a')
  const before = asked.length
  await check()
  assert.deepEqual([isBack(), asked.length], [false, before])
})
