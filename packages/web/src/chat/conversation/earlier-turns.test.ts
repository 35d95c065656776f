// Earlier turns arrive once, in their order, and only in their own conversation.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createEarlierTurns } from './earlier-turns.ts'
import type { StoredSession, StoredTurn } from './sessions.ts'

const turn = (turnId: string): StoredTurn => ({
  turnId,
  question: turnId,
  answer: turnId,
  finishReason: 'stop',
  tier: 'primary',
  products: [],
})

function setUp() {
  const asked: (string | undefined)[] = []
  const shown: string[][] = []
  let answer = Promise.withResolvers<StoredSession | 'gone'>()
  const earlier = createEarlierTurns({
    load(_, before) {
      asked.push(before)
      answer = Promise.withResolvers()
      return answer.promise
    },
    sessionId: () => 's1',
    show: (turns) => shown.push(turns.map(({ turnId }) => turnId)),
  })
  return { earlier, asked, shown, reply: () => answer }
}

test('each page is asked for once, until there is none before it', async () => {
  const { earlier, asked, shown, reply } = setUp()
  await earlier.load()
  earlier.set('t3')
  const loading = earlier.load()
  await earlier.load()
  reply().resolve({ turns: [turn('t1'), turn('t2')], running: undefined })
  await loading
  await earlier.load()
  assert.deepEqual([asked, shown], [['t3'], [['t1', 't2']]])
})

test('a page that could not be loaded is asked for again', async () => {
  const { earlier, asked, reply } = setUp()
  earlier.set('t3')
  const loading = earlier.load()
  reply().reject(new Error('unavailable'))
  await loading
  void earlier.load()
  assert.deepEqual(asked, ['t3', 't3'])
})

test('a page of a conversation that is no longer shown is dropped', async () => {
  const { earlier, shown, reply } = setUp()
  earlier.set('t3')
  const loading = earlier.load()
  earlier.set(undefined)
  reply().resolve({ turns: [turn('t1')], running: undefined })
  await loading
  assert.deepEqual(shown, [])
})
