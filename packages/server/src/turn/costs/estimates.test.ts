// The token estimates of a node: by the model's family, corrected by its calls, shared with other nodes and stored over a
// restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textMessage } from '#domain/model/model-message.ts'
import { memoryEstimatorStore } from '#adapters/memory/estimator-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { familyOf, GENERIC } from '#domain/estimator/families.ts'
import { tokenCounterOf, genericCounter } from '#domain/estimator/token-counter.ts'
import { FREE } from '#domain/budget/money.ts'
import type { EstimatorStore } from '#ports/estimator-store/port.ts'
import { fails } from '#fixtures/stores/ports.ts'
import { createEstimates } from './estimates.ts'

const PROMPT = { system: '案内係です。', messages: [textMessage('user', '泣ける漫画を三冊ほど教えてください。')] }
const facts = { price: FREE, contextTokensMax: 1, outputTokensMax: 1, trailingAssistant: true, temperature: true }

function node(estimators: EstimatorStore = memoryEstimatorStore()) {
  const telemetry = memoryTelemetry()
  const model = (id: string, tokenizer?: string) => ({
    id,
    ...(tokenizer === undefined ? {} : { facts: { ...facts, tokenizer } }),
    async *stream() {},
  })
  const models = new Map([
    ['primary', model('anthropic.claude-3-sonnet-20240229-v1:0', 'claude-3')],
    ['local', model('qwen3:4b', 'unknown')],
    ['strange', model('house-model', 'unknown')],
    ['embedded', model('mangaassist-embedded-1')],
  ])
  return { telemetry, estimates: createEstimates({ estimators, telemetry, models }) }
}

const coldOf = (family: string) => tokenCounterOf((familyOf(family) ?? GENERIC).weights).prompt(PROMPT)

test('a model is estimated by its family, by name or id, and a model without a family by the generic costs', () => {
  const { estimates } = node()
  const tokens = (...models: readonly string[]) => estimates.counterFor(models).prompt(PROMPT)
  assert.equal(tokens('primary'), coldOf('claude-3'))
  assert.equal(tokens('anthropic.claude-3-sonnet-20240229-v1:0'), coldOf('claude-3'))
  assert.equal(tokens('local'), coldOf('qwen'))
  assert.deepEqual([tokens('strange'), tokens('embedded'), tokens()], Array(3).fill(coldOf('generic')))
  assert.ok(tokens('primary', 'local') >= Math.max(tokens('primary'), tokens('local')))
})

test('a model’s reported usage corrects the estimates of that model alone', () => {
  const { estimates } = node()
  const actual = Math.round(coldOf('claude-3') * 1.4)
  for (let call = 0; call < 30; call += 1) estimates.observe('primary', PROMPT, actual)
  const learnt = estimates.counterFor(['primary']).prompt(PROMPT)
  assert.ok(Math.abs(learnt / actual - 1) < 0.05, `${learnt} of ${actual}`)
  assert.equal(estimates.counterFor(['local']).prompt(PROMPT), coldOf('qwen'))
})

test('the built-in model teaches nothing, because it counts by the same costs', () => {
  const { estimates } = node()
  for (let call = 0; call < 30; call += 1) estimates.observe('embedded', PROMPT, 1000)
  assert.equal(estimates.counterFor(['embedded']), genericCounter)
})

test('an estimate that is more than a fifth off is counted and logged, without text of the prompt', () => {
  const { estimates, telemetry } = node()
  estimates.observe('primary', PROMPT, coldOf('claude-3'))
  assert.deepEqual(telemetry.logged, [])
  estimates.observe('primary', PROMPT, coldOf('claude-3') * 2)
  assert.deepEqual(
    telemetry.logged.map(({ event, fields }) => [event, fields]),
    [['estimate.drifted', { model: 'primary', percentOff: -50 }]],
  )
  assert.equal(telemetry.counted.length, 1)
})

test('the guard widens a hold by the least trusted of the models', () => {
  const { estimates } = node()
  assert.equal(estimates.guarded(100, ['primary']), 125)
  for (let call = 0; call < 40; call += 1) estimates.observe('primary', PROMPT, coldOf('claude-3'))
  assert.equal(estimates.guarded(100, ['primary']), 105)
  assert.equal(estimates.guarded(100, ['primary', 'local']), 125)
  assert.equal(estimates.guarded(100, []), 125)
})

test('what one node learns reaches the others, and a node that restarts', async () => {
  const store = memoryEstimatorStore()
  const [one, other] = [node(store), node(store)]
  const actual = coldOf('claude-3') * 2
  for (let call = 0; call < 30; call += 1) one.estimates.observe('primary', PROMPT, actual)
  await one.estimates.share()
  await other.estimates.share()
  const learnt = one.estimates.counterFor(['primary']).prompt(PROMPT)
  assert.equal(other.estimates.counterFor(['primary']).prompt(PROMPT), learnt)
  await one.estimates.share()
  assert.equal(one.estimates.counterFor(['primary']).prompt(PROMPT), learnt)
})

test('a vendor that counts tokens is asked only about models without observations', async () => {
  const store = memoryEstimatorStore()
  const asked: string[] = []
  const counting = (id: string, count: () => Promise<number | undefined>) => ({
    id,
    facts: { ...facts, tokenizer: 'claude-3' },
    async *stream() {},
    countTokens: () => {
      asked.push(id)
      return count()
    },
  })
  const actual = coldOf('claude-3') * 2
  const models = new Map([
    ['counts', counting('counts', async () => actual)],
    ['cannot', counting('cannot', async () => undefined)],
    ['fails', counting('fails', fails)],
  ])
  const { signal } = new AbortController()
  const prompts = Array.from({ length: 12 }, () => PROMPT)
  const telemetry = memoryTelemetry()
  const estimates = createEstimates({ estimators: store, telemetry, models })
  await estimates.warm(prompts, signal)
  assert.ok(estimates.counterFor(['counts']).prompt(PROMPT) > actual * 0.9)
  assert.equal(estimates.counterFor(['cannot']).prompt(PROMPT), coldOf('claude-3'))
  assert.ok(telemetry.logged.some(({ event }) => event === 'estimate.calibrate-failed'))
  asked.length = 0
  await estimates.warm(prompts, signal)
  assert.deepEqual(asked, ['cannot', 'fails'])
})

test('an unavailable store loses nothing that this node learned', async () => {
  const memory = memoryEstimatorStore()
  let isDown = true
  const store: EstimatorStore = {
    load: (key) => (isDown ? fails() : memory.load(key)),
    merge: (key, learnt) => (isDown ? fails() : memory.merge(key, learnt)),
  }
  const { estimates, telemetry } = node(store)
  for (let call = 0; call < 30; call += 1) estimates.observe('primary', PROMPT, coldOf('claude-3') * 2)
  const learnt = estimates.counterFor(['primary']).prompt(PROMPT)
  await estimates.share()
  assert.equal(estimates.counterFor(['primary']).prompt(PROMPT), learnt)
  assert.ok(telemetry.logged.some(({ event }) => event === 'estimate.share-failed'))
  isDown = false
  await estimates.share()
  const later = node(store)
  await later.estimates.share()
  assert.equal(later.estimates.counterFor(['primary']).prompt(PROMPT), learnt)
})
