// The answer tier of a model by the configuration.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleOfModel, tierOfModel } from './model-tier.ts'

const models = { big: { provider: 'bedrock' }, small: { provider: 'openai' }, own: { provider: 'embedded' } }

test('the first model of the ladder is primary, all other models of vendors are economy, on the ladder or not', () => {
  const config = { models, ladder: ['big', 'own'] }
  assert.deepEqual(
    ['big', 'small', 'own'].map((name) => tierOfModel(config, name)),
    ['primary', 'economy', 'embedded'],
  )
})

test('the built-in responder as the first of the ladder keeps its tier, and its lane is the primary one', () => {
  const config = { models, ladder: ['own'] }
  assert.deepEqual([tierOfModel(config, 'own'), roleOfModel(config, 'own')], ['embedded', 'primary'])
})
