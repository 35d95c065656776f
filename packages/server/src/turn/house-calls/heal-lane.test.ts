// Lanes without traffic are probed until they serve again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLanes } from '#adapters/memory/lanes.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { policyFor } from '#domain/lane/policy-for.ts'
import { Rejections } from '#domain/model/rejections.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { scriptedModel } from '#fixtures/models/scripted-model.ts'
import { sampleRung } from '#fixtures/turns/turns.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { changedSettings } from '#fixtures/turns/normal-settings.ts'
import { createHealLane } from './heal-lane.ts'
import type { Rung } from '../turn.ts'

async function trippedLane() {
  const clock = manualClock()
  const policies = new Map([['a', policyFor(testConfig, 'primary')]])
  const lanes = memoryLanes({ clock, random: seededRandom(1), policies, leaseMs: 10_000 })
  const rung = { ...sampleRung({ ...scriptedModel(clock, [], 'a'), facts: SAMPLE_FACTS }), lane: 'a' }
  let [asks, isWell] = [0, false]
  const probeLane = async ({ lane }: Rung) => {
    const id = `ask-${(asks += 1)}`
    const answer = await lanes.permit(lane, { id, ask: { kind: 'first' } })
    if (answer.kind === 'refused') return false
    await lanes.report(lane, id, isWell ? 'success' : 'fault')
    return isWell
  }
  for (let failure = 0; failure < 3; failure += 1) await probeLane(rung)
  const settings = changedSettings()
  const rejections = new Rejections(clock)
  const heal = createHealLane({ clock, lanes, probeLane, rejections, settings, nodes: () => 1 })
  const rounds = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      for (let tick = 0; tick < 2; tick += 1) {
        await clock.advance(500)
        await lanes.tick()
        await heal(rung)
      }
    }
  }
  await clock.advance(1000)
  await lanes.tick()
  assert.equal(lanes.seen('a').phase, 'open')
  return { lanes, settings, rounds, asks: () => asks, recover: () => (isWell = true) }
}

test('a recovered model serves again without traffic', async () => {
  const { lanes, rounds, recover } = await trippedLane()
  recover()
  await rounds(15)
  assert.equal(lanes.seen('a').phase, 'closed')
})

test('a model that stays down is probed a few times a minute, and not during maintenance', async () => {
  const { rounds, asks, settings } = await trippedLane()
  const before = asks()
  await rounds(60)
  const probes = asks() - before
  assert.ok(probes >= 5 && probes <= 25, `${probes} probes in a minute`)
  settings.current = 'maintenance'
  const during = asks()
  await rounds(30)
  assert.equal(asks(), during)
})

test('a lane that an operator forced open is left alone', async () => {
  const { lanes, rounds, asks } = await trippedLane()
  await lanes.operate('a', 'force-open', 'aki')
  const before = asks()
  await rounds(30)
  assert.equal(asks(), before)
})
