// A shopper sees only their own conversations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionDetail, SessionSummary } from '@mangaassist/protocol'
import Value from 'typebox/value'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import {
  sampleAsk,
  sampleEnd,
  sampleSession,
  sampleShelves,
  sampleStart,
  sampleStoredTurn,
  sampleTurnRecord,
} from '#fixtures/turns/samples.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { GUEST, STRANGER } from '#fixtures/turns/turns.ts'
import { createSessionQueries } from './sessions.ts'

const DAY_MS = 24 * 3_600_000

async function setUp() {
  const ports = await testPorts()
  await ports.sessions.create(sampleSession())
  await ports.sessions.append('sess_1', 0, sampleStoredTurn())
  return { ports, queries: createSessionQueries({ ...ports, config: testConfig }) }
}

test('a conversation is returned with all its turns, oldest first, in the shape of the protocol', async () => {
  const { ports, queries } = await setUp()
  await ports.sessions.append('sess_1', 1, sampleStoredTurn({ turnId: 'turn_2' }))
  const detail = await queries.get(GUEST, 'sess_1')
  assert.deepEqual([...Value.Errors(SessionDetail, detail)], [])
  assert.deepEqual(
    detail.turns.map(({ turnId }) => turnId),
    ['turn_1', 'turn_2'],
  )
  assert.deepEqual(
    [detail.version, detail.turns[0]?.products.map(({ id }) => id), detail.createdAt],
    [2, ['kimetsu-no-yaiba'], '2026-11-04T03:00:00.000Z'],
  )
  assert.equal('runningTurn' in detail, false)
})

test('the products of old turns have their current data, in the turn’s language, from one read for the page', async () => {
  const { ports } = await setUp()
  const productIds = ['sold-no-more', 'one-piece', 'kimetsu-no-yaiba']
  await ports.sessions.append('sess_1', 1, sampleStoredTurn({ turnId: 'turn_2', language: 'en', productIds }))
  await ports.products.replaceAll(
    sampleShelves().map((product) => ({ ...product, stock: 1, pricePerVolumeYen: 999 })),
    'test',
  )
  let reads = 0
  const products = withVerbs(ports.products, {
    byIds: (ids) => {
      reads += 1
      return ports.products.byIds(ids)
    },
  })
  const { turns } = await createSessionQueries({ ...ports, products, config: testConfig }).get(GUEST, 'sess_1')
  assert.deepEqual(
    turns.map((turn) =>
      turn.products.map(({ author, stock, pricePerVolumeYen }) => [author, stock, pricePerVolumeYen]),
    ),
    [
      [['吾峠呼世晴', 1, 999]],
      [
        ['Eiichiro Oda', 1, 999],
        ['Koyoharu Gotouge', 1, 999],
      ],
    ],
  )
  assert.equal(reads, 1)
})

test('a running turn is returned with its question, so that a reloaded page can resume it', async () => {
  const { ports, queries } = await setUp()
  await ports.budgets.admit(sampleAsk({ turnId: 'turn_2', sessionId: 'sess_1' }))
  assert.equal('runningTurn' in (await queries.get(GUEST, 'sess_1')), false, 'its log is not open yet')
  await ports.turnLog.open(sampleStart({ turnId: 'turn_2', message: '何巻まで？' }), 10_000)
  const detail = await queries.get(GUEST, 'sess_1')
  assert.deepEqual(detail.runningTurn, { turnId: 'turn_2', question: '何巻まで？' })
  assert.deepEqual([...Value.Errors(SessionDetail, detail)], [])
})

test('a turn that is already answered is not returned as running', async () => {
  const { ports, queries } = await setUp()
  await ports.budgets.admit(sampleAsk({ turnId: 'turn_1', sessionId: 'sess_1' }))
  assert.equal((await queries.get(GUEST, 'sess_1')).runningTurn, undefined)
})

test('another shopper’s conversation is NOT_FOUND for every operation, and stays unchanged', async () => {
  const { ports, queries } = await setUp()
  for (const verb of [queries.get, queries.remove, queries.check]) {
    await assert.rejects(verb(STRANGER, 'sess_1'), { code: 'NOT_FOUND' })
    await assert.rejects(verb(GUEST, 'sess_none'), { code: 'NOT_FOUND' })
  }
  assert.deepEqual((await queries.list(STRANGER)).sessions, [])
  assert.ok(await ports.sessions.find('sess_1'))
})

