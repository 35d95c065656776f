// The family of each model, and the completeness of the file of costs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { familyNames, familyOf, GENERIC } from './families.ts'
import { FEATURES_COUNT } from './features.ts'
import { tokenCounterOf } from './token-counter.ts'

test('every family has a cost for every feature, and none is negative', () => {
  for (const name of familyNames) {
    const { weights } = familyOf(name) ?? GENERIC
    assert.equal(weights.length, FEATURES_COUNT)
    assert.ok(
      weights.every((weight) => weight > 0 && weight < 20),
      name,
    )
  }
})

test('a model is recognised by its id or its prefix, with or without its vendor and region', () => {
  const named = (model: string) => familyOf(model)?.name
  assert.equal(named('anthropic.claude-3-sonnet-20240229-v1:0'), 'claude-3')
  assert.equal(named('jp.anthropic.claude-sonnet-4-5-20250929-v1:0'), 'claude-3')
  assert.equal(named('claude-opus-4.7'), 'claude-4-7')
  assert.equal(named('anthropic.claude-v2:1'), 'claude-2')
  assert.equal(named('openai/gpt-oss-20b'), 'o200k')
  assert.equal(named('gpt-4.1-mini'), 'o200k')
  assert.equal(named('gpt-4-1106-preview'), 'cl100k')
  assert.equal(named('us.meta.llama3-1-8b-instruct-v1:0'), 'llama-3')
  assert.equal(named('Qwen/Qwen3-8B'), 'qwen')
  assert.equal(named('house-model'), undefined)
})

test('every family that data/models.yaml names exists', () => {
  const path = join(import.meta.dirname, '../../../../../data/models.yaml')
  const models = parse(readFileSync(path, 'utf8')) as readonly { id: string; tokenizer: string }[]
  assert.deepEqual(
    models.filter(({ id, tokenizer }) => familyOf(tokenizer) === undefined || familyOf(id)?.name !== tokenizer),
    [],
  )
})

test('the reference model needs about one token per Japanese character and a quarter of one per English character', () => {
  const { text } = tokenCounterOf((familyOf('claude-3') ?? GENERIC).weights)
  const japanese = '昨日注文した本はいつごろ届きますか。届く日がわかれば教えてください。'
  const english = 'When will the book that I ordered yesterday arrive? Please let me know if you can tell the day.'
  assert.ok(text(japanese) > 0.8 * japanese.length && text(japanese) < 1.15 * japanese.length)
  assert.ok(text(english) > 0.2 * english.length && text(english) < 0.3 * english.length)
})
