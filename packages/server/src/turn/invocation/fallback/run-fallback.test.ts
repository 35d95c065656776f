// The fallback when no model of the ladder has answered, by reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { introducing, suggesting } from '@mangaassist/bookseller/fixtures/dialogue'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { firstWordOf } from '#domain/turn/first-word.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { HandoverCall } from '#ports/handover/port.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleCachedAnswer } from '#fixtures/turns/answers.ts'
import { answering, END, failure, say, START } from '#fixtures/models/scripted-model.ts'
import { begin, finish, ONCE } from '#fixtures/turns/walk.ts'
import type { Asked } from '#fixtures/turns/walk.ts'

test('when every model fails the FAQ answers in the language of the question, marked as FAQ', async () => {
  const ladder = [[failure('unavailable')], [START, failure('internal')]]
  const { sources, text, end } = await finish(ladder, { message: '返品したい', language: 'ja', ...ONCE })
  assert.deepEqual(sources(), [
    {
      type: 'source',
      tier: 'faq',
      model: 'faq',
      degraded: true,
      confidence: 0.3,
      reason: 'internal',
      shownWith: { sources: [{ kind: 'faq', id: 'returns', at: isoTime(NOON) }] },
    },
  ])
  assert.equal(text(), '到着から14日以内に承ります。')
  assert.deepEqual([end().finishReason, end().attempts.length], ['stop', 2])
  const english = await finish(ladder, { message: 'Can I get a refund?', language: 'en' })
  assert.equal(english.text(), 'Within 14 days of arrival.')
})

