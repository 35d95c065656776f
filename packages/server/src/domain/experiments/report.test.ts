// Reports of experiments: what counts, what a stopped arm is compared with, and the bound of memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedTurns } from '#fixtures/experiments/simulated-shoppers.ts'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import type { TurnRecord } from '../turn-records/turn-record.ts'
import { CONTROL, createAssign } from './assign.ts'
import { hasFailed } from './outcomes.ts'
import { buildReport } from './report.ts'
import type { ExperimentReport, ReportAsked } from './report.ts'

const split = { name: 'prompts', layer: 'answers', from: 0, to: 1, arms: { [CONTROL]: 1, short: 1 } }
const asked: ReportAsked = { experiment: 'prompts', arms: split.arms, effect: 0.1 }

function day(lift = {}, count = 4000): TurnRecord[] {
  const arms = createAssign({ key: 'secret', holdoutShare: 0.1, experiments: [split] })
  return simulatedTurns({ count, lift, float: seededFloats('day'), arms })
}

function outcomeOf(report: ExperimentReport, arm: string, outcome: string) {
  return report.arms.find((one) => one.arm === arm)!.outcomes.find((one) => one.outcome === outcome)!
}

test('a planted effect is reported for its arm, with its size within the interval', async () => {
  const report = await buildReport(day({ thumbs: 2, cost: 0.6 }), asked)
  const [thumbs, cost] = ['thumbs-up', 'cost'].map((outcome) => outcomeOf(report, 'short', outcome))
  assert.equal(thumbs!.verdict, 'higher')
  assert.ok(thumbs!.interval!.low < 0.15 && thumbs!.interval!.high > 0.15)
  assert.equal(cost!.verdict, 'lower')
  assert.ok(cost!.relative!.interval!.low < -0.4 && cost!.relative!.interval!.high > -0.4)
  assert.equal(outcomeOf(report, 'short', 'asked-again').verdict, 'undecided')
  assert.deepEqual(
    report.arms.map(({ arm }) => arm),
    ['control', 'short', 'holdout'],
  )
  assert.equal(report.split.isMismatch, false)
})

test('several arms share the 5 %: each interval is as wide as one of them needs', async () => {
  const turns = day()
  const one = await buildReport(turns, asked)
  const three = await buildReport(turns, { ...asked, arms: { ...asked.arms, long: 0, other: 0 } })
  assert.deepEqual([one.confidence, three.confidence], [0.95, 1 - 0.05 / 3])
  const [single, shared] = [one, three].map((report) => outcomeOf(report, 'short', 'cost'))
  const width = ({ interval }: typeof single & {}) => interval!.high - interval!.low
  assert.ok(width(shared!) > 1.05 * width(single!) && width(shared!) < 1.3 * width(single!))
  assert.ok(shared!.needed!.readOnce > single!.needed!.readOnce)
  assert.ok(shared!.needed!.atAnyTime > single!.needed!.atAnyTime)
})

test('each unit counts once: a shopper who asks a hundred times weighs no more than one who asks once', async () => {
  const one = day().find(({ routing }) => routing?.exposures[0]?.arm === CONTROL)
  const many = Array.from({ length: 100 }, () => ({ ...one!, costMicroUsd: 900 }))
  const other = { ...one!, costMicroUsd: 100, routing: { ...one!.routing!, unit: 'another' } }
  const report = await buildReport([...many, other], asked)
  assert.deepEqual([report.turns, report.units], [101, 2])
  assert.equal(outcomeOf(report, 'short', 'cost').control, 500)
})

test('records without an exposure of the experiment do not count', async () => {
  const [record] = day()
  const { routing, ...unrouted } = record!
  const elsewhere = { ...unrouted, routing: { ...routing!, exposures: [{ experiment: 'other', arm: 'short' }] } }
  const report = await buildReport([unrouted, elsewhere], asked)
  assert.deepEqual([report.turns, report.units], [0, 0])
  assert.equal(outcomeOf(report, 'short', 'thumbs-up').interval, null)
})

test('a stopped arm is compared with what control had until then, and leaves the check of the split', async () => {
  const turns = day()
  const stoppedAt = 0.5
  const kept = turns.filter(({ at, routing }) => at < stoppedAt || routing!.exposures[0]!.arm !== 'short')
  const late = kept.map((turn) => (turn.at < stoppedAt ? turn : { ...turn, costMicroUsd: 1e9 }))
  const report = await buildReport(late, { ...asked, stoppedArms: { short: stoppedAt } })
  const before = await buildReport(
    turns.filter(({ at }) => at < stoppedAt),
    asked,
  )
  assert.deepEqual(outcomeOf(report, 'short', 'cost'), outcomeOf(before, 'short', 'cost'))
  assert.equal(report.arms.find(({ arm }) => arm === 'short')!.stoppedAt, stoppedAt)
  assert.equal(report.split.isMismatch, false)
})

test('past the bound a share of the units is counted, alike in all arms and with about the same means', async () => {
  const turns = day()
  const [whole, sampled] = [await buildReport(turns, asked), await buildReport(turns, { ...asked, unitsMax: 1500 })]
  assert.equal(whole.sampledShare, 1)
  assert.equal(sampled.sampledShare, 0.25)
  assert.ok(Math.abs(sampled.units / whole.units - 0.25) < 0.03)
  assert.equal(sampled.split.isMismatch, false)
  const [mean, ofSample] = [whole, sampled].map((report) => outcomeOf(report, 'short', 'thumbs-up').mean)
  assert.ok(Math.abs(mean! - ofSample!) < 0.03)
})

test('a unit’s turns are counted as a whole or not at all, whatever their order', async () => {
  const turns = day()
  const report = await buildReport(turns, { ...asked, unitsMax: 1500 })
  const reversed = await buildReport(turns.toReversed(), { ...asked, unitsMax: 1500 })
  assert.deepEqual([report.turns, report.units], [reversed.turns, reversed.units])
})

test('a turn has failed when no model answered it or it ended early, and not when another model stood in', () => {
  const record = day()[0]!
  const { failure, ...fine } = record
  assert.equal(hasFailed(fine), false, failure)
  assert.equal(hasFailed({ ...fine, tier: 'economy', isDegraded: true }), false)
  assert.equal(hasFailed({ ...fine, tier: 'embedded' }), false)
  for (const broken of [
    { failure: 'overload' },
    { finishReason: 'interrupted' },
    { finishReason: 'timeout' },
    { tier: 'message', isDegraded: true },
    { tier: 'embedded', isDegraded: true },
  ] as const)
    assert.equal(hasFailed({ ...fine, ...broken }), true, JSON.stringify(broken))
})
