// The console's addresses, read and written.
import assert from 'node:assert/strict'
import test from 'node:test'
import { addressOf, consoleHref } from './address.ts'

const read = (href: string) => addressOf(new URL(href, 'http://shop.example'))

test('an address is read as it was written, whatever the id contains', () => {
  for (const id of ['turn_1', 'openai/qwen3:4b@127.0.0.1:8181', '日本 語', '100%', 'a?b#c']) {
    const href = consoleHref({ screen: 'models', rest: [id], query: { day: '2026-11-18', user: 'a&b=c' } })
    assert.deepEqual(read(href), { screen: 'models', rest: [id], query: { day: '2026-11-18', user: 'a&b=c' } }, id)
  }
})

test('the first screen has the shortest address, and a slash at the end changes nothing', () => {
  assert.equal(consoleHref({ screen: '' }), '/console')
  assert.deepEqual(read('/console/'), { screen: '', rest: [], query: {} })
  assert.deepEqual(read('/console/turns/'), { screen: 'turns', rest: [], query: {} })
})

test('empty filters are not in the address', () => {
  assert.equal(
    consoleHref({ screen: 'turns', query: { user: '', model: undefined, limit: 50 } }),
    '/console/turns?limit=50',
  )
})

test('other pages and broken escapes are no address of the console', () => {
  for (const href of ['/', '/consolex', '/series/akira', '/console/turns/%E0%A4%A'])
    assert.equal(read(href), undefined, href)
})
