// Other kinds of Redis under the same shoppers: a cluster whose slots are moved while they ask, and one that speaks TLS.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { systemClock } from '#adapters/system/clock.ts'
import { freePort } from '#fixtures/stores/free-port.ts'
import { startRedisCluster } from '#fixtures/stores/redis-cluster.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { launch, temporaryFolder } from '../e2e/server-process.ts'
import { callsBooked, startFleet, worstFlood } from './redis-fleet.ts'
import { Shopper } from './shopper.ts'

const clock = systemClock()
const SHOPPERS = 4
const run = promisify(execFile)
const cli = (...args: readonly string[]) => run(process.env['REDIS_CLI'] ?? 'redis-cli', args)

test('slots of a Redis cluster are moved to another node while shoppers ask', { timeout: 600_000 }, async () => {
  await using cluster = await startRedisCluster()
  await using vendor = await startSimulator({ clock, pace: { firstTokenMs: 100, tokensPerSecond: 60 } })
  await using fleet = await startFleet(cluster.url, vendor.url, { MANGA_TIERS__FREE__MICROUSDPERDAY: '10000000' })
  const addresses = fleet.nodes.map(({ address }) => address)
  const shoppers = Array.from({ length: SHOPPERS }, (_, index) => new Shopper({ addresses, clock, name: `s${index}` }))
  const shopping = shoppers.map((shopper) => shopper.shop())
  await waitUntil('every shopper has an answer', () => shoppers.every(({ answered }) => answered > 0))
  const ids: string[] = []
  for (const { port } of cluster.nodes) ids.push((await cli('-p', String(port), 'CLUSTER', 'MYID')).stdout.trim())
  const [first = '', second = ''] = ids
  const address = `127.0.0.1:${cluster.nodes[0]?.port}`
  // Every slot of the first node, a few hundred at a time.
  for (let moved = 0; moved < 5400; moved += 600) {
    const how = ['--cluster-from', first, '--cluster-to', second, '--cluster-slots', '600', '--cluster-yes']
    await cli('--cluster', 'reshard', address, ...how)
  }
  const before = shoppers.map(({ answered }) => answered)
  const isServed = () => shoppers.every(({ answered }, index) => answered > (before[index] ?? 0))
  await waitUntil('every shopper is served again', isServed, 90_000)
  for (const shopper of shoppers) shopper.stop()
  await Promise.all(shopping)
  for (const shopper of shoppers) await shopper.compare()
  const calls = vendor.attempts().length
  await waitUntil('the ledger has one row for every call', async () => (await callsBooked(fleet)) === calls, 90_000)
  assert.ok(worstFlood(fleet).lines <= 2)
})

test('a Redis with TLS is used by nodes that know its authority, and refused by others, who say why', async () => {
  await using folder = await temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  const subject = (name: string) => ['-subj', `/CN=${name}`, '-days', '2', '-nodes']
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-keyout', at('ca.key'), '-out', at('ca.pem'), ...subject('test ca'))
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1']
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key')]
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-keyout',
    at('key.pem'),
    '-out',
    at('cert.pem'),
    ...signed,
    ...names,
    ...subject('127.0.0.1'),
  )
  const port = await freePort()
  const files = ['--tls-cert-file', at('cert.pem'), '--tls-key-file', at('key.pem'), '--tls-ca-cert-file', at('ca.pem')]
  await using redis = await startRedis({ args: ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files] })
  const url = `rediss://127.0.0.1:${port}`
  await using vendor = await startSimulator({ clock })
  await using fleet = await startFleet(url, vendor.url, { NODE_EXTRA_CA_CERTS: at('ca.pem') })
  const addresses = fleet.nodes.map(({ address }) => address)
  const shopper = new Shopper({ addresses, clock, name: 'tls' })
  const shopping = shopper.shop()
  await waitUntil('the shopper has answers from both nodes', () => shopper.answered > 3)
  shopper.stop()
  await shopping
  await shopper.compare()
  for (const [state, why] of [
    [url, /unable to verify|self.signed|certificate/i],
    [`redis://127.0.0.1:${port}`, /Redis at/],
    [redis.url.replace('redis:', 'rediss:'), /Redis at/],
  ] as const) {
    const refused = launch({ dataDir: at('data'), env: { MANGA_STATE__REDIS: state } })
    assert.equal(await refused.ready, undefined)
    assert.equal((await refused.exited).code, 1)
    assert.match(refused.stderr(), why)
  }
})
