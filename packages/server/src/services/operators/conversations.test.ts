// Conversations for operators: pages without texts, and no text without a line in the audit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeAdmin } from '#fixtures/edge/fake-admin.ts'
import { fails, withVerbs } from '#fixtures/stores/ports.ts'
import { testConfig as config } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { createConversationQueries } from './conversations.ts'
import { createSessionQueries } from '../sessions.ts'

const AKI = { by: 'aki', reason: 'a complaint' }

async function setUp() {
  const clock = manualClock()
  const stores = fakeAdmin(clock)
  for (const [index, id] of ['sess_1', 'sess_2', 'sess_3'].entries()) {
    const at = clock.now() + index
    await stores.sessions.create(sampleSession({ id, createdAt: at, lastActiveAt: at }))
  }
  await clock.advance(10)
  await stores.sessions.append('sess_2', 0, sampleStoredTurn({ at: clock.now() }))
  return { clock, stores, queries: stores.queries }
}

test('the conversations of a person come in pages, latest activity first, without a word of them', async () => {
  const { queries } = await setUp()
  const first = await queries.conversationsOf('guest_1', { limit: 2 })
  assert.deepEqual(
    first.map(({ sessionId, turns }) => [sessionId, turns]),
    [
      ['sess_2', 1],
      ['sess_3', 0],
    ],
  )
  const rest = await queries.conversationsOf('guest_1', { limit: 2, after: 'sess_3' })
  assert.deepEqual(
    rest.map(({ sessionId }) => sessionId),
    ['sess_1'],
  )
  assert.doesNotMatch(JSON.stringify([...first, ...rest]), /鬼滅/)
  assert.deepEqual(await queries.conversationsOf('guest_2', { limit: 2 }), [])
  await assert.rejects(queries.conversationsOf('guest_1', { limit: 2, after: 'sess_9' }), { code: 'INVALID_REQUEST' })
})

test('a text is read with its owner, its state and a line in the audit', async () => {
  const { clock, queries, stores } = await setUp()
  await clock.advance(config.sessions.idleExpiryMs + 1000)
  const { expired, turns, userId } = await queries.conversation('sess_2', AKI)
  assert.deepEqual([userId, expired, turns.length], ['guest_1', true, 1])
  const [line] = await stores.admin.audit({ limit: 1 })
  assert.deepEqual(
    [line?.action, line?.subject, line?.by, line?.reason],
    ['transcript-read', 'sess_2', 'aki', 'a complaint'],
  )
  await assert.rejects(queries.conversation('sess_9', AKI), { code: 'NOT_FOUND' })
})

test('a text that cannot be noted in the audit is not read', async () => {
  const { clock, stores } = await setUp()
  let isRead = false
  const sessions = withVerbs(stores.sessions, {
    recentTurns: (id, limit) => {
      isRead = true
      return stores.sessions.recentTurns(id, limit)
    },
  })
  const admin = withVerbs(stores.admin, { note: () => fails() })
  const { transcript } = createSessionQueries({ ...stores, admin, clock, config, sessions })
  const queries = createConversationQueries({ clock, config, sessions, transcript })
  await assert.rejects(queries.conversation('sess_2', AKI))
  assert.equal(isRead, false)
})
