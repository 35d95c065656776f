// Each configured kind of delay selects its policy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delaysFor } from './delays-for.ts'

const ask = { class: 'throttled', level: 'normal', float: 0.5 } as const

test('every kind of delay can be selected, with the jitter strategy where it has one', () => {
  const first = (delays: Parameters<typeof delaysFor>[0]['delays']) =>
    delaysFor({ delays, jitter: 'none' }).next(ask)?.delayMs
  assert.deepEqual(
    [first('controller'), first('pressure'), first('shaped'), first('spread'), first('plain')],
    [1000, 1500, 1500, 500, 100],
  )
  assert.equal(delaysFor({ delays: 'plain', jitter: 'full' }).next(ask)?.delayMs, 50)
})