test('a conversation that another node may still have to write is unavailable, not NOT_FOUND', async () => {
  const { ports } = await setUp()
  const queries = createSessionQueries({ ...ports, config: testConfig, isCatchingUp: () => true })
  await assert.rejects(queries.get(GUEST, 'sess_2'), StoreUnavailable)
  await assert.rejects(queries.get(STRANGER, 'sess_1'), { code: 'NOT_FOUND' })
})

test('the list has the principal’s own conversations, newest first, without expired ones', async () => {
  const { ports, queries } = await setUp()
  await ports.clock.advance(DAY_MS - 1000)
  const now = ports.clock.now()
  await ports.sessions.create(sampleSession({ id: 'sess_2', createdAt: now, lastActiveAt: now }))
  const { sessions: list } = await queries.list(GUEST)
  assert.deepEqual(
    list.map(({ sessionId }) => sessionId),
    ['sess_2', 'sess_1'],
  )
  for (const summary of list) assert.ok(Value.Check(SessionSummary, summary))
  await ports.clock.advance(1001)
  assert.deepEqual(
    (await queries.list(GUEST)).sessions.map(({ sessionId }) => sessionId),
    ['sess_2'],
  )
})

test('an expired conversation is SESSION_EXPIRED for its owner, and can still be deleted', async () => {
  const { ports, queries } = await setUp()
  await ports.clock.advance(DAY_MS + 1)
  await assert.rejects(queries.get(GUEST, 'sess_1'), { code: 'SESSION_EXPIRED' })
  await queries.remove(GUEST, 'sess_1')
  await assert.rejects(queries.get(GUEST, 'sess_1'), { code: 'NOT_FOUND' })
})

test('deleting a conversation stops its running turn, and deletes its texts and the claims on them', async () => {
  const { ports, queries } = await setUp()
  const ended = await ports.budgets.admit(sampleAsk({ turnId: 'turn_1', sessionId: 'sess_1' }))
  assert.ok(ended.kind === 'granted')
  await ports.turnLog.open(sampleStart({ turnId: 'turn_1', sessionId: 'sess_1' }), 10_000)
  await ports.turnLog.append('turn_1', 1, [{ kind: 'turn-end', end: sampleEnd() }])
  await ports.turnRecords.add([sampleTurnRecord()])
  await ports.budgets.settle(ended.hold, ended.hold.granted)
  await ports.budgets.admit(sampleAsk({ turnId: 'turn_2', sessionId: 'sess_1' }))
  await ports.turnLog.open(sampleStart({ turnId: 'turn_2', sessionId: 'sess_1' }), 10_000)
  let stopped = false
  using _ = ports.turnLog.onStop('turn_2', () => (stopped = true))
  await queries.remove(GUEST, 'sess_1')
  assert.equal(stopped, true)
  assert.equal(await ports.turnLog.read('turn_1', -1), undefined)
  assert.equal(await ports.turnRecords.find('turn_1'), undefined)
  const again = sampleAsk({
    turnId: 'turn_3',
    sessionId: 'sess_2',
    idempotency: sampleAsk({ turnId: 'turn_1' }).idempotency,
  })
  assert.equal((await ports.budgets.admit(again)).kind, 'granted')
})

test('all conversations can be paged through, fifty at a time, each once', async () => {
  const { ports, queries } = await setUp()
  const now = ports.clock.now()
  for (let number = 2; number <= 120; number += 1)
    await ports.sessions.create(sampleSession({ id: `sess_${number}`, lastActiveAt: now - (number % 7) }))
  const seen: string[] = []
  let after: string | undefined
  for (let pages = 0; pages < 3; pages += 1) {
    const page = await queries.list(GUEST, after)
    seen.push(...page.sessions.map(({ sessionId }) => sessionId))
    after = page.next
  }
  assert.deepEqual([after, seen.length, new Set(seen).size], [undefined, 120, 120])
  await assert.rejects(queries.list(GUEST, 'sess_nobody'), { code: 'NOT_FOUND' })
})

