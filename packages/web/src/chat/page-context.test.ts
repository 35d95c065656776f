// What of a page is sent with a question: only what the protocol accepts.
import assert from 'node:assert/strict'
import test from 'node:test'
import { PageContext } from '@mangaassist/protocol'
import { pageContext } from './page-context.ts'

test('the series and the path of the page are sent', () => {
  assert.deepEqual(pageContext('berserk', '/series/berserk'), { productId: 'berserk', path: '/series/berserk' })
  assert.deepEqual(pageContext(null, '/'), { path: '/' })
})

test('what the server would refuse is left out', () => {
  assert.deepEqual(pageContext('進撃', `/${'a'.repeat(512)}`), undefined)
  assert.deepEqual(pageContext('', 'blank'), undefined)
  assert.deepEqual(pageContext('a b', '/x'), { path: '/x' })
  const odd = ['', ' ', '/', 'a', '漫', '\n', 'a/b', 'x'.repeat(129), '/é', '/~!', `/${'y'.repeat(511)}`]
  for (const product of [null, ...odd])
    for (const path of odd) {
      const page = pageContext(product, path)
      assert.ok(accepts('productId', page?.productId) && accepts('path', page?.path), JSON.stringify([product, path]))
    }
})

/** Whether the schema of the protocol accepts a value of this field. */
function accepts(field: keyof typeof PageContext.properties, value: string | undefined): boolean {
  const schema = JSON.parse(JSON.stringify(PageContext.properties[field])) as { pattern: string; maxLength: number }
  return value === undefined || (new RegExp(schema.pattern).test(value) && value.length <= schema.maxLength)
}
