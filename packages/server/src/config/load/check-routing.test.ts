// Settings of `routing` that name what is not there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '../config.ts'
import type { Config } from '../config.ts'
import { checkRouting } from './check-routing.ts'

type Rule = Config['routing']['rules'][number]

const vendor = { provider: 'bedrock', id: 'any' } as const
const configOf = (routing: Partial<Config['routing']>): Config => ({
  ...defaults,
  models: { primary: { ...vendor, fallbacks: ['spare'] }, economy: vendor, spare: vendor, other: vendor },
  ladder: ['primary', 'economy'],
  routing: { ...defaults.routing, ...routing },
})
const problemsOf = (routing: Partial<Config['routing']>, isWrong = (_: string) => false) =>
  checkRouting(configOf(routing), isWrong)
const rule = (over: Partial<Rule> = {}): Rule => ({ name: 'own', when: { languages: ['ja'] }, use: 'primary', ...over })

test('names on the ladder, fallbacks included, are accepted, and the defaults too', () => {
  assert.deepEqual(problemsOf({}), [])
  const rules = [rule(), rule({ name: 'two', use: 'spare', when: { lanesDown: ['economy'], userTiers: ['free'] } })]
  assert.deepEqual(problemsOf({ enabled: true, rules }), [])
})

test('a level must name a model on the ladder once routing is on', () => {
  const levels = { simple: 'econmy', moderate: 'economy', complex: 'other' }
  assert.deepEqual(problemsOf({ levels }), [])
  const problems = problemsOf({ enabled: true, levels })
  assert.deepEqual(
    problems.map(({ path, given }) => [path, given]),
    [
      ['routing.levels.simple', '"econmy"'],
      ['routing.levels.complex', '"other"'],
    ],
  )
  assert.match(problems[0]?.fix ?? '', /^Did you mean "economy"\?/)
  assert.equal(problems[0]?.allowed, 'names on the ladder: primary, spare, economy')
})

test('a rule must use and name models on the ladder, and tiers that exist', () => {
  const problems = problemsOf({ rules: [rule({ use: 'other', when: { lanesDown: ['nobody'], userTiers: ['gold'] } })] })
  assert.deepEqual(
    problems.map(({ path, given }) => [path, given]),
    [
      ['routing.rules[0].use', '"other"'],
      ['routing.rules[0].when.lanesDown', '"nobody"'],
      ['routing.rules[0].when.userTiers', '"gold"'],
    ],
  )
})

test('rules have names of their own, and conditions', () => {
  const rules = [rule(), rule(), rule({ name: 'complexity' }), rule({ name: 'always', when: {} })]
  assert.deepEqual(
    problemsOf({ rules }).map(({ path, allowed }) => [path, allowed]),
    [
      ['routing.rules[1].name', 'a name that no other rule has'],
      ['routing.rules[2].name', 'any name but escalated, no-model, complexity, experiment'],
      ['routing.rules[3].when', 'at least one condition'],
    ],
  )
})

test('a setting whose own value is wrong is not reported twice', () => {
  const rules = [rule({ use: 'other' })]
  assert.deepEqual(
    problemsOf({ rules }, (path) => path === 'routing.rules[0].use'),
    [],
  )
  assert.deepEqual(
    problemsOf({ rules }, (path) => path === 'routing'),
    [],
  )
})
