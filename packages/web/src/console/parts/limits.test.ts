// The override that the fields of a form make.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createFormat } from '../data/format.ts'
import { speakFilled } from '../shell/say.ts'
import { limitWords } from '../words/limits.ts'
import { limitFields, limitsOf, limitsText } from './limits.ts'

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

test('money is given in dollars', () => {
  assert.deepEqual(limitsOf({ microUsdPerDay: '2.55' }), { microUsdPerDay: 2_550_000 })
  const shown = limitFields(speakFilled(limitWords, 'en'), { microUsdPerDay: 2_550_000 })
  assert.equal(shown.find(({ name }) => name === 'microUsdPerDay')?.value, '2.55')
})

test('an override is written with the names of its limits, and money in dollars', () => {
  const shown = { format: createFormat('en'), say: speakFilled(limitWords, 'en') }
  assert.equal(
    limitsText({ requestsPerMinute: 60, microUsdPerDay: 2_500_000 }, shown),
    'Cost a day: $2.50, Requests a minute: 60',
  )
  assert.equal(limitsText(undefined, shown), '–')
})
