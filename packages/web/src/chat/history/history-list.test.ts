// The list of conversations: pages, search, deletions that were confirmed, and late responses.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { SessionSummary } from '@mangaassist/protocol'
import { createHistoryList, matching } from './history-list.ts'
import type { ConversationPage } from './own-conversations.ts'
import { shortTime } from './when.ts'

const conversation = (sessionId: string, title = sessionId): SessionSummary => ({
  sessionId,
  title,
  version: 1,
  createdAt: '2026-11-18T05:00:00Z',
  lastActiveAt: '2026-11-18T05:00:00Z',
})

function setUp(pages: readonly (ConversationPage | Error)[]) {
  const removed: (string | undefined)[] = []
  const deleted: string[] = []
  let [page, fails] = [0, false]
  const gone = async (what: string): Promise<void> => {
    if (fails) throw new Error('unavailable')
    deleted.push(what)
  }
  const list = createHistoryList({
    own: {
      async list() {
        const next = pages[page]
        page += 1
        if (next === undefined || next instanceof Error) throw next ?? new Error('no more')
        return next
      },
      remove: gone,
      removeEverything: () => gone('everything'),
    },
    changed() {},
    removed: (sessionId) => removed.push(sessionId),
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { list, removed, deleted, settle, fail: () => (fails = true) }
}

const ids = (conversations: readonly SessionSummary[]): string[] => conversations.map(({ sessionId }) => sessionId)

test('pages follow each other without a conversation twice', async () => {
  const { list, settle } = setUp([
    { conversations: [conversation('a'), conversation('b')], next: 'b' },
    { conversations: [conversation('b'), conversation('c')], next: undefined },
  ])
  list.open()
  assert.equal(list.state.phase, 'loading')
  await settle()
  list.more()
  await settle()
  assert.deepEqual(
    [list.state.phase, ids(list.state.conversations), list.state.next],
    ['ready', ['a', 'b', 'c'], undefined],
  )
})

test('a list that cannot be loaded says so, and is loaded again at the next opening', async () => {
  const { list, settle } = setUp([new Error('unavailable'), { conversations: [conversation('a')], next: undefined }])
  list.open()
  await settle()
  assert.equal(list.state.phase, 'failed')
  list.open()
  await settle()
  assert.deepEqual(ids(list.state.conversations), ['a'])
})

test('a response to a list that was closed changes nothing', async () => {
  const { list, settle } = setUp([{ conversations: [conversation('a')], next: undefined }])
  list.open()
  list.close()
  await settle()
  assert.deepEqual([list.state.phase, list.state.conversations], ['closed', []])
})

test('a conversation is deleted only after the confirmation', async () => {
  const { list, settle, deleted, removed } = setUp([
    { conversations: [conversation('a'), conversation('b')], next: undefined },
  ])
  list.open()
  await settle()
  list.ask({ sessionId: 'a' })
  list.ask(undefined)
  await list.confirm()
  assert.deepEqual(deleted, [])
  list.ask({ sessionId: 'a' })
  await list.confirm()
  assert.deepEqual([deleted, removed, ids(list.state.conversations)], [['a'], ['a'], ['b']])
  assert.equal(list.state.outcome, 'historyDeleted')
})

test('everything is deleted at once, and a failure leaves the list as it is', async () => {
  const { list, settle, removed, fail } = setUp([{ conversations: [conversation('a')], next: 'a' }])
  list.open()
  await settle()
  list.ask('everything')
  fail()
  await list.confirm()
  assert.deepEqual([ids(list.state.conversations), list.state.outcome, removed], [['a'], 'historyDeleteFailed', []])
})

test('a search finds titles by all of its words, in any case and width', () => {
  const conversations = [conversation('a', 'ＡＫＩＲＡはありますか'), conversation('b', 'Akira or Berserk?')]
  const found = (search: string) => ids(matching({ conversations, search }))
  assert.deepEqual(found('akira'), ['a', 'b'])
  assert.deepEqual(found(' berserk AKIRA '), ['b'])
  assert.deepEqual(found('naruto'), [])
})

test('the time of a conversation is as short as it can be', () => {
  const now = new Date(2026, 10, 18, 12)
  assert.match(shortTime(new Date(2026, 10, 18, 9, 5).toISOString(), 'ja', now), /9:05/)
  assert.match(shortTime(new Date(2026, 2, 3).toISOString(), 'ja', now), /^3月3日$/)
  assert.match(shortTime(new Date(2025, 2, 3).toISOString(), 'en', now), /2025/)
  assert.equal(shortTime('unknown', 'en', now), '')
})
