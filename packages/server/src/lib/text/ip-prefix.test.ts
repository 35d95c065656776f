// Addresses and networks are read as RFC 4291 and RFC 4632 write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIp, parsePrefix, prefixText } from './ip-prefix.ts'

const shortest = (text: string) => {
  const prefix = parsePrefix(text)
  return prefix === undefined ? undefined : prefixText(prefix)
}

test('addresses and networks are written in their shortest form, without the bits of hosts', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['255.255.255.255/9', '255.128.0.0/9'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:1:2:3:4:5:6/64', '2001:db8:1:2::/64'],
    ['2001:db8::/33', '2001:db8::/33'],
    ['::', '::'],
    ['::/0', '::/0'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ]
  for (const [given, expected] of forms) assert.equal(shortest(given), expected, given)
})

test('what is not an address or a network is not read', () => {
  const wrong = [
    '',
    'x',
    '1.2.3',
    '1.2.3.4.5',
    '256.0.0.1',
    '01.2.3.4',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '1.2.3.4/a',
  ]
  for (const text of [
    ...wrong,
    '::/129',
    ':::',
    '1::2::3',
    '::ffff:1.2.3.4/8',
    '1.2.3.4/8/8',
    ' 1.2.3.4',
    'localhost',
  ]) {
    assert.equal(parsePrefix(text), undefined, text)
  }
})

test('an IPv4 address in its IPv6 form is the IPv4 address', () => {
  assert.deepEqual(parseIp('::ffff:192.0.2.1'), parseIp('192.0.2.1'))
  assert.equal(parseIp('::192.0.2.1')?.family, 6)
})
