// The conversation against a client whose answers each test plays: every exchange ends, and has a way onward.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { ChatError } from '@mangaassist/client'
import type { ChatInput, ChatPart, Client, ClientOptions } from '@mangaassist/client'
import type { FinishReason } from '@mangaassist/protocol'
import type { Kept, Memory } from '../memory.ts'
import { createConversation } from './conversation.ts'
import type { LoadSession } from './sessions.ts'

type Script = (input: Pick<ChatInput, 'signal'>) => AsyncGenerator<ChatPart>

function setUp({ kept = {}, load = () => Promise.resolve('gone') }: { kept?: Kept; load?: LoadSession } = {}) {
  let memory: Kept = kept
  let events: Pick<ClientOptions, 'onState' | 'onNotice'> = {}
  const asked: ChatInput[] = []
  const resumed: string[] = []
  const stopped: string[] = []
  const givenBack: string[] = []
  const scripts: Script[] = []
  const next = (input: Pick<ChatInput, 'signal'>): AsyncIterable<ChatPart> => {
    const script = scripts.shift()
    if (script === undefined) throw new Error('nothing was scripted')
    return script(input)
  }
  const client: Client = {
    chat: (input) => (asked.push(input), next(input)),
    resume: (turnId) => (resumed.push(turnId), next({})),
    stop: async (turnId) => void stopped.push(turnId),
    watch: () => next({}) as never,
    close: () => {},
  }
  const store: Memory = {
    recall: () => memory,
    remember: (change) => {
      memory = { ...memory, ...change } as Kept
    },
  }
  const conversation = createConversation({
    connect: (given) => ((events = given), client),
    load,
    memory: store,
    changed: () => {},
    giveBack: (question) => givenBack.push(question),
  })
  const settled = async (): Promise<void> => {
    while (conversation.state.answering) await new Promise((resolve) => setImmediate(resolve))
  }
  const last = () => {
    const exchange = conversation.state.exchanges.at(-1)
    assert.ok(exchange)
    return { ...exchange, end: exchange.phase.type === 'ended' ? exchange.phase.end : undefined }
  }
  const seen = { asked, resumed, stopped, givenBack }
  return { conversation, scripts, ...seen, settled, last, kept: () => memory, events: () => events }
}

const accepted: ChatPart = { type: 'accepted', turnId: 't1', sessionId: 's1', duplicate: false }
const done = (text: string, finishReason: FinishReason = 'stop', verified = true): ChatPart =>
  ({ type: 'done', text, verified, done: { finishReason } }) as ChatPart
const answering = (...parts: ChatPart[]): Script =>
  async function* () {
    yield* parts
  }
const failing = (error: Error, ...parts: ChatPart[]): Script =>
  async function* () {
    yield* parts
    throw error
  }
const lost = new ChatError({ code: 'CONNECTION_LOST', message: 'lost' })

test('an answer grows, ends, and its session is kept for the next question', async () => {
  const { conversation, scripts, asked, settled, last, kept } = setUp()
  scripts.push(answering(accepted, { type: 'text', text: 'こん', offset: 0 }, done('こんにちは')), answering(done('b')))
  assert.equal(conversation.ask('a'), true)
  await settled()
  assert.deepEqual([last().text, last().end], ['こんにちは', {}])
  assert.equal(kept().sessionId, 's1')
  conversation.ask('b')
  await settled()
  assert.equal(asked[1]?.sessionId, 's1')
})

test('a second question waits while an answer is under way', () => {
  const { conversation, scripts } = setUp()
  scripts.push(answering(accepted))
  conversation.ask('a')
  assert.equal(conversation.ask('b'), false)
  assert.equal(conversation.state.exchanges.length, 1)
})

test('an interrupted answer stays, and trying again asks anew below it', async () => {
  const { conversation, scripts, asked, settled, last } = setUp()
  scripts.push(answering(accepted, done('half', 'interrupted')), answering(accepted, done('whole')))
  conversation.ask('a')
  await settled()
  assert.deepEqual(last().end, { word: 'endInterrupted', remedy: 'ask' })
  conversation.retry(last().id)
  await settled()
  assert.deepEqual(
    conversation.state.exchanges.map(({ text }) => text),
    ['half', 'whole'],
  )
  assert.notEqual(asked[0]?.idempotencyKey, asked[1]?.idempotencyKey)
})

test('a question lost before it was accepted is sent again in its place, under its key', async () => {
  const { conversation, scripts, asked, settled, last } = setUp()
  scripts.push(failing(lost), answering(accepted, done('answer')))
  conversation.ask('a')
  await settled()
  assert.deepEqual(last().end, { word: 'unreachable', remedy: 'resend' })
  conversation.retry(last().id)
  await settled()
  assert.deepEqual([conversation.state.exchanges.length, last().text], [1, 'answer'])
  assert.equal(asked[0]?.idempotencyKey, asked[1]?.idempotencyKey)
})

