// When operators see that questions wait longer than promised.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowModels } from './slow-models.ts'

const seen = (name: string, firstWordsP95Ms: number | null) => ({ name, firstWordsP95Ms })

test('a shop whose models all need longer than promised waits for the quickest', () => {
  const models = [seen('primary', 6000), seen('economy', 4000), seen('spare', 300)]
  assert.deepEqual(slowModels(3000, ['primary', 'economy'], models), {
    model: 'economy',
    p95Ms: 4000,
    promisedMs: 3000,
    waitedMs: 4400,
  })
  assert.equal(slowModels(3000, ['primary'], [seen('primary', 30_000)])?.waitedMs, 10_000)
})

test('one model that is quick, or of which nothing is known, keeps the promise', () => {
  for (const economy of [[seen('economy', 900)], [seen('economy', null)], []])
    assert.equal(slowModels(3000, ['primary', 'economy'], [seen('primary', 6000), ...economy]), undefined)
  assert.equal(slowModels(3000, [], [seen('primary', 6000)]), undefined)
})
