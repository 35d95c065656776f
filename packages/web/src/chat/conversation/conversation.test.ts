// The conversation with a client whose answers each test scripts: every exchange ends or offers a way to continue.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { ChatError } from '@mangaassist/client'
import type { ChatPart } from '@mangaassist/client'
import type { MetaFrame } from '@mangaassist/protocol'
import type { LoadSession } from './sessions.ts'
import { accepted, answering, done, failing, lost, setUp } from './testing/scripted-conversation.ts'

test('an answer grows and ends, and the next question is asked in its session', async () => {
  const { conversation, scripts, asked, settled, last, remembered } = setUp()
  scripts.push(answering(accepted, { type: 'text', text: 'こん', offset: 0 }, done('こんにちは')), answering(done('b')))
  assert.equal(conversation.ask('a'), true)
  await settled()
  assert.deepEqual([last().text, last().end], ['こんにちは', {}])
  assert.equal(remembered().sessionId, 's1')
  conversation.ask('b')
  await settled()
  assert.equal(asked[1]?.sessionId, 's1')
})

test('a second question is not sent while an answer is in flight', () => {
  const { conversation, scripts } = setUp()
  scripts.push(answering(accepted))
  conversation.ask('a')
  assert.equal(conversation.ask('b'), false)
  assert.equal(conversation.state.exchanges.length, 1)
})

test('a question lost before it was accepted is resent in the same exchange with the same key', async () => {
  const { conversation, scripts, asked, settled, last } = setUp()
  scripts.push(failing(lost), answering(accepted, done('answer')))
  conversation.ask('a')
  await settled()
  assert.deepEqual(last().end, { word: 'unreachable', remedy: 'resend' })
  conversation.retry(last().id)
  await settled()
  assert.deepEqual([conversation.state.exchanges.length, last().text], [1, 'answer'])
  assert.equal(asked[0]?.idempotencyKey, asked[1]?.idempotencyKey)
  assert.deepEqual(
    asked.map(({ attempt }) => attempt),
    [1, undefined],
    'only the first sending says that it is the first',
  )
})

test('a retry of a lost answer reads the turn again and does not ask again', async () => {
  const { conversation, scripts, asked, resumed, settled, last } = setUp()
  scripts.push(failing(lost, accepted, { type: 'text', text: 'ha', offset: 0 }), answering(done('half')))
  conversation.ask('a')
  await settled()
  conversation.retry(last().id)
  await settled()
  assert.deepEqual([resumed, asked.length, last().text], [['t1'], 1, 'half'])
})

test('a page that is not allowed shows that, without a retry', async () => {
  const { conversation, scripts, settled, last } = setUp()
  scripts.push(failing(new ChatError({ code: 'FORBIDDEN', message: 'x', details: { reason: 'origin-not-allowed' } })))
  conversation.ask('a')
  await settled()
  assert.deepEqual(last().end, { word: 'notAllowed' })
})

test('an expired session is forgotten, so that a retry starts a new one', async () => {
  const { conversation, scripts, settled, remembered } = setUp({ remembered: { sessionId: 's0' } })
  scripts.push(failing(new ChatError({ code: 'SESSION_EXPIRED', message: 'gone' })))
  conversation.ask('a')
  await settled()
  assert.equal(remembered().sessionId, undefined)
})

test('when the conversation’s budget is used up, the question can be asked in a new one', async () => {
  const { conversation, scripts, asked, settled, last, remembered } = setUp({ remembered: { sessionId: 's0' } })
  const details = { scope: 'session-input', retryable: false }
  scripts.push(failing(new ChatError({ code: 'QUOTA_EXCEEDED', message: 'この会話は', details })))
  scripts.push(answering(accepted, done('answer')))
  conversation.ask('a')
  await settled()
  assert.deepEqual([last().end, remembered().sessionId], [{ text: 'この会話は', remedy: 'ask-elsewhere' }, undefined])
  conversation.retry(last().id)
  await settled()
  assert.deepEqual([last().text, asked.map(({ sessionId }) => sessionId)], ['answer', ['s0', undefined]])
  assert.notEqual(asked[0]?.idempotencyKey, asked[1]?.idempotencyKey)
})

test('a new conversation stops the old answer, whose late parts change nothing in it', async () => {
  const { conversation, scripts, settled, remembered } = setUp()
  const aborted = Promise.withResolvers<void>()
  scripts.push(async function* ({ signal }) {
    signal?.addEventListener('abort', () => aborted.resolve())
    await aborted.promise
    yield accepted
    yield done('late', 'stopped')
  })
  conversation.ask('a')
  conversation.startNew()
  await aborted.promise
  await settled()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([conversation.state.exchanges, remembered().sessionId], [[], undefined])
})

test('a reload restores the conversation and continues to read the running turn', async () => {
  const turn = {
    turnId: 't0',
    question: 'a',
    answer: 'A',
    finishReason: 'length',
    tier: 'primary',
    products: [],
  } as const
  const load: LoadSession = async () => ({ turns: [turn], running: { turnId: 't1', question: 'b' } })
  const { conversation, scripts, resumed, stopped, settled, last } = setUp({ remembered: { sessionId: 's1' }, load })
  scripts.push(answering({ type: 'text', text: 'B', offset: 0 }, done('B')))
  await conversation.restore()
  conversation.stop()
  await settled()
  assert.deepEqual([resumed, stopped, last().question, last().text], [['t1'], ['t1'], 'b', 'B'])
  assert.deepEqual(conversation.state.exchanges[0]?.phase, { type: 'ended', end: { word: 'endLength', goesOn: true } })
})

