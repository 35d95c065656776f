// Runs the contract of the session store on Redis, and checks expiry and slots of the keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionStoreContract } from '#ports/session-store/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { redisSessionStore } from './session-store.ts'

const KEEP_MS = 60_000
const open = cleanRedis()

sessionStoreContract(
  'redis session store',
  async (context) => {
    const clock = manualClock()
    return { store: redisSessionStore({ redis: await open(context, clock), clock, keepMs: KEEP_MS }), clock }
  },
  { expiresAfterMs: KEEP_MS },
)

test('every key of a conversation expires, and those of a principal share a slot whatever its name', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const store = redisSessionStore({ redis, clock, keepMs: KEEP_MS })
  await store.create(sampleSession({ principalId: 'a}b{c' }))
  await store.append('sess_1', 0, sampleStoredTurn())
  const keys = (await redis.command(undefined, 'KEYS', '*')) as string[]
  assert.equal(keys.length, 4)
  for (const key of keys) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, key)
  const tags = new Set(keys.filter((key) => !key.endsWith(':owner')).map((key) => /\{(.*?)\}/.exec(key)?.[1]))
  assert.deepEqual([...tags], ['user:a%7Db%7Bc'])
})

test('an adopted conversation stays on its slot, its keys expire, and both nodes find it', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const [one, other] = [1, 2].map(() => redisSessionStore({ redis, clock, keepMs: KEEP_MS }))
  await one?.create(sampleSession())
  assert.equal((await other?.find('sess_1'))?.principalId, 'guest_1')
  await one?.adopt('guest_1', 'user:a}b')
  for (const node of [one, other]) assert.equal((await node?.find('sess_1'))?.principalId, 'user:a}b')
  for (let version = 0; version < 4; version += 1) {
    await clock.advance(KEEP_MS / 2)
    await other?.append('sess_1', version, sampleStoredTurn({ turnId: `turn_${version}` }))
    assert.deepEqual(
      (await one?.listOf('user:a}b', 5))?.map(({ id }) => id),
      ['sess_1'],
    )
  }
  const keys = (await redis.command(undefined, 'KEYS', '*')) as string[]
  for (const key of keys) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, key)
  assert.deepEqual(
    keys.filter((key) => key.includes('{user:user')),
    ['ma:{user:user%3Aa%7Db}:guests'],
  )
  await other?.remove('sess_1')
  assert.deepEqual(await one?.listOf('user:a}b', 5), [])
  assert.equal(await redis.command(undefined, 'EXISTS', 'ma:{user:user%3Aa%7Db}:guests'), 0, 'nothing more to ask for')
})

test('an adoption interrupted between its two steps is completed by a repeat', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const store = redisSessionStore({ redis, clock, keepMs: KEEP_MS })
  await store.create(sampleSession())
  let left = 1
  const failing: typeof redis = {
    ...redis,
    command: redis.command.bind(redis),
    run: async (script, keys, args) => {
      if (left === 0) throw new Error('cut')
      left -= 1
      return redis.run(script, keys, args)
    },
  }
  await assert.rejects(redisSessionStore({ redis: failing, clock, keepMs: KEEP_MS }).adopt('guest_1', 'user:one'))
  assert.equal((await store.find('sess_1'))?.principalId, 'user:one', 'it is nobody else’s in between')
  await store.adopt('guest_1', 'user:one')
  assert.deepEqual(
    (await store.listOf('user:one', 5)).map(({ id }) => id),
    ['sess_1'],
  )
})

test('another node finds a conversation, and when it removes one the first node finds it no more', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const [one, other] = [1, 2].map(() => redisSessionStore({ redis, clock, keepMs: KEEP_MS }))
  await one?.create(sampleSession())
  assert.equal((await other?.append('sess_1', 0, sampleStoredTurn()))?.kind, 'appended')
  await other?.remove('sess_1')
  assert.equal(await one?.find('sess_1'), undefined)
  assert.deepEqual(await one?.append('sess_1', 1, sampleStoredTurn({ turnId: 'turn_2' })), { kind: 'gone' })
})

test('the owner of a conversation is still known after a node’s cache entry expired', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const store = redisSessionStore({ redis, clock, keepMs: KEEP_MS })
  await store.create(sampleSession())
  for (let version = 0; version < 4; version += 1) {
    await clock.advance(KEEP_MS / 2)
    const turn = sampleStoredTurn({ turnId: `turn_${version}` })
    assert.deepEqual(await store.append('sess_1', version, turn), { kind: 'appended', version: version + 1 })
  }
  assert.ok(Number(await redis.command(undefined, 'PTTL', 'ma:{sess:sess_1}:owner')) > KEEP_MS)
})
