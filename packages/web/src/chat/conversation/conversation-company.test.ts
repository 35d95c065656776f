// The conversation beside other devices and before a busy server: it keeps up with the one and obeys the other.
import assert from 'node:assert/strict'
import test from 'node:test'
import { originOf } from './exchange.ts'
import type { KeptSession, LoadSession } from './sessions.ts'
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

function setUpWith(session: { kept: KeptSession | 'gone' | Error }) {
  const load: LoadSession = () =>
    session.kept instanceof Error ? Promise.reject(session.kept) : Promise.resolve(session.kept)
  return setUp({ kept: { sessionId: 's1' }, load })
}

test('a conversation is watched while somebody looks at it, and again in its next session', async () => {
  const session = { kept: 'gone' as const }
  const { conversation, scripts, watched, settled } = setUpWith(session)
  assert.deepEqual(watched, [])
  conversation.attend(true)
  conversation.attend(true)
  assert.deepEqual(watched, ['s1'])
  conversation.attend(false)
  conversation.attend(true)
  assert.deepEqual(watched, ['s1', 's1'])
  conversation.startAnew()
  scripts.push(answering({ ...accepted, sessionId: 's2' } as typeof accepted, done('a')))
  conversation.ask('a')
  await settled()
  assert.deepEqual(watched, ['s1', 's1', 's2'])
})

test('what another device asks appears with its question and streams in, and can be stopped here', async () => {
  const session: { kept: KeptSession } = { kept: { turns: [turn('t1')], running: undefined } }
  const { conversation, scripts, resumed, stopped, elsewhere, settled, last } = setUpWith(session)
  await conversation.restore()
  conversation.attend(true)
  await soon()
  session.kept = { turns: [turn('t1')], running: { turnId: 't2', question: 'from the phone' } }
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
  assert.deepEqual([stopped, last().end], [['t2'], { word: 'endStopped' }])
  assert.equal(conversation.state.exchanges.length, 2)
})

test('an answer that is not the assistant’s own says so, also when the conversation is loaded again', async () => {
  const tiers = ['primary', 'faq', 'message', 'cached'] as const
  const turns = tiers.map((tier) => ({ ...turn(tier), tier }))
  const { conversation } = setUpWith({ kept: { turns, running: undefined } })
  await conversation.restore()
  assert.deepEqual(
    conversation.state.exchanges.map(({ origin }) => origin),
    [[], ['tierFaq'], ['tierMessage'], ['tierCached']],
  )
  assert.deepEqual(originOf({ tier: 'embedded', degraded: true }), ['tierReduced'])
})

test('an answer of another device is shown without its question when that cannot be had', async () => {
  const session: { kept: KeptSession | Error } = { kept: { turns: [], running: undefined } }
  const { conversation, scripts, elsewhere, settled, last } = setUpWith(session)
  conversation.attend(true)
  await soon()
  session.kept = new Error('no network')
  scripts.push(answering(done('answer')))
  elsewhere('t5')
  await soon()
  await settled()
  assert.deepEqual([last().question, last().text], [undefined, 'answer'])
})

test('what is asked elsewhere during an answer here is shown after it', async () => {
  const session: { kept: KeptSession } = { kept: { turns: [], running: undefined } }
  const { conversation, scripts, elsewhere, settled } = setUpWith(session)
  conversation.attend(true)
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
  session.kept = { turns: [turn('t1')], running: { turnId: 't7', question: 'b' } }
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

test('what was asked and answered elsewhere while the connection was lost is there when it is back', async () => {
  const session: { kept: KeptSession } = { kept: { turns: [turn('t1')], running: undefined } }
  const { conversation, events } = setUpWith(session)
  await conversation.restore()
  conversation.attend(true)
  await soon()
  events().onState?.('lost')
  session.kept = { turns: [turn('t1'), turn('t2')], running: undefined }
  events().onState?.('open')
  await soon()
  assert.deepEqual(
    conversation.state.exchanges.map(({ text }) => text),
    ['t1!', 't2!'],
  )
})

test('that another device writes is told for this conversation only, until something is asked here', async () => {
  const { conversation, scripts, events, settled } = setUpWith({ kept: 'gone' })
  events().onNotice?.({ type: 'transferred', sessionId: 's9' })
  assert.equal(conversation.state.notice, undefined)
  events().onNotice?.({ type: 'transferred', sessionId: 's1' })
  assert.deepEqual(conversation.state.notice, { word: 'transferred' })
  scripts.push(answering(accepted, done('a')))
  assert.equal(conversation.ask('a'), true)
  assert.equal(conversation.state.notice, undefined)
  await settled()
})

test('during a pause nothing is sent and the words stay; a slow server is only told of', () => {
  const { conversation, events, asked } = setUpWith({ kept: 'gone' })
  const press = (action: 'pause' | 'slow' | 'none', message = ''): void =>
    events().onNotice?.({ type: 'backpressure', action, retryAfterMs: 1000, message })
  press('pause')
  assert.deepEqual(conversation.state.busy, { paused: true, notice: { word: 'busy' } })
  assert.equal(conversation.ask('a'), false)
  press('slow', '少し間をあけてください。')
  assert.deepEqual(conversation.state.busy, { paused: false, notice: { text: '少し間をあけてください。' } })
  press('none')
  assert.deepEqual([conversation.state.busy, asked], [undefined, []])
})

test('a question that the client holds back says so until it is accepted', async () => {
  const { conversation, scripts, last } = setUpWith({ kept: 'gone' })
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