test('a question outside the FAQ gets the message, in its language, with popular series', async () => {
  for (const [language, apology] of [
    ['ja', /申し訳.*\/series\//],
    ['en', /sorry.*\/series\//],
  ] as const) {
    const { sources, text } = await finish([[failure('internal')]], { message: 'Berserk ベルセルク', language })
    assert.equal(sources()[0]?.tier, 'message')
    assert.match(text(), apology)
  }
})

test('a stale cached answer is given when no model answers, and is refreshed afterwards', async () => {
  const lookup = { kind: 'stale', key: 'k', answer: sampleCachedAnswer({ text: 'before' }) } as const
  const { sources, text, recorded, end } = await finish([[failure('unavailable')]], { lookup, ...ONCE })
  assert.deepEqual(sources(), [
    {
      type: 'source',
      tier: 'cached',
      model: 'model-1',
      cached: true,
      degraded: true,
      confidence: 0.5,
      reason: 'unavailable',
    },
  ])
  assert.deepEqual([text(), recorded.due, end().finishReason], ['before', ['k'], 'stop'])
  const answered = await finish([answering('a')], { lookup })
  assert.deepEqual([answered.text(), answered.recorded.due], ['a', []])
})

test('when all models are throttled the question is deferred and the shopper notified; without room the message apologises', async () => {
  const kept: string[] = []
  const defer = async ({ turnId }: TurnStart) => kept.push(turnId) > 0
  const deferred = await finish([[failure('throttled')]], { over: { defer }, message: 'ベルセルク' })
  assert.deepEqual(
    [deferred.end().finishReason, deferred.sources()[0]?.reason, kept],
    ['deferred', 'deferred', ['turn_1']],
  )
  const refused = await finish([[failure('throttled')]], { over: { defer: async () => false }, message: 'ベルセルク' })
  assert.deepEqual([refused.end().finishReason, refused.sources()[0]?.tier], ['stop', 'message'])
})

test('a deferred question is not deferred again, and an expired one asks no model', async () => {
  const over = { defer: async () => assert.fail('kept a second time') }
  const from = (isOver: boolean) => ({ deferredFrom: { turnId: 'turn_0', isOver }, over, message: 'ベルセルク' })
  const again = await finish([[failure('throttled')]], from(false))
  assert.equal(again.end().finishReason, 'stop')
  const late = await finish([answering('never')], from(true))
  assert.deepEqual([late.calls(), late.sources()[0]?.reason, late.end().finishReason], [[0], 'gave-up', 'stop'])
})

test('a person is called when nothing can help, and the message says so', async () => {
  const called: string[] = []
  const call = async ({ reason, sessionId }: HandoverCall) => (
    called.push(`${sessionId} ${reason}`),
    'delivered' as const
  )
  const asked = { over: { handover: { isFree: () => true, call } }, message: 'ベルセルク' }
  const { text } = await finish([[failure('internal')]], asked)
  assert.deepEqual(called, ['sess_1 internal'])
  assert.match(text(), /担当者/)
  await finish([[failure('blocked')]], asked)
  await finish([answering('a')], asked)
  assert.equal(called.length, 1)
})

test('with no model that can be paid for, the fallback names the budget', async () => {
  const { sources, end } = await finish([])
  assert.equal(sources()[0]?.reason, 'budget')
  assert.deepEqual(end().attempts, [])
})

test('blocked content is not tried on another model: the message names what the assistant can help with', async () => {
  const [byEnd, byError] = [[START, { type: 'message-end', stopReason: 'blocked' } as const], [failure('blocked')]]
  const lookup = { kind: 'stale', key: 'k', answer: sampleCachedAnswer() } as const
  for (const script of [byEnd, byError]) {
    const { calls, sources, text, end } = await finish([script, answering('never')], { lookup })
    assert.deepEqual(calls(), [1, 0])
    assert.deepEqual([sources()[0]?.tier, sources()[0]?.reason, end().finishReason], ['message', 'blocked', 'blocked'])
    assert.match(text(), /お手伝い|お答え/)
  }
  const { end } = await finish([[START, say('a'), failure('blocked')]])
  assert.equal(end().finishReason, 'blocked')
})

const NAMED = introducing()
const WISH = suggesting()
const STAND_IN = { over: { response: 'On the shelf, 550 yen.' } }

test('the built-in responder answers in a model’s place where it can, and is named as the source', async () => {
  for (const grounding of [NAMED, WISH]) {
    const { sources, text, end } = await finish([[failure('internal')]], { grounding, ...STAND_IN })
    assert.deepEqual(sources(), [
      { type: 'source', tier: 'embedded', model: 'built-in', degraded: true, confidence: 0.5, reason: 'internal' },
    ])
    assert.deepEqual([text(), end().finishReason], ['On the shelf, 550 yen.', 'stop'])
  }
  const unknown = await finish([[failure('internal')]], { grounding: UNGROUNDED, ...STAND_IN })
  assert.equal(unknown.sources()[0]?.tier, 'message')
  const stale = { kind: 'stale', key: 'k', answer: sampleCachedAnswer({ text: 'before' }) } as const
  const cached = await finish([[failure('internal')]], { grounding: NAMED, lookup: stale, ...STAND_IN })
  assert.equal(cached.text(), 'before')
})

test('where no model grants a call, or a pause would be too long, the responder answers at once', async () => {
  for (const grounding of [NAMED, WISH]) {
    const throttled = begin([[failure('throttled', 20_000)]], { grounding, ...STAND_IN })
    await throttled.clock.advance(0)
    await throttled.ended
    assert.deepEqual([throttled.calls(), throttled.sources()[0]?.tier], [[1], 'embedded'])
  }
  const before: Asked['before'] = ({ lanes }) => lanes.operate('model-1', 'force-open', 'test')
  const shut = begin([answering('never')], { grounding: NAMED, before, ...STAND_IN })
  await shut.clock.advance(0)
  await shut.ended
  assert.deepEqual([shut.calls(), shut.sources()[0]?.tier, shut.clock.timers()], [[0], 'embedded', 0])
})

test('a silent or a full model is waited for until the promise ends; then the responder answers', async () => {
  const { modelsBy } = firstWordOf(0, testConfig.answers.firstWordMs)
  const quiet = begin([['hang']], { grounding: NAMED, ...STAND_IN })
  await quiet.clock.advance(modelsBy - 1)
  assert.equal(quiet.sources().length, 0)
  await quiet.clock.advance(1)
  await quiet.ended
  assert.deepEqual([quiet.sources()[0]?.tier, quiet.recorded.reports], ['embedded', ['silent']])
  const held: Asked['before'] = ({ lanes }) => lanes.permit('model-1', { id: 'other', ask: { kind: 'first' } })
  const over = { ...STAND_IN.over, connections: { 'model-1': 1 } }
  const queued = begin([answering('a')], { grounding: NAMED, over, before: held })
  await queued.clock.advance(modelsBy)
  await queued.ended
  assert.deepEqual([queued.calls(), queued.sources()[0]?.tier], [[0], 'embedded'])
})

test('a model that is slow by nature stretches the promise to its own usual time, ten seconds at most', async () => {
  const usually =
    (ms: number): NonNullable<Asked['before']> =>
    async ({ typical }) => {
      for (let call = 0; call < 20; call += 1) typical.see('model-1', ms)
    }
  const slow = begin([[START, { waitMs: 4500 }, say('a'), END]], {
    grounding: NAMED,
    before: usually(5000),
    ...STAND_IN,
  })
  await slow.clock.advance(4500)
  await slow.ended
  assert.equal(slow.text(), 'a')
  const slower = begin([['hang']], { grounding: NAMED, before: usually(30_000), ...STAND_IN })
  await slower.clock.advance(9499)
  assert.equal(slower.sources().length, 0)
  await slower.clock.advance(1)
  await slower.ended
  assert.equal(slower.sources()[0]?.tier, 'embedded')
})
