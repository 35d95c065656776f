// Questions that are refused: the draft goes back into the field, with a countdown where waiting helps. And what is said
// while the connection is lost, or another tab writes.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ChatError } from '@mangaassist/client'
import { speak, chatWords } from '../../i18n.ts'
import { waitingWords } from './exchange.ts'
import { createLimitKeeper } from './limit.ts'
import type { TabChannel } from './tabs.ts'
import { accepted, answering, done, failing, setUp } from './testing/scripted-conversation.ts'

const limited = new ChatError({ code: 'RATE_LIMITED', message: 'ゆっくり', retryAfterMs: 5000 })

test('a refused question is a draft again, no exchange, and cannot be sent before its time', async (context) => {
  const { conversation, scripts, settled, givenBack } = setUp()
  context.after(() => conversation.close())
  scripts.push(failing(limited))
  conversation.ask('a')
  await settled()
  const { exchanges, limit, free } = conversation.state
  assert.deepEqual([exchanges, givenBack, free], [[], ['a'], false])
  assert.deepEqual([limit?.text, limit?.secondsLeft], ['ゆっくり', 5])
  assert.equal(conversation.ask('a'), false)
})

test('while something else stands in the field, a refused question stays with its own retry', async (context) => {
  const { conversation, scripts, settled, last } = setUp({ fieldIsFree: false })
  context.after(() => conversation.close())
  scripts.push(failing(limited))
  conversation.ask('a')
  await settled()
  assert.deepEqual(last().end, { text: 'ゆっくり', remedy: 'ask', retryAfterMs: 5000 })
  assert.equal(conversation.state.limit, undefined)
})

test('a countdown ends at zero, a long wait does not hold the button, and a clock that is set back adds nothing', () => {
  let nowMs = 1_000_000
  const limits = createLimitKeeper(
    () => {},
    () => nowMs,
  )
  limits.set({ text: 'x', retryAfterMs: 5000 })
  nowMs -= 60_000
  assert.deepEqual([limits.limit?.secondsLeft, limits.isHeld], [5, true])
  nowMs += 62_500
  assert.deepEqual([limits.limit?.secondsLeft, limits.isHeld], [3, true])
  nowMs += 2500
  assert.deepEqual([limits.limit?.secondsLeft, limits.isHeld], [0, false])
  limits.set({ text: 'x', retryAfterMs: 3_600_000 })
  nowMs += 61_000
  assert.deepEqual([limits.limit?.secondsLeft, limits.isHeld], [3539, false])
  limits.set({ text: 'x' })
  assert.deepEqual([limits.limit?.secondsLeft, limits.isHeld], [undefined, false])
  limits.clear()
  assert.equal(limits.limit, undefined)
})

test('a question that is too long is explained in characters, and never in tokens', async () => {
  const { conversation, scripts, settled, givenBack } = setUp()
  const refuse = (details: object) =>
    failing(new ChatError({ code: 'INVALID_REQUEST', message: 'x', details: { reason: 'too-long', ...details } }))
  scripts.push(
    refuse({ limit: 5000, unit: 'characters' }),
    refuse({ limit: 3200, unit: 'tokens' }),
    refuse({ limit: 3200, unit: 'tokens', charactersMax: 2800 }),
  )
  const said = []
  for (const question of ['a', 'b', 'c']) {
    assert.ok(conversation.ask(question))
    await settled()
    const { limit, charactersMax } = conversation.state
    said.push([limit?.word, limit?.n, charactersMax])
  }
  assert.deepEqual(said, [
    ['tooLong', 5000, 5000],
    ['tooLongSomehow', undefined, 5000],
    ['tooLong', 2800, 2800],
  ])
  assert.deepEqual(givenBack, ['a', 'b', 'c'])
})

test('when the day’s budget is used up, the conversation stays', async () => {
  const { conversation, scripts, settled, remembered } = setUp({ remembered: { sessionId: 's0' } })
  const details = { scope: 'day-input', retryable: false }
  scripts.push(failing(new ChatError({ code: 'QUOTA_EXCEEDED', message: '本日', details })))
  conversation.ask('a')
  await settled()
  assert.deepEqual([conversation.state.limit?.text, remembered().sessionId], ['本日', 's0'])
})

test('while the connection is lost, the panel does not say that the answer is being made', async () => {
  const { conversation, scripts, settled, last, events } = setUp()
  const end = Promise.withResolvers<void>()
  scripts.push(async function* () {
    yield accepted
    await end.promise
    yield done('x')
  })
  conversation.ask('a')
  await new Promise((resolve) => setImmediate(resolve))
  events().onState?.('lost')
  const say = speak(chatWords, 'en')
  assert.equal(waitingWords(last(), say), 'The answer goes on when the connection is back.')
  events().onState?.('open')
  assert.equal(waitingWords(last(), say), 'Thinking…')
  end.resolve()
  await settled()
})

test('another tab of the browser is called a tab, another device a device', async () => {
  const sent: unknown[] = []
  let hear: (event: { readonly data: unknown }) => void = () => {}
  const channel: TabChannel = {
    postMessage: (message) => sent.push(message),
    addEventListener: (_, listener) => (hear = listener),
    close: () => {},
  }
  const { conversation, scripts, settled, events } = setUp({ remembered: { sessionId: 's1' }, channel })
  const noticed = () => conversation.state.notice
  scripts.push(answering(accepted, done('x')))
  conversation.ask('a')
  await settled()
  assert.deepEqual(sent, [{ type: 'writes', sessionId: 's1' }])
  events().onNotice?.({ type: 'transferred', sessionId: 's1' })
  assert.deepEqual(noticed(), { word: 'transferred' })
  // The word of the tab may arrive after the server's.
  hear({ data: { type: 'writes', sessionId: 's1' } })
  assert.deepEqual(noticed(), { word: 'transferredTab' })
  events().onNotice?.({ type: 'transferred', sessionId: 's1' })
  assert.deepEqual(noticed(), { word: 'transferredTab' })
  for (const data of [null, 'x', { type: 'writes' }, { type: 'writes', sessionId: 1 }]) hear({ data })
  assert.deepEqual(noticed(), { word: 'transferredTab' })
})
