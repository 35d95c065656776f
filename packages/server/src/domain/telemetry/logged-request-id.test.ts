// Which request ids of clients are logged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggedRequestId } from './logged-request-id.ts'

test('an id is logged, and text of a person is not', () => {
  for (const id of ['r1', '0f8fad5b-d9cb-469f-a165-70867728950e', 'req_7hGk:2.1']) assert.equal(loggedRequestId(id), id)
  for (const text of ['山田太郎', 'aki@shop.example', 'call me at 090', '', 'x'.repeat(65), undefined])
    assert.equal(loggedRequestId(text), undefined)
})
