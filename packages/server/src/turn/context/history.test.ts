// What is read of a conversation for a question that is asked in the place of another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memorySessionStore } from '#adapters/memory/session-store.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { readHistory } from './history.ts'

const QUESTION = 'おすすめのファンタジー漫画を教えて'

async function setUp() {
  const sessions = memorySessionStore({ clock: manualClock() })
  await sessions.create(sampleSession())
  const turns = [
    sampleStoredTurn({ turnId: 'a', question: QUESTION, productIds: ['frieren'] }),
    sampleStoredTurn({ turnId: 'other', question: '送料は？', productIds: [] }),
    sampleStoredTurn({ turnId: 'b', question: `${QUESTION}！`, productIds: ['berserk'], replaces: 'a' }),
  ]
  for (const [version, turn] of turns.entries()) await sessions.append('sess_1', version, turn)
  const read = (over: { readonly message?: string; readonly replaces?: string; readonly continued?: string }) =>
    readHistory(sessions, { message: QUESTION, sessionId: 'sess_1', sessionVersion: 3, ...over }, 10)
  return { read }
}

test('asked again, the products of all earlier answers to the same question were seen', async () => {
  const { read } = await setUp()
  const { replaced, seen, turns } = await read({ replaces: 'b' })
  assert.deepEqual([replaced?.turnId, seen], ['b', ['berserk', 'frieren']])
  assert.deepEqual(
    turns.map(({ turnId }) => turnId),
    ['other'],
  )
})

test('a continued answer is made with what was seen before it', async () => {
  const { read } = await setUp()
  assert.deepEqual((await read({ replaces: 'b', continued: 'おすすめは' })).seen, ['frieren'])
})

test('for an edited question, and one in no other’s place, nothing was seen', async () => {
  const { read } = await setUp()
  assert.deepEqual((await read({ replaces: 'b', message: '完結したファンタジーは？' })).seen, [])
  assert.deepEqual((await read({})).seen, [])
})
