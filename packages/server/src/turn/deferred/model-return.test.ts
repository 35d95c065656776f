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
  const waiting = new Map<string, number>()
  const modelReturn = createModelReturn({ clock, lanes, queue: { sizes: () => waiting }, rungs, probeLane, settings })
  return {
    clock,
    lanes,
    rungs,
    probeLane,
    settings,
    asked,
    waiting,
    well,
    ...modelReturn,
    isBack: () => modelReturn.room() > 0,
  }
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

test('while a shopper’s question waits at the lane no deferred question is asked there', async () => {
  const { room, check, well, waiting, asked } = setUp(['a'])
  well.add('a')
  await check()
  assert.ok(room() > 0)
  waiting.set('a', 1)
  const before = asked.length
  await check()
  assert.deepEqual([room(), asked.length], [0, before])
  waiting.set('a', 0)
  assert.ok(room() > 0)
})

test('a lane that is paced or full has no room, and one with a limit has what others leave of most of it', async () => {
  const { check, clock, lanes, settings, well, ...parts } = setUp(['a'])
  well.add('a')
  await check()
  const seen: { pace: number | null; limit: number | null; inFlight: number } = { pace: 3, limit: null, inFlight: 0 }
  const shown = { seen: (lane: string) => ({ ...lanes.seen(lane), ...seen }) }
  const { rungs, probeLane } = parts
  const queue = { sizes: () => new Map<string, number>() }
  const { check: prove, room } = createModelReturn({ clock, lanes: shown, queue, rungs, probeLane, settings })
  assert.equal(room(), 0)
  Object.assign(seen, { pace: null, limit: 10, inFlight: 3 })
  await prove()
  assert.equal(room(), 5)
  seen.inFlight = 8
  assert.equal(room(), 0)
})
