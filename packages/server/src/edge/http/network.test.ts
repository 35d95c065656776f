// Which addresses count as one network.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { clientAddress, networkFinder, networkNamer, networkOf, wideNetworkOf } from './network.ts'

test('an IPv4 address is its own network, also inside an IPv6 one', () => {
  assert.equal(networkOf('192.0.2.7'), '192.0.2.7')
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(networkOf('::FFFF:192.0.2.7'), '192.0.2.7')
})

test('IPv6 addresses are one network by their first half, however they are written', () => {
  const written: [string, string][] = [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ]
  for (const [address, network] of written) assert.equal(networkOf(address), network, address)
})

function requestFrom(remoteAddress: string, forwarded?: string | string[]): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage
}

test('the client’s address is what the outermost of our proxies saw, whatever else the header has', () => {
  const address = (proxies: number, forwarded?: string | string[]) =>
    clientAddress(requestFrom('10.0.0.1', forwarded), { trustProxy: true, proxies })
  assert.equal(address(1, 'spoofed, 198.51.100.7'), '198.51.100.7')
  assert.equal(address(2, 'spoofed, 198.51.100.7, 10.0.0.2'), '198.51.100.7')
  assert.equal(address(3, '198.51.100.7'), '198.51.100.7')
  assert.equal(address(1, ['spoofed', '198.51.100.7']), '198.51.100.7')
  assert.equal(address(1), '10.0.0.1')
  const untrusting = { trustProxy: false, proxies: 1 }
  assert.equal(clientAddress(requestFrom('192.0.2.1', '198.51.100.7'), untrusting), '192.0.2.1')
})

test('a network has one pseudonym, different from others, that does not reveal its address', () => {
  const server = { ...defaults.server, trustProxy: false }
  const find = networkFinder(server, memoryTelemetry())
  const name = networkNamer([Buffer.alloc(32, 1)], find)
  const ours = name(requestFrom('2001:db8:1:2::1'))
  assert.match(ours, /^net_[0-9a-f]{32}\.net_[0-9a-f]{32}$/)
  assert.equal(name(requestFrom('2001:db8:1:2:ffff::2')), ours)
  assert.notEqual(name(requestFrom('2001:db8:1:3::1')), ours)
  assert.equal(name(requestFrom('2001:db8:1:3::1')).split('.')[1], ours.split('.')[1])
  assert.match(name(requestFrom('198.51.100.7')), /^net_[0-9a-f]{32}$/)
  assert.notEqual(networkNamer([Buffer.alloc(32, 2)], find)(requestFrom('2001:db8:1:2::1')), ours)
})

test('ports, brackets and invalid values make no new network, and invalid values are logged once', () => {
  const telemetry = memoryTelemetry()
  const find = networkFinder({ trustProxy: true, proxies: 1 }, telemetry)
  const from = (forwarded: string) => find(requestFrom('10.0.0.1', forwarded))
  for (const port of ['', ':1', ':4711']) {
    assert.equal(from(`198.51.100.8${port}`), '198.51.100.8')
    assert.equal(from(`[2001:db8:1:2::1]${port}`), '2001:db8:1:2::/64')
  }
  assert.deepEqual(telemetry.logged, [])
  const nonsense = ['198.51.100.9 x1', '198.51.100.9 x2', 'unknown', '_hidden', '999.1.1.1', '[x]:1', '1.2.3.4:x']
  assert.equal(new Set(nonsense.map(from)).size, 1)
  assert.deepEqual(
    telemetry.logged.map(({ event, level }) => [level, event]),
    [['warn', 'network.address-unreadable']],
  )
})

test('an untrusted proxy is logged once', () => {
  const telemetry = memoryTelemetry()
  const find = networkFinder({ trustProxy: false, proxies: 1 }, telemetry)
  for (const forwarded of ['198.51.100.7', '198.51.100.8'])
    assert.equal(find(requestFrom('10.0.0.1', forwarded)), '10.0.0.1')
  assert.deepEqual(
    telemetry.logged.map(({ event }) => event),
    ['network.proxy-not-trusted'],
  )
})

test('the /48 around an IPv6 network has a pseudonym of its own, and an IPv4 address has none', () => {
  assert.equal(wideNetworkOf(networkOf('2001:db8:1:2::9')), '2001:db8:1::/48')
  assert.equal(wideNetworkOf(networkOf('2001:db8:1:ffff::1')), '2001:db8:1::/48')
  assert.equal(wideNetworkOf(networkOf('198.51.100.7')), undefined)
})
