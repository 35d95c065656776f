// Each reason for not listening comes with advice that removes that reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenProblem } from './listen-problem.ts'

test('a port in use is answered with another port', () => {
  const { detail, fix } = listenProblem('EADDRINUSE', '127.0.0.1', 8080)
  assert.equal(detail, 'Port 8080 on 127.0.0.1 is in use')
  assert.match(fix, /Stop the process.*PORT=8081/)
})

test('a port that needs more rights is answered with a higher one, not with stopping a process', () => {
  const { detail, fix } = listenProblem('EACCES', '127.0.0.1', 80)
  assert.match(detail, /may not listen on port 80/)
  assert.match(fix, /1024/)
  assert.doesNotMatch(fix, /Stop/)
})

for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']) {
  test(`a host that cannot be used (${code}) is answered with a setting of HOST, and is named`, () => {
    const { detail, fix } = listenProblem(code, 'shop.invalid', 8080)
    assert.match(detail, new RegExp(`shop\\.invalid.*${code}`))
    assert.match(fix, /HOST.*127\.0\.0\.1/)
    assert.doesNotMatch(fix, /Stop/)
  })
}