test('a notice says when a conversation has expired or cannot be loaded', async () => {
  const gone = setUp({ remembered: { sessionId: 's1' } })
  await gone.conversation.restore()
  assert.deepEqual([gone.conversation.state.notice, gone.remembered().sessionId], [{ word: 'sessionGone' }, undefined])
  const broken = setUp({ remembered: { sessionId: 's1' }, load: () => Promise.reject(new Error('x')) })
  await broken.conversation.restore()
  assert.deepEqual([broken.conversation.state.notice, broken.remembered().sessionId], [{ word: 'cannotLoad' }, 's1'])
})

test('a new conversation during a restore does not show the restored turns', async () => {
  for (const outcome of ['session', 'gone', 'error'] as const) {
    const loaded = Promise.withResolvers<Awaited<ReturnType<LoadSession>>>()
    const { conversation } = setUp({ remembered: { sessionId: 's1' }, load: () => loaded.promise })
    const restored = conversation.restore()
    assert.equal(conversation.state.restoring, true)
    conversation.startNew()
    assert.equal(conversation.state.restoring, false)
    if (outcome === 'error') loaded.reject(new Error('no network'))
    else loaded.resolve(outcome === 'gone' ? 'gone' : { turns: [], running: { turnId: 't1', question: 'a' } })
    await restored
    const { exchanges, answering, notice } = conversation.state
    assert.deepEqual([exchanges, answering, notice], [[], false, undefined], outcome)
  }
})

test('a question asked during a restore is not interrupted by it', async () => {
  const loaded = Promise.withResolvers<Awaited<ReturnType<LoadSession>>>()
  const { conversation, scripts, settled, last } = setUp({
    remembered: { sessionId: 's1' },
    load: () => loaded.promise,
  })
  scripts.push(answering(accepted, done('b')))
  const restored = conversation.restore()
  assert.equal(conversation.ask('a'), true)
  loaded.resolve('gone')
  await restored
  await settled()
  assert.deepEqual([conversation.state.exchanges.length, last().text, conversation.state.notice], [1, 'b', undefined])
})

test('a notice says that the connection is lost, and then that it is back', (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { conversation, events } = setUp()
  const notice = () => conversation.state.notice
  events().onState?.('open')
  assert.equal(notice(), undefined)
  events().onState?.('lost')
  assert.deepEqual(notice(), { word: 'connectionLost' })
  events().onState?.('open')
  assert.deepEqual(notice(), { word: 'connectionBack' })
  t.mock.timers.tick(3000)
  assert.equal(notice(), undefined)
})

test('three seconds without a part set `silent`, and the next part clears it', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { conversation, scripts, last } = setUp()
  const goOn = Promise.withResolvers<void>()
  scripts.push(async function* () {
    yield accepted
    await goOn.promise
    yield { type: 'text', text: 'a', offset: 0 }
    await new Promise(() => {})
  })
  conversation.ask('a')
  await Promise.resolve()
  t.mock.timers.tick(3000)
  assert.equal(last().silent, true)
  goOn.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(last().silent, false)
  t.mock.timers.tick(3000)
  assert.equal(last().silent, true)
})

test('a question says where it is asked, and where it was first asked when it is sent again', async () => {
  const { conversation, scripts, asked, settled, last, goTo } = setUp()
  const [first, second] = [{ productId: 'akira' }, { productId: 'berserk' }]
  goTo({ interfaceLanguage: 'ja', page: first })
  scripts.push(failing(new ChatError({ code: 'CONNECTION_LOST', message: 'gone' })))
  conversation.ask('これは完結してる？')
  await settled()
  goTo({ interfaceLanguage: 'en', page: second })
  scripts.push(answering(accepted, done('はい')), answering(accepted, done('yes')))
  conversation.retry(last().id)
  await settled()
  conversation.ask('and this one?')
  await settled()
  assert.deepEqual(
    asked.map(({ interfaceLanguage, page }) => [interfaceLanguage, page]),
    [
      ['ja', first],
      ['ja', first],
      ['en', second],
    ],
  )
})

test('suggestions and sources come with the last meta, and from the stored conversation', async () => {
  const suggestions = [{ label: '全巻', message: '全巻でいくら？' }]
  const sources = [{ kind: 'faq', id: 'returns', at: '2026-11-04T03:00:00.000Z' }] as const
  const turn = { turnId: 't0', question: 'a', answer: 'b', finishReason: 'stop', tier: 'faq', products: [] } as const
  const load = async () => ({
    turns: [
      { ...turn, suggestions, sources, contact: '窓口' },
      { ...turn, turnId: 't00' },
    ],
    running: undefined,
  })
  const { conversation, scripts, settled, last } = setUp({ remembered: { sessionId: 's1' }, load })
  await conversation.restore()
  const [stored, older] = conversation.state.exchanges
  assert.deepEqual([stored?.suggestions, stored?.sources, stored?.origin], [suggestions, sources, []])
  assert.deepEqual([older?.suggestions, older?.sources, older?.origin], [[], [], ['tierFaq']])
  assert.deepEqual([stored?.contact, older?.contact], ['窓口', undefined])
  const meta = (more: Pick<MetaFrame, 'suggestions' | 'sources'>): ChatPart => {
    const line = { used: 0, reserved: 0, limit: 1 }
    const lines = { input: line, output: line, costMicroUsd: line, requestsPerMinute: line }
    const quota = { tier: 'free', resetsAt: '', ...lines }
    const route = { tier: 'embedded', model: 'embedded', degraded: false, confidence: 1 } as const
    return { type: 'meta', meta: { type: 'meta', turnId: 't1', ...route, products: [], quota, ...more } }
  }
  scripts.push(answering(accepted, meta({}), meta({ suggestions, sources: [...sources] }), done('c')))
  conversation.ask('c')
  await settled()
  assert.deepEqual([last().suggestions, last().sources], [suggestions, sources])
})
