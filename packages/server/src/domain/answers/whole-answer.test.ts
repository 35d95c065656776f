// How a text ends that was said in one piece.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finishOfWhole } from './whole-answer.ts'

test('what was said in one piece ends as it was meant, and what a model said is not known to be whole', () => {
  assert.equal(finishOfWhole({ tier: 'faq', reason: 'deferred' }, []), 'stop')
  assert.equal(finishOfWhole({ tier: 'cached' }, []), 'stop')
  assert.equal(finishOfWhole({ tier: 'message', reason: 'internal no-history' }, []), 'stop')
  assert.equal(finishOfWhole({ tier: 'message', reason: 'deferred no-history' }, []), 'deferred')
  assert.equal(finishOfWhole({ tier: 'message', reason: 'blocked' }, []), 'blocked')
  for (const tier of ['primary', 'economy', 'embedded'] as const)
    assert.equal(finishOfWhole({ tier }, [{ tier }]), undefined)
})

test('the built-in responder in a model’s place has said all it had to say, unless it was called as a rung', () => {
  const meta = { tier: 'embedded', reason: 'circuit-open' } as const
  assert.equal(finishOfWhole(meta, []), 'stop')
  assert.equal(finishOfWhole(meta, [{ tier: 'primary' }]), 'stop')
  assert.equal(finishOfWhole(meta, [{ tier: 'primary' }, { tier: 'embedded' }]), undefined)
})
