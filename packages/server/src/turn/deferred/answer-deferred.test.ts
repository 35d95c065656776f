// Deferred questions: asked again when a model is available, or closed with a notice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorCode } from '@mangaassist/protocol'
import { memoryDeferredStore } from '#adapters/memory/deferred-store.ts'
import { memorySessionStore } from '#adapters/memory/session-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { defaults } from '#config/config.ts'
import { Refusal } from '#domain/refusal.ts'
import type { DeferredStore } from '#ports/deferred-store/port.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { fails } from '#fixtures/stores/ports.ts'
import { sampleSession, sampleStart, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { changedSettings } from '#fixtures/turns/normal-settings.ts'
import { createAnswerDeferred } from './answer-deferred.ts'
import { createDeferQuestion } from './defer-question.ts'
import type { DeferredAsk } from './answer-deferred.ts'

const { leaseMs, perRound, spacingMs, waitMs } = defaults.deferred

function opened(over: Partial<DeferredStore> = {}) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const store = { ...memoryDeferredStore({ clock, limits: defaults.deferred }), ...over }
  const sessions = memorySessionStore({ clock })
  const asked: DeferredAsk[] = []
  const model = { isBack: false, room: Number.POSITIVE_INFINITY }
  const settings = changedSettings()
  let refusal: ErrorCode | undefined
  const node = () => ({
    accept: createDeferQuestion({ store, clock, telemetry, config: defaults, settings }),
    ...createAnswerDeferred({
      store,
      sessions,
      clock,
      telemetry,
      config: defaults,
      room: () => (model.isBack ? model.room : 0),
      ask: async (ask) => {
        if (refusal !== undefined) throw new Refusal(refusal)
        asked.push(ask)
      },
    }),
  })
  const refuse = (code?: ErrorCode) => void (refusal = code)
  return { asked, clock, model, node, refuse, sessions, settings, store, telemetry }
}

const start = (number: number) =>
  sampleStart({ turnId: `turn_${number}`, principal: { id: `guest_${number}`, kind: 'guest', tier: 'free' } })

test('while an operator has switched it off no question is stored, and those stored before are answered', async () => {
  const { asked, clock, model, node, settings, store } = opened()
  const one = node()
  assert.equal(await one.accept(start(1)), true)
  settings.off.add('deferred-questions')
  assert.equal(await one.accept(start(2)), false)
  assert.equal(await store.count(), 1)
  model.isBack = true
  await clock.advance(60_000)
  await one.round()
  assert.equal(asked.length, 1)
})

test('a deferred question is asked once a model is available, in its own conversation and by its principal', async () => {
  const { asked, clock, model, node, store } = opened()
  const one = node()
  assert.equal(await one.accept(start(1)), true)
  assert.equal(await one.round(), 0)
  model.isBack = true
  await clock.advance(60_000)
  const nodes = [one, node(), node()]
  const rounds = await Promise.all(nodes.map((each) => each.round()))
  assert.deepEqual(
    rounds.toSorted((a, b) => a - b),
    [0, 0, 1],
  )
  const questions = asked.map(({ scope: _, ...question }) => question)
  assert.deepEqual(questions, [
    {
      principal: { id: 'guest_1', kind: 'guest', tier: 'free' },
      requestId: 'deferred:turn_1',
      route: 'stream',
      message: '鬼滅の刃はありますか？',
      sessionId: 'sess_1',
      language: 'ja',
      idempotencyKey: 'deferred:turn_1',
      deferredFrom: { turnId: 'turn_1', isOver: false },
    },
  ])
  assert.equal(await store.count(), 0)
})

test('an expired question is closed with a notice, with a model or without', async () => {
  for (const isBack of [false, true]) {
    const { asked, clock, model, node, store } = opened()
    const one = node()
    await one.accept(start(1))
    await clock.advance(waitMs - 1)
    assert.equal(await one.round(), 0)
    await clock.advance(1)
    model.isBack = isBack
    assert.equal(await one.round(), 1)
    assert.deepEqual(asked[0]?.deferredFrom, { turnId: 'turn_1', isOver: true })
    assert.equal(await store.count(), 0)
  }
})

