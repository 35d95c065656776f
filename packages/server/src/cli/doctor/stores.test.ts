// What doctor reports about the stores: of one process, of a cluster, of a single changed port, and of a refused
// choice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

test('doctor names the store of every port', async (context) => {
  const terminal = fakeTerminal(context, { env: {} })
  assert.equal(await main(['doctor'], terminal), 0)
  assert.match(
    terminal.printed.out,
    /^✓ stores: sessions, turnLog, .*ledger.* in sqlite; rateChunks, lanes, answers, tasks in memory; samples in files$/m,
  )
})

test('with Redis, every port is in Redis except those that were changed', async (context) => {
  await using redis = await startRedis()
  const env = { MANGA_STATE__REDIS: redis.url, MANGA_STORES__ESTIMATORS: 'sqlite' }
  const terminal = fakeTerminal(context, { env })
  assert.equal(await main(['doctor'], terminal), 0)
  assert.match(
    terminal.printed.out,
    /^✓ stores: sessions, .*deferred, handovers, tasks, alarms, carts, orders, modelHistory in redis; estimators, products, search in sqlite; samples in files$/m,
  )
})

test('a choice that cannot work is reported with the setting and the fix', async (context) => {
  const terminal = fakeTerminal(context, { env: { MANGA_STORES__LEDGER: 'redis' } })
  assert.equal(await main(['doctor'], terminal), 1)
  assert.match(terminal.printed.out, /^✗ stores\.ledger: .*\n.*Set state\.redis .*MANGA_STORES__LEDGER/m)
})