test('the log of a turn that was running when its conversation was deleted is deleted when it ends', async () => {
  const { ports, queries } = await setUp()
  await ports.budgets.admit(sampleAsk({ turnId: 'running', sessionId: 'sess_1', principalId: GUEST.id }))
  await ports.turnLog.open(sampleStart({ turnId: 'running', sessionId: 'sess_1', principal: GUEST }), 60_000)
  await queries.remove(GUEST, 'sess_1')
  assert.notEqual(await ports.turnLog.read('running', -1), undefined)
  await ports.turnLog.append('running', 1, [{ kind: 'turn-end', end: sampleEnd() }])
  await ports.clock.advance(1)
  assert.equal(await ports.turnLog.read('running', -1), undefined)
  assert.equal(ports.clock.timers(), 0)
})

test('staff with a link can read its conversation, expired or not, and each read is in the audit', async () => {
  const { ports, queries } = await setUp()
  await ports.clock.advance(30 * DAY_MS)
  const { detail, expired } = await queries.transcript('sess_1')
  assert.deepEqual([detail.turns.length, expired], [1, true])
  const [line] = await ports.admin.audit({ limit: 10 })
  assert.deepEqual([line?.action, line?.subject, line?.by], ['transcript-read', 'sess_1', 'hand-over link'])
  await assert.rejects(queries.transcript('sess_9'), { code: 'NOT_FOUND' })
  const unavailable = { ...ports, admin: { note: () => Promise.reject(new Error('unavailable')) } }
  await assert.rejects(createSessionQueries({ ...unavailable, config: testConfig }).transcript('sess_1'), /unavailable/)
})

test('a turn is returned with its page, its offers, its sources and how to reach a person', async () => {
  const { ports, queries } = await setUp()
  const more = {
    page: { productId: 'one-piece', path: '/series/one-piece' },
    interfaceLanguage: 'en',
    suggestions: [{ label: 'All volumes', message: 'How much are all volumes?' }],
    sources: [{ kind: 'product', id: 'one-piece', at: '2026-11-04T03:00:00.000Z' }],
    contact: '窓口',
  } as const
  await ports.sessions.append('sess_1', 1, sampleStoredTurn({ turnId: 'turn_2', ...more }))
  const detail = await queries.get(GUEST, 'sess_1')
  assert.deepEqual([...Value.Errors(SessionDetail, detail)], [])
  const { page, interfaceLanguage, suggestions, sources, contact } = detail.turns[1] ?? {}
  assert.deepEqual({ page, interfaceLanguage, suggestions, sources, contact }, more)
  assert.equal('suggestions' in (detail.turns[0] ?? {}), false)
})

test('a long conversation is read in pages, from its newest turns back', async () => {
  const { ports, queries } = await setUp()
  await ports.sessions.create(sampleSession({ id: 'sess_long' }))
  for (let version = 0; version < 7; version += 1) {
    const replaces = version === 6 ? { replaces: 'turn_0' } : {}
    await ports.sessions.append('sess_long', version, sampleStoredTurn({ turnId: `turn_${version}`, ...replaces }))
  }
  const page = async (asked: Parameters<typeof queries.get>[2]) => {
    const { earlier, turns } = await queries.get(GUEST, 'sess_long', asked)
    return { ids: turns.map(({ turnId }) => turnId), earlier, replacedBy: turns[0]?.replacedBy }
  }
  const newest = await page({ limit: 3 })
  assert.deepEqual(newest, { ids: ['turn_4', 'turn_5', 'turn_6'], earlier: 'turn_4', replacedBy: undefined })
  assert.deepEqual((await page({ limit: 3, before: 'turn_4' })).ids, ['turn_1', 'turn_2', 'turn_3'])
  const oldest = await page({ limit: 3, before: 'turn_1' })
  assert.deepEqual(oldest, { ids: ['turn_0'], earlier: undefined, replacedBy: 'turn_6' })
  assert.equal((await page({})).earlier, undefined)
  await assert.rejects(queries.get(GUEST, 'sess_long', { before: 'turn_9' }), { code: 'NOT_FOUND' })
})
