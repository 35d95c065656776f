// Which model goes by which lane.
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

test('two models never share a lane, nor one model in two places, and two names of one do', () => {
  const lanes = Object.keys(models).map((name) => laneOf(config, name))
  assert.equal(new Set(lanes).size, 5)
  assert.equal(laneOf(config, 'other'), laneOf(config, 'again'))
})

test('the first of the ladder is ruled as the primary model and all others as economy', () => {
  const openMs = new Map([...lanePolicies(config)].map(([lane, { settings }]) => [lane, settings.circuit.openMs]))
  assert.equal(openMs.get(laneOf(config, 'primary')), 60_000)
  assert.equal(openMs.get(laneOf(config, 'own')), 30_000)
})

test('a lane has the connections of all its names on a node, and the built-in model needs none', () => {
  const connections = connectionsOf(config)
  assert.deepEqual(
    ['own', 'other', 'embedded'].map((name) => connections.get(laneOf(config, name))),
    [4, 50, Number.POSITIVE_INFINITY],
  )
})
