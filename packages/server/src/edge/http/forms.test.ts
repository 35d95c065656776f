// Where a form leads to: only to pages of our own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPath } from './forms.ts'

test('a form leads to a path of our own, and from elsewhere to the home page', () => {
  for (const path of ['/cart', '/en/series/nana?x=1']) assert.equal(ownPath(path), path)
  for (const path of [
    null,
    '',
    'cart',
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example/',
    '/\t/evil.example',
    '/.//evil.example',
    '/cart/..//evil.example',
  ])
    assert.equal(ownPath(path), '/', String(path))
})
