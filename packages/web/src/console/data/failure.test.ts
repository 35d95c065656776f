// Which failure is shown how.
import assert from 'node:assert/strict'
import test from 'node:test'
import { AdminError } from '@mangaassist/client/admin'
import { screenFailureOf, mayBeDone } from './failure.ts'

const failed = (code: AdminError['code'], retryAfterMs?: number) =>
  new AdminError({ code, message: 'why', retryAfterMs })

test('no response and a proxy’s response are a lost connection, a refusal is not', () => {
  for (const code of ['UNREACHABLE', 'TIMED_OUT', 'UNEXPECTED_ANSWER'] as const)
    assert.equal(screenFailureOf(failed(code)).kind, 'lost', code)
  assert.deepEqual(screenFailureOf(failed('RATE_LIMITED', 3000)), {
    kind: 'refused',
    message: 'why',
    retryAfterMs: 3000,
  })
  assert.equal(screenFailureOf(failed('UNAUTHENTICATED')).kind, 'signed-out')
  assert.equal(screenFailureOf(failed('FORBIDDEN')).kind, 'forbidden')
  assert.equal(screenFailureOf(failed('NOT_FOUND')).kind, 'missing')
})

test('a refused change is explained by its field, not by the sentence for shoppers', () => {
  const details = { field: 'target', reason: 'must be an address' }
  const error = new AdminError({ code: 'INVALID_REQUEST', message: 'Please check your question.', details })
  assert.equal(screenFailureOf(error).message, 'target must be an address')
})

test('an error of the console itself is shown with its message', () => {
  assert.deepEqual(screenFailureOf(new TypeError('broken')), { kind: 'refused', message: 'broken', retryAfterMs: 0 })
})

test('only a change without a response may have been made', () => {
  assert.equal(mayBeDone(failed('TIMED_OUT')), true)
  assert.equal(mayBeDone(failed('UNREACHABLE')), false)
})