test('an answer lost on its way is read again, not asked again', async () => {
  const { conversation, scripts, asked, resumed, settled, last } = setUp()
  scripts.push(failing(lost, accepted, { type: 'text', text: 'ha', offset: 0 }), answering(done('half')))
  conversation.ask('a')
  await settled()
  conversation.retry(last().id)
  await settled()
  assert.deepEqual([resumed, asked.length, last().text], [['t1'], 1, 'half'])
})

test('a refusal is told in the server’s words, with its wait', async () => {
  const { conversation, scripts, settled, last } = setUp()
  scripts.push(failing(new ChatError({ code: 'RATE_LIMITED', message: 'ゆっくり', retryAfterMs: 1500 })))
  conversation.ask('a')
  await settled()
  assert.deepEqual(last().end, { text: 'ゆっくり', remedy: 'ask', retryAfterMs: 1500 })
})

test('a question that is too long is given back, with the limit and without a retry', async () => {
  const { conversation, scripts, settled, last, givenBack } = setUp()
  const refuse = (details: object) =>
    failing(new ChatError({ code: 'INVALID_REQUEST', message: 'x', details: { reason: 'too-long', ...details } }))
  scripts.push(refuse({ limit: 5000, unit: 'characters' }), refuse({ limit: 3200, unit: 'tokens' }))
  conversation.ask('a')
  await settled()
  assert.deepEqual([last().end, givenBack], [{ word: 'tooLong', n: 5000 }, ['a']])
  conversation.ask('b')
  await settled()
  assert.deepEqual([last().end, givenBack], [{ word: 'tooLongTokens', n: 3200 }, ['a', 'b']])
})

test('a page that is not allowed is told so, without a retry', async () => {
  const { conversation, scripts, settled, last } = setUp()
  scripts.push(failing(new ChatError({ code: 'FORBIDDEN', message: 'x', details: { reason: 'origin-not-allowed' } })))
  conversation.ask('a')
  await settled()
  assert.deepEqual(last().end, { word: 'notAllowed' })
})

test('a session that is gone is forgotten, so that trying again begins a new one', async () => {
  const { conversation, scripts, settled, kept } = setUp({ kept: { sessionId: 's0' } })
  scripts.push(failing(new ChatError({ code: 'SESSION_EXPIRED', message: 'gone' })))
  conversation.ask('a')
  await settled()
  assert.equal(kept().sessionId, undefined)
})

test('a new conversation stops the old answer and is not touched by it', async () => {
  const { conversation, scripts, settled, kept } = setUp()
  const aborted = Promise.withResolvers<void>()
  scripts.push(async function* ({ signal }) {
    signal?.addEventListener('abort', () => aborted.resolve())
    await aborted.promise
    yield accepted
    yield done('late', 'stopped')
  })
  conversation.ask('a')
  conversation.startAnew()
  await aborted.promise
  await settled()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([conversation.state.exchanges, kept().sessionId], [[], undefined])
})

test('a reload brings the conversation back and reads on in the running turn', async () => {
  const turn = { turnId: 't0', question: 'a', answer: 'A', finishReason: 'length', products: [] } as const
  const load: LoadSession = async () => ({ turns: [turn], running: { turnId: 't1', question: 'b' } })
  const { conversation, scripts, resumed, stopped, settled, last } = setUp({ kept: { sessionId: 's1' }, load })
  scripts.push(answering({ type: 'text', text: 'B', offset: 0 }, done('B')))
  await conversation.restore()
  conversation.stop()
  await settled()
  assert.deepEqual([resumed, stopped, last().question, last().text], [['t1'], ['t1'], 'b', 'B'])
  assert.deepEqual(conversation.state.exchanges[0]?.phase, { type: 'ended', end: { word: 'endLength' } })
})

test('a conversation that is gone, or cannot be loaded, is told calmly', async () => {
  const gone = setUp({ kept: { sessionId: 's1' } })
  await gone.conversation.restore()
  assert.deepEqual([gone.conversation.state.notice, gone.kept().sessionId], [{ word: 'sessionGone' }, undefined])
  const broken = setUp({ kept: { sessionId: 's1' }, load: () => Promise.reject(new Error('x')) })
  await broken.conversation.restore()
  assert.deepEqual([broken.conversation.state.notice, broken.kept().sessionId], [{ word: 'cannotLoad' }, 's1'])
})

test('a lost connection is told, and that it is back', (t: TestContext) => {
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

test('three seconds of silence are told, and over with the next word', async (t: TestContext) => {
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
  while (last().text === '') await Promise.resolve()
  assert.equal(last().silent, false)
  t.mock.timers.tick(3000)
  assert.equal(last().silent, true)
})
