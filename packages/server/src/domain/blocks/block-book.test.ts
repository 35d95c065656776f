// Which callers the blocks in effect meet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Setting } from '../settings/run-settings.ts'
import { BlockBook, blockSetting } from './block-book.ts'
import { parseTarget } from './block-target.ts'

const setting = (expiresAt?: number): Setting => ({
  value: true,
  by: 'aki',
  at: 1,
  reason: 'abuse',
  ...(expiresAt === undefined ? {} : { expiresAt }),
})

const bookOf = (...targets: readonly (readonly [string, number?])[]) =>
  new BlockBook(new Map(targets.map(([target, expiresAt]) => [blockSetting(target), setting(expiresAt)])))

test('targets are principals by id, addresses and networks; anything else is refused', () => {
  const kinds = ['user:shop:42', 'key:reports', 'guest_ab12', '203.0.113.7', '203.0.113.0/24', '2001:db8::/48'].map(
    (text) => parseTarget(text)?.kind,
  )
  assert.deepEqual(kinds, ['user', 'key', 'guest', 'address', 'network', 'network'])
  assert.equal(parseTarget(' 203.0.113.9/24 ')?.text, '203.0.113.0/24')
  for (const text of [
    '',
    'user:',
    'user:shop',
    'key:',
    'guest',
    'shop',
    'a b',
    'user:a:b c',
    'key:\u001B[2J',
    `key:${'x'.repeat(300)}`,
  ])
    assert.equal(parseTarget(text), undefined, text)
})

test('an address is met by its own block and by those of its networks, of its family alone', () => {
  const book = bookOf(['203.0.113.7'], ['198.51.100.0/24'], ['2001:db8:1::/48'])
  const met = (address: string) => book.isAddressBlocked(address, 0)
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '198.51.100.255', '2001:db8:1:ffff::1'])
    assert.ok(met(address), address)
  for (const address of ['203.0.113.8', '198.51.101.0', '2001:db8:2::1', '::cb00:7107', 'unknown', ''])
    assert.ok(!met(address), address)
})

test('a block of everything meets everything of its family', () => {
  const book = bookOf(['0.0.0.0/0'])
  assert.ok(book.isAddressBlocked('1.2.3.4', 0))
  assert.ok(!book.isAddressBlocked('2001:db8::1', 0))
})

test('a block ends by itself, and settings that are no blocks are ignored', () => {
  const settings = new Map([
    [blockSetting('guest_1'), setting(100)],
    [blockSetting('203.0.113.7'), setting(100)],
    [blockSetting('of a newer version'), setting()],
    ['mode', setting()],
  ])
  const book = new BlockBook(settings)
  assert.deepEqual([book.isPrincipalBlocked('guest_1', 99), book.isPrincipalBlocked('guest_1', 100)], [true, false])
  assert.deepEqual([book.isAddressBlocked('203.0.113.7', 99), book.isAddressBlocked('203.0.113.7', 100)], [true, false])
  assert.deepEqual([book.list(99).length, book.list(100).length], [2, 0])
})
