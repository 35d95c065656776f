// Each reason for not listening comes with advice that solves it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenProblem } from './listen-problem.ts'

test('for a port in use another port is suggested', () => {
  const { detail, fix } = listenProblem('EADDRINUSE', '127.0.0.1', 8080)
  assert.equal(detail, 'Port 8080 on 127.0.0.1 is in use')
  assert.match(fix, /Stop the process.*PORT=8081/)
})

test('for a port that needs more rights a higher port is suggested, not stopping a process', () => {
  const { detail, fix } = listenProblem('EACCES', '127.0.0.1', 80)
  assert.match(detail, /may not listen on port 80/)
  assert.match(fix, /1024/)
  assert.doesNotMatch(fix, /Stop/)
})

for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']) {
  test(`for a host that cannot be used (${code}) a setting of HOST is suggested, and the host is named`, () => {
    const { detail, fix } = listenProblem(code, 'shop.invalid', 8080)
    assert.match(detail, new RegExp(`shop\\.invalid.*${code}`))
    assert.match(fix, /HOST.*127\.0\.0\.1/)
    assert.doesNotMatch(fix, /Stop/)
  })
}