test('a transient refusal is retried later, and a final one drops the question', async () => {
  const { asked, clock, model, node, refuse, store } = opened()
  model.isBack = true
  const one = node()
  await one.accept(start(1))
  refuse('SESSION_BUSY')
  assert.deepEqual([await one.round(), await store.count()], [0, 1])
  refuse()
  assert.equal(await one.round(), 0)
  await clock.advance(leaseMs)
  assert.deepEqual([await one.round(), asked.length], [1, 1])
  for (const code of ['NOT_FOUND', 'SESSION_EXPIRED'] as const) {
    await clock.advance(spacingMs)
    await one.accept(start(2))
    refuse(code)
    assert.deepEqual([await one.round(), await store.count()], [0, 0])
  }
})

test('a recovering model is not overloaded', async () => {
  const { asked, clock, model, node } = opened()
  const one = node()
  for (let number = 0; number < perRound + 3; number += 1) await one.accept(start(number))
  model.isBack = true
  const other = node()
  assert.deepEqual([await one.round(), await other.round(), asked.length], [perRound, 0, perRound])
  await clock.advance(spacingMs)
  assert.deepEqual([await other.round(), asked.length], [3, perRound + 3])
})

test('the newest question is asked first, and no more at a time than the models have room for', async () => {
  const { asked, clock, model, node } = opened()
  const one = node()
  for (const number of [1, 2, 3, 4]) {
    await one.accept(start(number))
    await clock.advance(1)
  }
  model.isBack = true
  const inOrder: (readonly string[])[] = []
  for (const room of [1, 0, 2, 5]) {
    model.room = room
    await clock.advance(spacingMs)
    const before = asked.length
    await one.round()
    inOrder.push(asked.slice(before).map(({ deferredFrom }) => deferredFrom.turnId))
  }
  assert.deepEqual(inOrder, [['turn_4'], [], ['turn_3', 'turn_2'], ['turn_1']])
})

test('while new questions take all the room, every older one gets its notice when its time is over', async () => {
  const { asked, clock, model, node, store } = opened()
  const one = node()
  const old = Array.from({ length: 3 * perRound + 1 }, (_, index) => index)
  for (const number of old) await one.accept(start(number))
  await clock.advance(waitMs)
  for (const number of [100, 101]) await one.accept(start(number))
  model.isBack = true
  model.room = 1
  assert.equal(await one.round(), old.length + 1)
  const over = asked.filter(({ deferredFrom }) => deferredFrom.isOver)
  assert.deepEqual([over.length, asked.at(-1)?.deferredFrom.turnId], [old.length, 'turn_101'])
  assert.equal(await store.count(), 1)
})

test('while no notice can be given a round tries a few, and gives all of them later', async () => {
  const { asked, clock, node, refuse, store, telemetry } = opened()
  const one = node()
  for (let number = 0; number < 3 * perRound; number += 1) await one.accept(start(number))
  await clock.advance(waitMs)
  refuse('MAINTENANCE')
  assert.deepEqual([await one.round(), await store.count()], [0, 3 * perRound])
  assert.equal(telemetry.logged.filter(({ event }) => event === 'deferred.ask-failed').length, perRound)
  refuse()
  await clock.advance(leaseMs)
  assert.deepEqual([await one.round(), asked.length], [3 * perRound, 3 * perRound])
})

test('without room or without the store nothing is promised', async () => {
  const { node, telemetry } = opened()
  const one = node()
  const own = (number: number) => sampleStart({ turnId: `turn_${number}` })
  for (let number = 0; number < defaults.deferred.perPrincipalMax; number += 1)
    assert.equal(await one.accept(own(number)), true)
  assert.equal(await one.accept(own(9)), false)
  assert.equal(await opened({ accept: fails }).node().accept(start(1)), false)
  assert.deepEqual(telemetry.counted.at(-1)?.fields, { outcome: 'no-room' })
})

