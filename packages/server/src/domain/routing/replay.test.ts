// Recorded turns, routed again by other settings: shares, cost, and what is known of the quality.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleJudged, sampleRouting } from '#fixtures/turns/routing.ts'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import type { TurnRecord } from '../turn-records/turn-record.ts'
import { proportion } from './recorded-quality.ts'
import { Replay } from './replay.ts'
import type { ReplaySettings } from './replay.ts'
import type { RoutingSettings } from './routing-settings.ts'

const DOLLAR = 1_000_000
const PRICES = { primary: 3 * DOLLAR, economy: DOLLAR }
let count = 0

function turn(level: 'simple' | 'moderate' | 'complex', over: Partial<TurnRecord> = {}): TurnRecord {
  count += 1
  return sampleTurnRecord({
    turnId: `turn_${count}`,
    sessionId: `sess_${count}`,
    at: count,
    language: 'en',
    weighed: { judged: sampleJudged(level, 0.94), plain: [], promptTokens: 1000 },
    model: 'big-1',
    inputTokens: 1000,
    outputTokens: 100,
    costMicroUsd: 3300,
    ...over,
  })
}

function replayed(records: readonly TurnRecord[], routing: Partial<RoutingSettings> = {}) {
  const price = (name: string) => PRICES[name as keyof typeof PRICES]
  const settings: ReplaySettings = {
    routing: sampleRouting(routing),
    ladder: ['primary', 'economy'],
    priceOf: (name) => ({ inputMicroUsdPerMillion: price(name), outputMicroUsdPerMillion: price(name) }),
    nameOf: (id) => ({ 'big-1': 'primary', 'small-1': 'economy' })[id],
  }
  const replay = new Replay(settings)
  for (const record of records.toReversed()) replay.add(record)
  return replay.end()
}

test('the cost of the recorded tokens is compared: as charged, by the first of the ladder, and by the rules', () => {
  const { byLevel, byModel, cost, routed, turns } = replayed([turn('simple'), turn('moderate'), turn('complex')])
  assert.deepEqual([turns, routed], [3, 3])
  assert.deepEqual(byModel, { economy: { turns: 2, costMicroUsd: 2200 }, primary: { turns: 1, costMicroUsd: 3300 } })
  assert.deepEqual(byLevel.simple, { turns: 1, costMicroUsd: 1100 })
  assert.deepEqual(cost, { recordedMicroUsd: 9900, ladderMicroUsd: 9900, routedMicroUsd: 5500 })
})

test('a cached answer costs nothing, and a turn without a model is estimated by its prompt and the mean answer', () => {
  const none = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 }
  const cached = turn('complex', { ...none, isCached: true })
  const embedded = turn('simple', { ...none, tier: 'embedded', model: 'mangaassist-embedded-1' })
  const result = replayed([turn('complex'), cached, embedded])
  assert.deepEqual([result.cached, result.estimated], [1, 1])
  assert.deepEqual(result.cost, { recordedMicroUsd: 3300, ladderMicroUsd: 6600, routedMicroUsd: 4400 })
})

test('the candidate judges by its own sureness, answers plain questions without a model, and leaves out rules of the moment', () => {
  const plain = turn('simple', {
    weighed: { judged: sampleJudged('simple', 0.94), plain: ['price'], promptTokens: 1000 },
  })
  const rules = [
    { name: 'late', when: { timeLeftUnderMs: 100_000 }, use: 'primary' },
    { name: 'paying', when: { userTiers: ['premium'] }, use: 'primary' },
  ]
  const result = replayed([plain, turn('simple', { userTier: 'premium' }), turn('simple')], {
    rules,
    withoutModel: ['price'],
    sureFrom: 0.99,
  })
  assert.deepEqual(result.byRule, { 'no-model': 1, paying: 1, complexity: 1 })
  assert.deepEqual(result.rulesLeftOut, ['late'])
  assert.equal(result.byLevel.complex.turns, 3)
  assert.equal(result.byModel['embedded']?.costMicroUsd, 0)
})

test('an answer that did not serve escalates the next turn of its conversation, and no other', () => {
  const received = { feedback: { value: 'down', at: 1 } } as const
  const first = turn('simple', { sessionId: 's', received })
  const second = turn('simple', { sessionId: 's', position: 1 })
  const third = turn('simple', { sessionId: 's', position: 2, mismatches: ['price'] })
  const fourth = turn('simple', { sessionId: 's', position: 3 })
  const result = replayed([first, second, third, turn('simple'), fourth])
  assert.deepEqual(result.byRule, { escalated: 2, complexity: 3 })
  const again = turn('simple', { sessionId: 't', received: { askedAgain: true } })
  const repeat = turn('simple', { sessionId: 't', position: 1 })
  assert.deepEqual(replayed([again, repeat]).byRule, { escalated: 1, complexity: 1 })
  const off = replayed([first, second, third, fourth], { escalate: false })
  assert.deepEqual(off.byRule, { complexity: 4 })
})

test('complex questions below their model are counted by probability and by the likeliest level', () => {
  const rules = [{ name: 'cheap', when: { languages: ['ja'] }, use: 'economy' }] as const
  const { complex } = replayed([turn('complex'), turn('complex', { language: 'ja' }), turn('simple')], { rules })
  assert.deepEqual([complex.likeliest, complex.likeliestBelow], [2, 1])
  assert.ok(Math.abs(complex.expected - 1.91) < 1e-9)
  assert.ok(Math.abs(complex.expectedBelow - 0.97) < 1e-9)
})

test('quality is expected from turns that the model has answered at that level, and not known elsewhere', () => {
  const up = { feedback: { value: 'up', at: 1 } } as const
  const small = { tier: 'economy', model: 'small-1' } as const
  const { quality } = replayed([
    turn('simple', { ...small, received: up }),
    turn('simple', { ...small, received: { askedAgain: true } }),
    turn('moderate', { received: up }),
    turn('complex', { mismatches: ['price'] }),
  ])
  assert.deepEqual([quality.knownTurns, quality.unknownTurns], [3, 1])
  assert.equal(quality.expected.thumbsUp, 1)
  assert.ok(Math.abs((quality.expected.askedAgain ?? 0) - 1 / 3) < 1e-9)
  assert.equal(quality.recorded.mismatch, 0.25)
  const part = quality.parts.find(({ level, model }) => level === 'simple' && model === 'economy')
  assert.deepEqual([part?.turns, part?.askedAgain.share], [2, 0.5])
})

test('a turn whose question was not weighed is left out, and nothing at all is no error', () => {
  const { weighed: _, ...old } = turn('simple')
  const { cost, routed, turns } = replayed([old])
  assert.deepEqual([turns, routed, cost.routedMicroUsd], [1, 0, 0])
  assert.equal(replayed([]).cost.ladderMicroUsd, 0)
})

test('an interval of a share is Wilson’s', () => {
  const [low, high] = proportion(5, 10).interval ?? [0, 0]
  assert.ok(Math.abs(low - 0.2366) < 1e-4 && Math.abs(high - 0.7634) < 1e-4)
  assert.deepEqual(proportion(0, 0), { count: 0, of: 0, share: null, interval: null })
  assert.equal(proportion(0, 20).interval?.[0], 0)
})
