// The lane of each configured model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { connectionsOf, laneOf, lanePolicies } from './lanes-of.ts'

const models = {
  primary: { provider: 'bedrock', id: 'claude' },
  abroad: { provider: 'bedrock', id: 'claude', region: 'eu-west-1' },
  own: { provider: 'openai-compatible', id: 'qwen', baseURL: 'http://127.0.0.1:1234/v1', connectionsMax: 4 },
  other: { provider: 'openai-compatible', id: 'qwen', baseURL: 'http://127.0.0.1:4321/v1' },
  again: { provider: 'openai-compatible', id: 'qwen', baseURL: 'http://127.0.0.1:4321/other' },
  embedded: { provider: 'embedded' },
} as const
const config = { ...defaults, models, ladder: ['primary', 'own'] }

test('two models, or one model at two endpoints, have different lanes; two names of one model share its lane', () => {
  const lanes = Object.keys(models).map((name) => laneOf(config, name))
  assert.equal(new Set(lanes).size, 5)
  assert.equal(laneOf(config, 'other'), laneOf(config, 'again'))
})

test('the first model of the ladder gets the primary policy, all others the economy policy', () => {
  const openMs = new Map([...lanePolicies(config)].map(([lane, { settings }]) => [lane, settings.circuit.openMs]))
  assert.equal(openMs.get(laneOf(config, 'primary')), 60_000)
  assert.equal(openMs.get(laneOf(config, 'own')), 30_000)
})

test('a lane has the connections of all its models on a node, and the built-in responder needs none', () => {
  const connections = connectionsOf(config)
  assert.deepEqual(
    ['own', 'other', 'embedded'].map((name) => connections.get(laneOf(config, name))),
    [4, 50, Number.POSITIVE_INFINITY],
  )
})
