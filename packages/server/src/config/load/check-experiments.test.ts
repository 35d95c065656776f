// Experiments that could not be read afterwards do not start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '../config.ts'
import type { Config } from '../config.ts'
import { checkExperiments } from './check-experiments.ts'

type Experiment = Config['experiments']['list'][string]

const arms = { control: { weight: 1 }, short: { weight: 1, change: { temperature: 0.1 } } }
const plain: Experiment = { arms, outcome: 'thumbs-up' }

function problemsOf(list: Readonly<Record<string, Experiment>>, isWrong: (path: string) => boolean = () => false) {
  const models = { primary: { provider: 'embedded' } as const, economy: { provider: 'embedded' } as const }
  const config = { ...defaults, models, ladder: ['primary', 'economy'], experiments: { holdoutShare: 0.05, list } }
  return checkExperiments(config, isWrong).map(({ path, given }) => `${path}: ${given}`)
}

test('an experiment with a control and another arm is right', () => {
  assert.deepEqual(problemsOf({ plain }), [])
})

test('a control that is missing, alone or changed is refused', () => {
  assert.deepEqual(problemsOf({ a: { ...plain, arms: { short: arms.short } } }), ['experiments.list.a.arms: short'])
  assert.deepEqual(problemsOf({ a: { ...plain, arms: { control: arms.control } } }), [
    'experiments.list.a.arms: control',
  ])
  const changed = { ...arms, control: { weight: 1, change: { temperature: 0.5 } } }
  assert.deepEqual(problemsOf({ a: { ...plain, arms: changed } }), [
    'experiments.list.a.arms.control.change: temperature',
  ])
})

test('an arm cannot have the name of the holdout', () => {
  const [problem] = problemsOf({ a: { ...plain, arms: { ...arms, holdout: { weight: 1 } } } })
  assert.equal(problem, 'experiments.list.a.arms.holdout: an arm named holdout')
})

test('an empty range is refused', () => {
  assert.deepEqual(problemsOf({ a: { ...plain, from: 0.5, to: 0.5 } }), ['experiments.list.a.to: 0.5'])
})

test('two experiments of one layer must not share buckets', () => {
  const [problem] = problemsOf({ a: { ...plain, to: 0.6 }, b: { ...plain, from: 0.5 } })
  assert.equal(problem, 'experiments.list.b: the layer and part of the range of a')
  assert.deepEqual(problemsOf({ a: { ...plain, to: 0.5 }, b: { ...plain, from: 0.5 } }), [])
})

test('experiments of two layers must not change the same setting', () => {
  const [problem, ...more] = problemsOf({ a: plain, b: { ...plain, layer: 'other' } })
  assert.equal(problem, 'experiments.list.b: a change of temperature, as in a, in another layer')
  assert.deepEqual(more, [])
  const long = { ...arms, short: { weight: 1, change: { maxTokens: 200 } } }
  assert.deepEqual(problemsOf({ a: plain, b: { ...plain, layer: 'other', arms: long } }), [])
})

test('levels name models of the ladder', () => {
  const levels = { simple: 'economy', complex: 'giant' }
  const changed = { ...arms, short: { weight: 1, change: { routing: true, levels } } }
  assert.deepEqual(problemsOf({ a: { ...plain, arms: changed } }), [
    'experiments.list.a.arms.short.change.levels.complex: "giant"',
  ])
})

test('rules name models of the ladder, and other rules than routing’s own', () => {
  const rules = [{ name: 'complexity', when: { languages: ['ja'] }, use: 'giant' } as const].map((rule) => ({
    ...rule,
    when: { languages: [...rule.when.languages] },
  }))
  const changed = { ...arms, short: { weight: 1, change: { routing: true, rules } } }
  assert.deepEqual(problemsOf({ a: { ...plain, arms: changed } }), [
    'experiments.list.a.arms.short.change.rules[0].use: "giant"',
    'experiments.list.a.arms.short.change.rules[0].name: "complexity"',
  ])
})

test('levels without routing, and an answer too short to ask a model, would change nothing or everything', () => {
  const levels = { ...arms, short: { weight: 1, change: { levels: { complex: 'economy' } } } }
  assert.deepEqual(problemsOf({ a: { ...plain, arms: levels } }), [
    'experiments.list.a.arms.short.change: levels or rules without routing',
  ])
  const tiny = { ...arms, short: { weight: 1, change: { maxTokens: 10 } } }
  assert.deepEqual(problemsOf({ a: { ...plain, arms: tiny } }), ['experiments.list.a.arms.short.change.maxTokens: 10'])
})

test('what is wrong by itself is not reported again', () => {
  const isWrong = (path: string) => path === 'experiments.list.a.arms'
  assert.deepEqual(problemsOf({ a: { ...plain, arms: { short: arms.short } } }, isWrong), [])
})
