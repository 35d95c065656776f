// The override that the fields of a form make.
import assert from 'node:assert/strict'
import test from 'node:test'
import { speakFilled } from '../shell/say.ts'
import { limitWords } from '../words/limits.ts'
import { limitFields, limitsOf } from './limits.ts'

test('only the filled fields are in the override, as numbers', () => {
  assert.deepEqual(limitsOf({ requestsPerMinute: '7', rateFactor: '0.5', inputTokensPerDay: '', reason: '9' }), {
    requestsPerMinute: 7,
    rateFactor: 0.5,
  })
})

test('the fields show the current override, and read back as it was', () => {
  const current = { microUsdPerDay: 1000, outputTokensPerRequest: 512 }
  const shown = limitFields(speakFilled(limitWords, 'en'), current)
  assert.deepEqual(limitsOf(Object.fromEntries(shown.map(({ name, value = '' }) => [name, value]))), current)
})
