// What of a page is sent with a question: only what the protocol accepts.
import assert from 'node:assert/strict'
import test from 'node:test'
import { PageContext } from '@mangaassist/protocol'
import Value from 'typebox/value'
import { pageContext } from './page-context.ts'

test('the series and the path of the page are sent', () => {
  assert.deepEqual(pageContext('berserk', '/series/berserk'), { productId: 'berserk', path: '/series/berserk' })
  assert.deepEqual(pageContext(null, '/'), { path: '/' })
})

test('what the server would refuse is left out', () => {
  assert.deepEqual(pageContext('進撃', `/${'a'.repeat(512)}`), undefined)
  assert.deepEqual(pageContext('', 'blank'), undefined)
  assert.deepEqual(pageContext('a b', '/x'), { path: '/x' })
  const odd = ['', ' ', '/', 'a', '漫', '\n', 'a/b', `${'x'.repeat(129)}`, '/é', '/~!', `/${'y'.repeat(511)}`]
  for (const product of [null, ...odd])
    for (const path of odd) {
      const page = pageContext(product, path)
      assert.ok(page === undefined || Value.Check(PageContext, page), JSON.stringify([product, path]))
    }
})
