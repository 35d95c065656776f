// What doctor reports about the Redis of a cluster: valid, wrong, with eviction, unavailable. Never its password.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import { clockFinding, LEASE_LIMITS, SIGNATURE_LIMITS, TOKEN_LIMITS } from './clocks.ts'
import { differenceOf } from './reach.ts'

const KEY = Buffer.alloc(32, 7).toString('base64url')

test('a reachable Redis is reported with its version, and a cookie key in the environment is fine', async (context) => {
  await using redis = await startRedis({ args: ['--requirepass', 'hunter2', '--appendonly', 'yes'] })
  const url = redis.url.replace('//', '//:hunter2@')
  const terminal = fakeTerminal(context, { env: { MANGA_STATE__REDIS: url, MANGA_COOKIE_KEY: KEY } })
  assert.equal(await main(['doctor'], terminal), 0)
  assert.match(terminal.printed.out, new RegExp(`✓ redis: 127.0.0.1:${redis.port}, version \\d+`))
  assert.match(terminal.printed.out, /✓ redis memory: maxmemory-policy noeviction\n✓ redis persistence: appendonly yes/)
  assert.match(terminal.printed.out, /✓ environment: .*MANGA_STATE__REDIS, MANGA_COOKIE_KEY/)
  assert.match(terminal.printed.out, /✓ cookie key: from MANGA_COOKIE_KEY/)
  assert.doesNotMatch(terminal.printed.out, new RegExp(`hunter2|${KEY}|^[!✗]`, 'm'))
})

test('a Redis that evicts and a missing cookie key are warnings', async (context) => {
  await using redis = await startRedis({ args: ['--maxmemory-policy', 'allkeys-lru'] })
  const terminal = fakeTerminal(context, { env: { MANGA_STATE__REDIS: redis.url } })
  assert.equal(await main(['doctor'], terminal), 0)
  assert.match(terminal.printed.out, /^! redis memory: .* allkeys-lru\n.*noeviction/m)
  assert.match(terminal.printed.out, /^! cookie key: /m)
})

test('data that a crash of Redis would lose is a warning with the setting that prevents it', async (context) => {
  for (const [args, detail] of [
    [['--save', ''], /^! redis persistence: .*no save points.*\n.*appendonly/m],
    [['--save', '3600 1'], /^! redis persistence: .*save points only.*\n.*appendonly/m],
    [['--rename-command', 'CONFIG', ''], /^! redis persistence: .*does not say.*\n.*appendonly/m],
  ] as const) {
    await using redis = await startRedis({ args })
    const terminal = fakeTerminal(context, { env: { MANGA_STATE__REDIS: redis.url, MANGA_COOKIE_KEY: KEY } })
    assert.equal(await main(['doctor'], terminal), 0)
    assert.match(terminal.printed.out, detail)
  }
})

test('a Redis that refuses the password or is unavailable is reported without the password', async (context) => {
  await using redis = await startRedis({ args: ['--requirepass', 'hunter2'] })
  for (const [url, why] of [
    [redis.url.replace('//', '//:wr0ng@'), /WRONGPASS/],
    ['redis://:wr0ng@127.0.0.1:1', /ECONNREFUSED/],
  ] as const) {
    const env = { MANGA_STATE__REDIS: url, MANGA_STATE__CONNECTMS: '500' }
    const terminal = fakeTerminal(context, { env })
    assert.equal(await main(['doctor'], terminal), 1)
    assert.match(terminal.printed.out, /✗ redis: Redis at 127\.0\.0\.1:\d+ cannot be reached/)
    assert.match(terminal.printed.out, why)
    assert.doesNotMatch(terminal.printed.out + terminal.printed.err, /wr0ng/)
  }
})

test('a wrong address and a wrong key are reported without their values', async (context) => {
  for (const url of ['redis://:pa/ss-w0rd@host:6379', 'redis://:p#ss-w0rd@host', 'redis:ss-w0rd', 'ss-w0rd']) {
    const env = { MANGA_STATE__REDIS: url, MANGA_COOKIE_KEY: `${KEY},sh0rt` }
    const terminal = fakeTerminal(context, { env })
    assert.equal(await main(['doctor', '--json'], terminal), 1)
    const { findings } = JSON.parse(terminal.printed.out) as { findings: { ok: boolean; check: string }[] }
    const wrong = findings.filter(({ ok }) => !ok).map(({ check }) => check)
    assert.deepEqual(wrong.toSorted(), ['MANGA_COOKIE_KEY', 'state.redis'], url)
    assert.doesNotMatch(terminal.printed.out, new RegExp(`w0rd|sh0rt|${KEY}`))
  }
})

test('--live compares the clock with that of Redis', async (context) => {
  await using redis = await startRedis({ args: ['--appendonly', 'yes'] })
  const env = { MANGA_STATE__REDIS: redis.url, MANGA_COOKIE_KEY: KEY }
  const terminal = fakeTerminal(context, { env })
  assert.equal(await main(['doctor', '--live'], terminal), 0, terminal.printed.out)
  assert.match(terminal.printed.out, /^✓ clock of 127\.0\.0\.1:\d+: 0\.\d s (behind|ahead of) this machine, ±/m)
})

test('a clock that breaks leases or signatures is a failure, and the uncertainty of the measurement is not', () => {
  const found = (aheadMs: number, withinMs: number, limits = LEASE_LIMITS) => {
    const { isWarning, ok } = clockFinding('redis:6379', { aheadMs, withinMs }, limits)
    return ok ? (isWarning === true ? 'warning' : 'ok') : 'failure'
  }
  assert.deepEqual([found(900, 5), found(-1500, 5), found(-1500, 600)], ['ok', 'warning', 'ok'])
  assert.deepEqual([found(3100, 5), found(-240_600, 500, SIGNATURE_LIMITS)], ['failure', 'failure'])
  assert.deepEqual([found(60_000, 500, SIGNATURE_LIMITS), found(9e9, 500, TOKEN_LIMITS)], ['warning', 'warning'])
  assert.deepEqual(differenceOf(1500, 1000, 1200), { aheadMs: 400, withinMs: 100 })
})
