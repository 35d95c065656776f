// Holds the conversations in Redis to the contract of their port, and to what is particular to Redis: expiry and slots.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionStoreContract } from '#ports/session-store.contract.ts'
import { cleanRedis } from '../../../test/fixtures/clean-redis.ts'
import { manualClock } from '../../../test/fixtures/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '../../../test/fixtures/samples.ts'
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

test('another node finds a conversation, and one that it removes is gone for the first too', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const [one, other] = [1, 2].map(() => redisSessionStore({ redis, clock, keepMs: KEEP_MS }))
  await one?.create(sampleSession())
  assert.equal((await other?.append('sess_1', 0, sampleStoredTurn()))?.kind, 'appended')
  await other?.remove('sess_1')
  assert.equal(await one?.find('sess_1'), undefined)
  assert.deepEqual(await one?.append('sess_1', 1, sampleStoredTurn({ turnId: 'turn_2' })), { kind: 'gone' })
})

test('whose a conversation is outlives what a node remembers of it', async (context) => {
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
