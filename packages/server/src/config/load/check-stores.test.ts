// Which stores a configuration chooses, and which combinations are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#adapters/system/clock.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { chosenStores } from '../chosen-stores.ts'
import { ConfigError, loadConfig } from '../load-config.ts'
import type { TestContext } from 'node:test'

const REDIS = { MANGA_STATE__REDIS: 'redis://one:6379' }

async function chosen(context: TestContext, env: Readonly<Record<string, string>>) {
  return chosenStores(await loadConfig({ env, workspaceRoot: tempDir(context), clock: systemClock() }))
}

async function refused(context: TestContext, env: Readonly<Record<string, string>>) {
  const error = await chosen(context, env).then(
    () => assert.fail('it was accepted'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ConfigError)
  return error.problems
}

test('without settings every store is local to the process, and with state.redis all that nodes must share are in Redis', async (context) => {
  const alone = await chosen(context, {})
  assert.deepEqual([...new Set(Object.values(alone))].toSorted(), ['files', 'memory', 'sqlite'])
  const fleet = await chosen(context, REDIS)
  const { products, samples, search, ...shared } = fleet
  assert.deepEqual([...new Set(Object.values(shared))], ['redis'])
  assert.deepEqual([products, search, samples], ['sqlite', 'sqlite', 'files'])
  assert.deepEqual(Object.keys(fleet), Object.keys(alone))
})

test('samples in S3 need the name of a bucket', async (context) => {
  const S3 = { MANGA_STORES__SAMPLES: 's3' }
  const [problem] = await refused(context, S3)
  assert.deepEqual([problem?.path, problem?.allowed], ['stores.samples', '"s3" only together with s3.bucket'])
  assert.equal((await chosen(context, { ...S3, MANGA_S3__BUCKET: 'my-shop' })).samples, 's3')
})

test('with state.redis, only stores that each node may have for itself can be changed', async (context) => {
  const own = await chosen(context, {
    ...REDIS,
    MANGA_STORES__ESTIMATORS: 'sqlite',
    MANGA_STORES__RATECHUNKS: 'memory',
  })
  assert.deepEqual([own.estimators, own.rateChunks, own.ledger], ['sqlite', 'memory', 'redis'])
  for (const [port, store] of [
    ['sessions', 'sqlite'],
    ['turnLog', 'sqlite'],
    ['budgets', 'sqlite'],
    ['spendChunks', 'sqlite'],
    ['ledger', 'sqlite'],
    ['admin', 'sqlite'],
    ['deferred', 'sqlite'],
    ['lanes', 'memory'],
    ['answers', 'memory'],
    ['tasks', 'memory'],
    ['alarms', 'sqlite'],
    ['handovers', 'sqlite'],
    ['modelHistory', 'sqlite'],
  ] as const) {
    const [problem, ...more] = await refused(context, { ...REDIS, [`MANGA_STORES__${port.toUpperCase()}`]: store })
    assert.deepEqual([problem?.path, problem?.given, more], [`stores.${port}`, `"${store}"`, []])
    assert.match(problem?.fix ?? '', new RegExp(`^Remove MANGA_STORES__${port.toUpperCase()}: .+`))
  }
})

test('conversations can be in DynamoDB, on one machine and on a cluster', async (context) => {
  for (const env of [{}, REDIS])
    assert.equal((await chosen(context, { ...env, MANGA_STORES__SESSIONS: 'dynamodb' })).sessions, 'dynamodb')
})

test('OpenSearch needs an address, with and without a cluster', async (context) => {
  const env = { MANGA_STORES__SEARCH: 'opensearch' }
  for (const over of [{}, REDIS]) {
    const [problem] = await refused(context, { ...env, ...over })
    assert.equal(problem?.path, 'stores.search')
    assert.match(problem?.fix ?? '', /MANGA_OPENSEARCH__NODE/)
    const found = await chosen(context, { ...env, ...over, MANGA_OPENSEARCH__NODE: 'https://search.example' })
    assert.equal(found.search, 'opensearch')
  }
})

test('local budgets with a shared turn log are refused with the reason', async (context) => {
  const [problem] = await refused(context, { ...REDIS, MANGA_STORES__BUDGETS: 'sqlite' })
  assert.match(problem?.fix ?? '', /turn log is shared.*hold/)
})

test('redis as a store without the address of Redis is refused', async (context) => {
  const [problem, ...more] = await refused(context, { MANGA_STORES__SESSIONS: 'redis' })
  assert.deepEqual([problem?.path, more], ['stores.sessions', []])
  assert.match(problem?.fix ?? '', /Set state\.redis/)
})

test('the ledger may be in DynamoDB, on one machine and on a cluster', async (context) => {
  const tables = { MANGA_STORES__LEDGER: 'dynamodb' }
  assert.equal((await chosen(context, tables)).ledger, 'dynamodb')
  assert.equal((await chosen(context, { ...REDIS, ...tables })).ledger, 'dynamodb')
  const [problem] = await refused(context, { ...REDIS, MANGA_STORES__LEDGER: 'sqlite' })
  assert.match(problem?.allowed ?? '', /"redis" or "dynamodb"/)
})

test('an unknown store is reported once, with the known ones', async (context) => {
  const problems = await refused(context, { ...REDIS, MANGA_STORES__SESSIONS: 'sqlit' })
  assert.equal(problems.length, 1)
  assert.match(problems[0]?.allowed ?? '', /"sqlite", "redis"/)
})
