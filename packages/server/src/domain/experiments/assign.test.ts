// Assignment of units to arms: stable, balanced, exclusive within a layer and independent between layers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAssign, HOLDOUT, overlaps } from './assign.ts'
import type { ExperimentSplit, Splitting } from './assign.ts'
import { chiSquaredTail, splitCheck } from './statistics.ts'

const UNITS = 4000
const units = Array.from({ length: UNITS }, (_, index) => `u-${index}`)

const experiment = (name: string, more: Partial<ExperimentSplit> = {}): ExperimentSplit => ({
  name,
  layer: name,
  from: 0,
  to: 1,
  arms: { control: 1, changed: 1 },
  ...more,
})

const splitting = (...experiments: readonly ExperimentSplit[]): Splitting => ({
  key: 'secret',
  holdoutShare: 0,
  experiments,
})

function counts(of: Splitting, name: string): Map<string, number> {
  const assign = createAssign(of)
  const arms = units.map((unit) => assign(unit).find((one) => one.experiment === name)?.arm ?? 'none')
  return new Map([...Map.groupBy(arms, (arm) => arm)].map(([arm, those]) => [arm, those.length]))
}

test('two assigners with the same key assign every unit alike, whatever the order of arms and experiments', () => {
  const [one, other] = [experiment('one'), experiment('other', { arms: { control: 2, changed: 1 } })]
  const here = createAssign(splitting(one, other))
  const there = createAssign(splitting({ ...other, arms: { changed: 1, control: 2 } }, one))
  const byName = (assign: typeof here, unit: string) =>
    assign(unit).toSorted((a, b) => (a.experiment < b.experiment ? -1 : 1))
  for (const unit of units) assert.deepEqual(byName(here, unit), byName(there, unit))
})

test('the arms of a unit do not change when another experiment starts in another layer', () => {
  const [alone, both] = [
    createAssign(splitting(experiment('one'))),
    createAssign(splitting(experiment('one'), experiment('other'))),
  ]
  for (const unit of units) assert.deepEqual(alone(unit)[0], both(unit)[0])
})

test('another key splits otherwise', () => {
  const [one, other] = ['secret', 'another'].map((key) => createAssign({ ...splitting(experiment('one')), key }))
  const same = units.filter((unit) => one!(unit)[0]!.arm === other!(unit)[0]!.arm).length
  assert.ok(Math.abs(same / UNITS - 0.5) < 0.03, `${same}`)
})

test('arms are filled by their weights', () => {
  const arms = { control: 2, short: 1, long: 1 }
  const found = counts(splitting(experiment('one', { arms })), 'one')
  const split = splitCheck(Object.entries(arms).map(([arm, weight]) => ({ units: found.get(arm) ?? 0, weight })))
  assert.ok(split.p > 0.01, JSON.stringify([...found]))
})

test('the p-values of the split are uniform over many keys', () => {
  const tenths = Array.from({ length: 10 }, () => 0)
  for (let key = 0; key < 100; key += 1) {
    const assign = createAssign({ ...splitting(experiment('one')), key: `${key}` })
    const changed = units.slice(0, 400).filter((unit) => assign(unit)[0]!.arm === 'changed').length
    const { p } = splitCheck([changed, 400 - changed].map((count) => ({ units: count, weight: 1 })))
    tenths[Math.min(9, Math.floor(p * 10))]! += 1
  }
  const unevenness = tenths.reduce((sum, count) => sum + (count - 10) ** 2 / 10, 0)
  assert.ok(chiSquaredTail(unevenness, 9) > 0.001, tenths.join(' '))
})

test('experiments of one layer never share a unit, and those of different layers are independent', () => {
  const shared = [experiment('one', { layer: 'a', to: 0.5 }), experiment('other', { layer: 'a', from: 0.5 })]
  const exclusive = createAssign(splitting(...shared))
  for (const unit of units) assert.equal(exclusive(unit).length, 1)

  const independent = createAssign(splitting(experiment('one'), experiment('other')))
  const both = units.filter((unit) => independent(unit).every(({ arm }) => arm === 'changed')).length
  assert.ok(Math.abs(both / UNITS - 0.25) < 0.03, `${both}`)
})

test('a range takes its part of the units', () => {
  const found = counts(splitting(experiment('one', { from: 0.2, to: 0.5 })), 'one')
  assert.ok(Math.abs((found.get('none') ?? 0) / UNITS - 0.7) < 0.03)
})

test('a unit of the holdout is in the holdout of every experiment', () => {
  const assign = createAssign({ ...splitting(experiment('one'), experiment('other')), holdoutShare: 0.05 })
  const held = units.filter((unit) => assign(unit).some(({ arm }) => arm === HOLDOUT))
  assert.ok(Math.abs(held.length / UNITS - 0.05) < 0.015)
  for (const unit of held) assert.deepEqual(new Set(assign(unit).map(({ arm }) => arm)), new Set([HOLDOUT]))
})

test('every unit gets exactly one arm with a weight, whatever the weights', () => {
  const weights = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(weights, fc.string(), (values, unit) => {
      fc.pre(values.some((weight) => weight > 1e-6))
      const arms = Object.fromEntries(values.map((weight, index) => [`arm-${index}`, weight]))
      const [exposure, ...more] = createAssign(splitting(experiment('one', { arms })))(unit)
      assert.equal(more.length, 0)
      assert.ok(arms[exposure!.arm]! > 0)
    }),
  )
})

test('ranges of one layer that share buckets overlap; touching ones and other layers do not', () => {
  const ranged = (name: string, layer: string, [from, to]: readonly [number, number]) => ({ name, layer, from, to })
  const [a, b, c] = [ranged('a', 'x', [0, 0.5]), ranged('b', 'x', [0.5, 1]), ranged('c', 'x', [0.4, 0.6])]
  assert.deepEqual(overlaps([a, b, { ...c, layer: 'y' }]), [])
  assert.deepEqual(overlaps([a, b, c]), [
    ['a', 'c'],
    ['b', 'c'],
  ])
})
