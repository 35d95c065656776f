// The guard's bounds with simulated shoppers that are looked at again and again, and the cases that stop nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedTurns } from '#fixtures/experiments/simulated-shoppers.ts'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import { CONTROL } from './assign.ts'
import type { GuardBounds } from './experiment-settings.ts'
import { passedBound } from './passed-bound.ts'
import { Tally } from './tally.ts'

const ARM = 'changed'
const RUNS = 100
const LOOKS = 30

interface Shop {
  /** The mean share of failures over the arm's shoppers, who differ; control's is 1 %. */
  readonly errors?: number
  readonly cost?: number
  readonly shoppers?: number
}

/** One run until the arm is stopped, and whether its estimate alone ever passed the bound. */
function watched(seed: string, bounds: GuardBounds, { errors = 0.01, cost = 1, shoppers = 1000 }: Shop) {
  const float = seededFloats(seed)
  const arms = (unit: string) => [{ experiment: 'one', arm: Number(unit.slice(8)) % 2 === 0 ? CONTROL : ARM }]
  const turns = simulatedTurns({ count: shoppers, float, arms, lift: { cost } })
  const proneness = new Map<string, number>()
  const tally = new Tally()
  let isPlainPassed = false
  for (const [index, { failure, ...turn }] of turns.entries()) {
    const { exposures, unit } = turn.routing!
    const { arm } = exposures[0]!
    const prone = proneness.get(unit) ?? 2 * (arm === ARM ? errors : 0.01) * float()
    proneness.set(unit, prone)
    tally.add(arm, unit, float() < prone ? { ...turn, failure: failure ?? 'overload' } : turn)
    if (index % Math.ceil(turns.length / LOOKS) !== 0) continue
    const [own, control] = [tally.figures(ARM), tally.figures(CONTROL)]
    isPlainPassed ||= own.turns >= 200 && own.samples.errors.mean > (bounds.errorShareMax ?? 1)
    if (passedBound(own, { control, bounds, arms: 1 }) !== undefined) return { isStopped: true, isPlainPassed }
  }
  return { isStopped: false, isPlainPassed }
}

function share(name: string, bounds: GuardBounds, shop: Shop) {
  const runs = Array.from({ length: RUNS }, (_, run) => watched(`${name}-${run}`, bounds, shop))
  const part = (is: (run: (typeof runs)[number]) => boolean) => runs.filter(is).length / RUNS
  return { stopped: part(({ isStopped }) => isStopped), plain: part(({ isPlainPassed }) => isPlainPassed) }
}

test('an arm that fails less often than the bound, or just as often, is stopped in at most 5 % of runs', () => {
  const bounds = { errorShareMax: 0.05 }
  const below = share('below', bounds, { errors: 0.035 })
  const at = share('at', bounds, { errors: 0.05 })
  assert.ok(below.stopped <= 0.05 && at.stopped <= 0.05, `${below.stopped}, ${at.stopped}`)
  assert.ok(below.plain > 0.05, 'the estimate alone would stop it')
})

test('an arm that fails twice as often as the bound is stopped', () => {
  const { stopped } = share('above', { errorShareMax: 0.05 }, { errors: 0.1, shoppers: 1600 })
  assert.ok(stopped >= 0.95, `${stopped}`)
})

test('an arm that costs as much as the bound allows is stopped in at most 5 % of runs, one at twice the bound is stopped', () => {
  const bounds = { costRatioMax: 1.5 }
  const [at, above] = [share('cost', bounds, { cost: 1.5 }), share('dear', bounds, { cost: 3 })]
  assert.ok(at.stopped <= 0.05, `${at.stopped}`)
  assert.ok(above.stopped >= 0.95, `${above.stopped}`)
})

test('few turns, shoppers who all cost the same, and a control that fails as well stop nothing', () => {
  const sample = (mean: number, variance = mean * (1 - mean)) => ({ units: 1000, mean, variance })
  const figures = (errors: number, more: { turns?: number; cost?: number } = {}) => {
    const { samples } = new Tally().figures(ARM)
    const { turns = 2000, cost = 100 } = more
    return { turns, units: 1000, samples: { ...samples, errors: sample(errors), cost: sample(cost, 0) } }
  }
  const bounds = { errorShareMax: 0.05, costRatioMax: 1.5 }
  const passed = (own: ReturnType<typeof figures>, control = figures(0.01)) =>
    passedBound(own, { control, bounds, arms: 1 })
  assert.match(passed(figures(0.1)) ?? '', /^10\.0 % of the turns of 1000 shoppers failed/u)
  assert.equal(passed(figures(0.1, { turns: 199 })), undefined)
  assert.equal(passed(figures(0.1), figures(0.01, { turns: 199 })), undefined)
  assert.equal(passed(figures(0.1), figures(0.08)), undefined)
  assert.match(passed(figures(0.2), figures(0.08)) ?? '', /^20\.0 %/u)
  assert.equal(passed(figures(0.01, { cost: 300 })), undefined)
})

test('one shopper whose every turn fails stops no arm', () => {
  const tally = new Tally()
  const arms = () => [{ experiment: 'one', arm: ARM }]
  const [turn] = simulatedTurns({ count: 1, float: seededFloats('one'), arms })
  for (let count = 0; count < 500; count += 1) {
    tally.add(ARM, 'unlucky', { ...turn!, failure: 'overload' })
    tally.add(CONTROL, `shopper-${count}`, turn!)
  }
  const control = tally.figures(CONTROL)
  assert.equal(passedBound(tally.figures(ARM), { control, bounds: { errorShareMax: 0.05 }, arms: 1 }), undefined)
})