test('a question that could not be removed after it was asked is asked again under the same key', async () => {
  const { asked, clock, model, node } = opened({ done: fails })
  model.isBack = true
  const one = node()
  await one.accept(start(1))
  await one.round()
  await clock.advance(leaseMs)
  await one.round()
  assert.deepEqual(
    asked.map(({ idempotencyKey }) => idempotencyKey),
    ['deferred:turn_1', 'deferred:turn_1'],
  )
})

test('a question without budget is closed with a notice, and one whose notice fails is dropped in the end', async () => {
  const { asked, clock, model, node, refuse, store } = opened()
  model.isBack = true
  const one = node()
  await one.accept(start(1))
  refuse('QUOTA_EXCEEDED')
  assert.deepEqual([await one.round(), await store.count()], [0, 1])
  await clock.advance(waitMs)
  refuse()
  assert.deepEqual([await one.round(), asked[0]?.deferredFrom.isOver], [1, true])
  await one.accept(start(2))
  refuse('INTERNAL_ERROR')
  await clock.advance(waitMs + 86_400_000)
  assert.deepEqual([await one.round(), await store.count()], [0, 0])
})

test('the question of a guest who signed in meanwhile is asked as the user who adopted the conversation', async () => {
  const { asked, model, node, sessions } = opened()
  const one = node()
  await sessions.create(sampleSession())
  await one.accept(sampleStart())
  await sessions.adopt('guest_1', 'user_1')
  model.isBack = true
  await one.round()
  assert.deepEqual(asked[0]?.principal, { id: 'user_1', kind: 'user', tier: 'free' })
})

test('a question that already has its answer in the conversation is not asked again', async () => {
  const { clock, node, sessions, store, asked, model } = opened()
  const one = node()
  await sessions.create(sampleSession())
  await sessions.create(sampleSession({ id: 'sess_2' }))
  const promised = sampleStoredTurn({ turnId: 'turn_1', finishReason: 'deferred', tier: 'message' })
  // Another owner of the same turn reached a model after all.
  await one.accept(sampleStart())
  await sessions.append('sess_1', 0, { ...promised, finishReason: 'stop', tier: 'primary' })
  // The shopper asked again, or the node that had asked died before it could record it.
  await one.accept(sampleStart({ turnId: 'turn_2', sessionId: 'sess_2' }))
  await sessions.append('sess_2', 0, { ...promised, turnId: 'turn_2', at: clock.now() })
  await sessions.append('sess_2', 1, { ...promised, turnId: 'turn_3', at: clock.now() + 1 })
  await sessions.append('sess_2', 2, sampleStoredTurn({ turnId: 'turn_4', at: clock.now() + 2 }))
  model.isBack = true
  assert.deepEqual([await one.round(), asked.length, await store.count()], [0, 0, 0])
})

test('a guest’s deferred question counts for its address and /48 too, but its closing notice does not', async () => {
  const { asked, clock, model, node } = opened()
  const one = node()
  const { hold } = sampleStart()
  const from = { networkHold: { ...hold, principalId: 'net_1' }, wideNetwork: 'net_wide' }
  const accept = () => one.accept(sampleStart(from))
  model.isBack = true
  await accept()
  await one.round()
  await accept()
  await clock.advance(waitMs)
  await one.round()
  assert.deepEqual(
    asked.map(({ network }) => network),
    ['net_1.net_wide', undefined],
  )
})

test('the turn that answers a question has a trace of its own, with a link to the turn that promised it', async () => {
  const { asked, clock, model, node, refuse, telemetry } = opened()
  const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true }
  const one = node()
  await one.accept({ ...start(1), trace })
  model.isBack = true
  await clock.advance(60_000)
  refuse('SESSION_BUSY')
  await one.round()
  refuse()
  await clock.advance(leaseMs + spacingMs)
  await one.round()
  assert.deepEqual(
    telemetry.ended.map(({ attributes, links, name, outcome }) => [name, outcome, attributes['code'], links]),
    [
      ['deferred question', 'refused', 'SESSION_BUSY', [trace]],
      ['deferred question', 'completed', undefined, [trace]],
    ],
  )
  assert.notEqual(asked[0]?.scope.trace?.traceId, trace.traceId)
})
