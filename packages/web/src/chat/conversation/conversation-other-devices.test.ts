// The conversation follows what other devices ask, and obeys a busy server that asks for a pause.
import assert from 'node:assert/strict'
import test from 'node:test'
import { originOf } from './exchange.ts'
import type { StoredSession, LoadSession } from './sessions.ts'
import { accepted, answering, done, setUp } from './testing/scripted-conversation.ts'

const turn = (turnId: string) =>
  ({
    turnId,
    question: `${turnId}?`,
    answer: `${turnId}!`,
    finishReason: 'stop',
    tier: 'primary',
    products: [],
  }) as const
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function setUpWith(session: { stored: StoredSession | 'gone' | Error }) {
  const load: LoadSession = () =>
    session.stored instanceof Error ? Promise.reject(session.stored) : Promise.resolve(session.stored)
  return setUp({ remembered: { sessionId: 's1' }, load })
}

test('a conversation is watched while its panel is visible, and so is the next session', async () => {
  const session = { stored: 'gone' as const }
  const { conversation, scripts, watched, settled } = setUpWith(session)
  assert.deepEqual(watched, [])
  conversation.setVisible(true)
  conversation.setVisible(true)
  assert.deepEqual(watched, ['s1'])
  conversation.setVisible(false)
  conversation.setVisible(true)
  assert.deepEqual(watched, ['s1', 's1'])
  conversation.startNew()
  scripts.push(answering({ ...accepted, sessionId: 's2' } as typeof accepted, done('a')))
  conversation.ask('a')
  await settled()
  assert.deepEqual(watched, ['s1', 's1', 's2'])
})

test('a turn of another device appears with its question, streams in, and can be stopped here', async () => {
  const session: { stored: StoredSession } = { stored: { turns: [turn('t1')], running: undefined } }
  const { conversation, scripts, resumed, stopped, elsewhere, settled, last } = setUpWith(session)
  await conversation.restore()
  conversation.setVisible(true)
  await soon()
  session.stored = { turns: [turn('t1')], running: { turnId: 't2', question: 'from the phone' } }
  const goOn = Promise.withResolvers<void>()
  scripts.push(async function* () {
    yield { type: 'text', text: 'ha', offset: 0 }
    await goOn.promise
    yield done('half', 'stopped')
  })
  elsewhere('t2')
  await soon()
  assert.deepEqual([last().question, last().text, resumed], ['from the phone', 'ha', ['t2']])
  assert.equal(conversation.ask('not now'), false)
  conversation.stop()
  goOn.resolve()
  await settled()
  assert.deepEqual([stopped, last().end], [['t2'], { word: 'endStopped', remedy: 'ask', goesOn: true }])
  assert.equal(conversation.state.exchanges.length, 2)
})

test('an answer says what kind it is, also after the conversation is loaded again', async () => {
  const tiers = ['primary', 'faq', 'message', 'cached'] as const
  const turns = tiers.map((tier) => ({ ...turn(tier), tier }))
  const { conversation } = setUpWith({ stored: { turns, running: undefined } })
  await conversation.restore()
  assert.deepEqual(
    conversation.state.exchanges.map(({ origin }) => origin),
    [['tierPrimary'], ['tierFaq'], ['tierMessage'], ['tierCached']],
  )
  assert.deepEqual(originOf({ tier: 'embedded', degraded: true }), ['tierEmbeddedInstead'])
})

test('an answer for another device is shown without its question when the question cannot be loaded', async () => {
  const session: { stored: StoredSession | Error } = { stored: { turns: [], running: undefined } }
  const { conversation, scripts, elsewhere, settled, last } = setUpWith(session)
  conversation.setVisible(true)
  await soon()
  session.stored = new Error('no network')
  scripts.push(answering(done('answer')))
  elsewhere('t5')
  await soon()
  await settled()
  assert.deepEqual([last().question, last().text], [undefined, 'answer'])
})

test('a turn that another device starts during an answer here is shown after that answer', async () => {
  const session: { stored: StoredSession } = { stored: { turns: [], running: undefined } }
  const { conversation, scripts, elsewhere, settled } = setUpWith(session)
  conversation.setVisible(true)
  await soon()
  const goOn = Promise.withResolvers<void>()
  scripts.push(
    async function* () {
      yield accepted
      await goOn.promise
      yield done('mine')
    },
    answering(done('theirs')),
  )
  conversation.ask('a')
  await soon()
  elsewhere('t7')
  await soon()
  assert.equal(conversation.state.exchanges.length, 1)
  session.stored = { turns: [turn('t1')], running: { turnId: 't7', question: 'b' } }
  goOn.resolve()
  await settled()
  await soon()
  await settled()
  assert.deepEqual(
    conversation.state.exchanges.map(({ question, text }) => [question, text]),
    [
      ['a', 'mine'],
      ['b', 'theirs'],
    ],
  )
})

test('turns of other devices during a lost connection are shown after the reconnection', async () => {
  const session: { stored: StoredSession } = { stored: { turns: [turn('t1')], running: undefined } }
  const { conversation, events } = setUpWith(session)
  await conversation.restore()
  conversation.setVisible(true)
  await soon()
  events().onState?.('lost')
  session.stored = { turns: [turn('t1'), turn('t2')], running: undefined }
  events().onState?.('open')
  await soon()
  assert.deepEqual(
    conversation.state.exchanges.map(({ text }) => text),
    ['t1!', 't2!'],
  )
})

test('the notice about another device is for this conversation only, and ends with the next question', async () => {
  const { conversation, scripts, events, settled } = setUpWith({ stored: 'gone' })
  events().onNotice?.({ type: 'transferred', sessionId: 's9' })
  assert.equal(conversation.state.notice, undefined)
  events().onNotice?.({ type: 'transferred', sessionId: 's1' })
  assert.deepEqual(conversation.state.notice, { word: 'transferred' })
  scripts.push(answering(accepted, done('a')))
  assert.equal(conversation.ask('a'), true)
  assert.equal(conversation.state.notice, undefined)
  await settled()
})

test('a server that asks for patience is a notice, and questions can be asked: the client holds them back', () => {
  const { conversation, events, asked } = setUpWith({ stored: 'gone' })
  const press = (action: 'pause' | 'slow' | 'none', message = ''): void =>
    events().onNotice?.({ type: 'backpressure', action, retryAfterMs: 1000, message })
  press('pause')
  assert.deepEqual(conversation.state.busy, { notice: { word: 'busy' } })
  press('slow', '少し間をあけてください。')
  assert.deepEqual(conversation.state.busy, { notice: { text: '少し間をあけてください。' } })
  press('none')
  assert.equal(conversation.state.busy, undefined)
  press('pause')
  assert.equal(conversation.ask('a'), true)
  assert.equal(asked.length, 1)
})

test('a question that the client holds back is shown as held until it is accepted', async () => {
  const { conversation, scripts, last } = setUpWith({ stored: 'gone' })
  const goOn = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  scripts.push(async function* () {
    yield { type: 'held', forMs: 1000 }
    await goOn.promise
    yield accepted
    await end.promise
    yield done('a')
  })
  conversation.ask('a')
  await soon()
  assert.deepEqual(last().phase, { type: 'waiting', held: true })
  goOn.resolve()
  await soon()
  assert.deepEqual(last().phase, { type: 'waiting' })
  end.resolve()
})
