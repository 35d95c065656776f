// The finish reason of a text that was written in one piece.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finishOfWhole } from './whole-answer.ts'

test('a text written in one piece has a known finish reason, and a model’s text has none', () => {
  assert.equal(finishOfWhole({ tier: 'faq', reason: 'deferred' }, []), 'stop')
  assert.equal(finishOfWhole({ tier: 'cached' }, []), 'stop')
  assert.equal(finishOfWhole({ tier: 'message', reason: 'internal no-history' }, []), 'stop')
  assert.equal(finishOfWhole({ tier: 'message', reason: 'deferred no-history' }, []), 'deferred')
  assert.equal(finishOfWhole({ tier: 'message', reason: 'blocked' }, []), 'blocked')
  for (const tier of ['primary', 'economy', 'embedded'] as const)
    assert.equal(finishOfWhole({ tier }, [{ tier }]), undefined)
})

test('the text of the built-in responder is complete, unless it was called as a rung of the ladder', () => {
  const meta = { tier: 'embedded', reason: 'circuit-open' } as const
  assert.equal(finishOfWhole(meta, []), 'stop')
  assert.equal(finishOfWhole(meta, [{ tier: 'primary' }]), 'stop')
  assert.equal(finishOfWhole(meta, [{ tier: 'primary' }, { tier: 'embedded' }]), undefined)
})
