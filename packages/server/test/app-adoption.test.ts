// A guest who signs in, over the whole pipeline in memory: what happens to conversations, to a running answer, and to
// budgets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, sampleReceived, STRANGER } from '#fixtures/turns/turns.ts'
import { createApp } from '#app/app.ts'

const USER: Principal = { id: 'user:id:aki', kind: 'user', tier: 'premium' }
const signal = () => new AbortController().signal
const refused = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

async function setUp(config = testConfig) {
  const ports = await testPorts()
  const models = new Map([['embedded', scriptedModel(ports.clock, answering('は', 'い'), 'm')]])
  const app = createApp({ ...ports, models }, config)
  const { clock } = ports
  const answered = async (principal: Principal, more: object = {}) => {
    const accepted = await app.chat(sampleReceived({ principal, ...more }))
    const frames = collect(await app.read(principal, { turnId: accepted.turnId, offset: 0 }, signal()))
    await clock.advance(1000)
    const done = (await frames).find((frame) => frame.type === 'done')
    return { ...accepted, done }
  }
  return { app, answered, clock, ports }
}

test('the user continues the guest’s conversation, which no longer exists for the guest or for others', async () => {
  const { answered, app, ports } = await setUp()
  const { sessionId, turnId } = await answered(GUEST, { idempotencyKey: 'a' })
  await app.adopt(GUEST.id, USER)
  await app.adopt(GUEST.id, USER)
  assert.deepEqual(
    (await app.sessions(USER)).sessions.map((one) => one.sessionId),
    [sessionId],
  )
  assert.deepEqual((await app.sessions(GUEST)).sessions, [])
  const { turnRecords } = ports
  assert.equal((await turnRecords.find(turnId))?.principalId, USER.id)
  assert.equal(await turnRecords.unitOf(USER.id), GUEST.id)
  const next = await answered(USER, { sessionId, idempotencyKey: 'b', message: 'もっと' })
  assert.equal(next.done?.sessionVersion, 2)
  assert.deepEqual(
    (await app.session(USER, sessionId)).turns.map((turn) => turn.turnId),
    [turnId, next.turnId],
  )
  for (const other of [GUEST, STRANGER]) {
    await assert.rejects(app.session(other, sessionId), refused('NOT_FOUND'))
    await assert.rejects(
      app.chat(sampleReceived({ principal: other, sessionId, idempotencyKey: 'c' })),
      refused('NOT_FOUND'),
    )
    await assert.rejects(app.read(other, { turnId: next.turnId, offset: 0 }, signal()), refused('NOT_FOUND'))
  }
  for (const other of [GUEST, STRANGER]) {
    await assert.rejects(app.read(other, { turnId, offset: 0 }, signal()), refused('NOT_FOUND'))
    await assert.rejects(app.stop(other, turnId), refused('NOT_FOUND'))
  }
  await app.removeSession(USER, sessionId)
  assert.deepEqual((await app.sessions(USER)).sessions, [])
  await assert.rejects(app.read(USER, { turnId, offset: 0 }, signal()), refused('NOT_FOUND'))
  await app.drain()
})

test('the user can read and stop a running answer; until it ends the conversation is busy', async () => {
  const { answered, app, clock } = await setUp()
  const { sessionId, turnId } = await app.chat(sampleReceived({ principal: GUEST, idempotencyKey: 'a' }))
  const guestReads = collect(await app.read(GUEST, { turnId, offset: 0 }, signal()))
  await app.adopt(GUEST.id, USER)
  const userReads = collect(await app.read(USER, { turnId, offset: 0 }, signal()))
  assert.equal((await app.session(USER, sessionId)).runningTurn?.turnId, turnId)
  const watching = (await app.watch(USER, sessionId, signal()))[Symbol.asyncIterator]()
  assert.equal((await watching.next()).value?.turnId, turnId)
  const early = sampleReceived({ principal: USER, sessionId, idempotencyKey: 'b', message: 'もっと' })
  await assert.rejects(app.chat(early), refused('SESSION_BUSY'))
  await app.stop(USER, turnId)
  await clock.advance(1000)
  assert.deepEqual(await userReads, await guestReads)
  assert.equal((await userReads).at(-1)?.type, 'done')
  assert.equal((await answered(USER, { sessionId, idempotencyKey: 'b', message: 'もっと' })).done?.sessionVersion, 2)
  await app.drain()
})

test('signing in gives a conversation no new budget, and does not change what the guest has used that day', async () => {
  const tokens = { ...testConfig.tokens, outputPerSessionMax: 65 }
  const { answered, app } = await setUp({ ...testConfig, tokens })
  const { sessionId } = await answered(GUEST, { idempotencyKey: 'a' })
  const before = await app.quota(GUEST)
  assert.ok(before.output.used > 1)
  await app.adopt(GUEST.id, USER)
  const again = sampleReceived({ principal: USER, sessionId, idempotencyKey: 'b', message: 'もっと' })
  await assert.rejects(app.chat(again), refused('QUOTA_EXCEEDED'))
  assert.deepEqual((await app.quota(GUEST)).output, before.output)
  assert.equal((await app.quota(USER)).output.used, 0)
  await app.drain()
})
