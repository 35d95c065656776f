// Everything stored about a person is exported completely and erased everywhere, and data of others is not touched.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memorySampleStore } from '#adapters/memory/sample-store.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleCachedAnswer, sampleDeferred } from '#fixtures/turns/answers.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import {
  sampleAsk,
  sampleEnd,
  sampleLedgerRow,
  sampleLimits,
  sampleSession,
  sampleStart,
  sampleStoredTurn,
  sampleTurnRecord,
  TODAY,
} from '#fixtures/turns/samples.ts'
import { sampleOrder } from '#stores/order-book.contract.ts'
import { GUEST, STRANGER } from '#fixtures/turns/turns.ts'
import { sampleRefusal } from '#fixtures/turns/turn-records.ts'
import { createPersonQueries } from './person.ts'

const ids = [GUEST.id, STRANGER.id]
const sampleOf = (turnId: string, at: number) => ({
  id: `sample_${turnId}`,
  turnId,
  at,
  model: 'primary',
  events: [],
  eventsLeftOut: 0,
})

async function setUp() {
  const ports = await testPorts()
  const { answers, deferred, ledger, sessions, turnLog } = ports
  for (const [index, principalId] of ids.entries()) {
    for (const number of [1, 2]) {
      const id = `sess_${index}_${number}`
      const turnId = `turn_${index}_${number}`
      await sessions.create(sampleSession({ id, principalId }))
      await sessions.append(id, 0, sampleStoredTurn({ turnId, page: { path: `/series/${id}` } }))
      await turnLog.open(sampleStart({ turnId, sessionId: id, principal: { ...GUEST, id: principalId } }), 1000)
      await turnLog.append(turnId, 1, [{ kind: 'turn-end', end: sampleEnd() }])
      await ledger.record([sampleLedgerRow({ turnId, sessionId: id, principalId })])
      await ports.turnRecords.add([sampleTurnRecord({ turnId, sessionId: id, principalId })])
    }
    // A prompt of the caller's own, which belongs to no conversation.
    const own = { turnId: `v1_${index}`, sessionId: `v1_${index}` }
    await turnLog.open(sampleStart({ ...own, principal: { ...GUEST, id: principalId } }), 1000)
    await turnLog.append(own.turnId, 1, [{ kind: 'turn-end', end: sampleEnd() }])
    await ledger.record([sampleLedgerRow({ ...own, principalId })])
    await deferred.accept(sampleDeferred({ turnId: `late_${index}`, principal: { ...GUEST, id: principalId } }))
    const line = { productId: 'nana', volume: 1, quantity: 1, seenYen: 500 }
    await ports.carts.edit(principalId, { id: 'op', edits: [{ ...line, kind: 'add' }] })
    await ports.orders.place(principalId, { key: 'key', order: sampleOrder(index, ports.clock.now()) })
    await answers.keep(`key ${index}`, sampleCachedAnswer({ madeFor: principalId, madeAt: ports.clock.now() }))
  }
  let scrubbed = 0
  const scrub = async () => void (scrubbed += 1)
  const samples = memorySampleStore({ countMax: 100, bytesMax: 1_000_000 })
  const turnIds = ['turn_0_1', 'turn_0_2', 'v1_0', 'turn_1_1', 'unsettled']
  for (const turnId of turnIds) await samples.keep(sampleOf(turnId, ports.clock.now()))
  const person = createPersonQueries({ ...ports, config: testConfig, scrub, samples })
  const sampled = async () => (await samples.turns()).map(({ turnId }) => turnId)
  return { ports, person, sampled, scrubs: () => scrubbed }
}

test('an export has every conversation with its turns, deferred questions, the rows of the ledger, turn records and refusals', async () => {
  const { person, ports } = await setUp()
  await ports.turnRecords.add([
    sampleRefusal({ principalId: GUEST.id }),
    sampleRefusal({ refusalId: 'ref_2', principalId: STRANGER.id }),
  ])
  const data = await person.exportPerson(GUEST.id)
  assert.deepEqual(data.conversations.map(({ id, turns }) => `${id} ${turns.length}`).toSorted(), [
    'sess_0_1 1',
    'sess_0_2 1',
  ])
  assert.deepEqual(data.conversations[0]?.turns[0]?.question, sampleStoredTurn().question)
  assert.match(data.conversations[0]?.turns[0]?.page?.path ?? '', /^\/series\/sess_0_/)
  assert.deepEqual(
    data.deferredQuestions.map(({ turnId }) => turnId),
    ['late_0'],
  )
  assert.deepEqual([data.cart.length, data.orders.length], [1, 1])
  assert.deepEqual([data.ledger.length, data.turnRecords.length, data.isCut], [3, 2, false])
  assert.deepEqual(
    data.refusals.map(({ at, code, refusalId }) => [refusalId, code, at.slice(0, 4)]),
    [['ref_1', 'RATE_LIMITED', '2026']],
  )
  assert.ok(!JSON.stringify(data).includes(STRANGER.id))
})

test('an export of many conversations asks the store for a few at a time', async () => {
  const { ports } = await setUp()
  let [asked, most] = [0, 0]
  const sessions = {
    ...ports.sessions,
    async recentTurns(id: string, limit: number) {
      most = Math.max(most, (asked += 1))
      await new Promise((resolve) => setImmediate(resolve))
      asked -= 1
      return ports.sessions.recentTurns(id, limit)
    },
  }
  for (let number = 0; number < 100; number += 1)
    await sessions.create(sampleSession({ id: `sess_many_${number}`, principalId: GUEST.id }))
  const person = createPersonQueries({ ...ports, sessions, config: testConfig })
  assert.equal((await person.exportPerson(GUEST.id)).conversations.length, 102)
  assert.ok(most <= 16, `${most} at once`)
})

test('an erasure removes data everywhere, puts a pseudonym into the ledger and reports it; other persons are not touched', async () => {
  const { person, ports, sampled, scrubs } = await setUp()
  const before = await person.exportPerson(STRANGER.id)
  const { kept, ...erased } = await person.erasePerson(GUEST.id)
  assert.deepEqual(erased, {
    conversations: 2,
    turnLogs: 3,
    deferredQuestions: 1,
    cachedAnswers: 1,
    handovers: 0,
    turnRecords: 2,
    cartItems: 1,
    orders: 1,
    samples: 3,
    ledgerRowsRenamed: 3,
    stillRunning: 0,
  })
  assert.ok(kept.length > 0)
  assert.equal(scrubs(), 1)
  assert.deepEqual(await sampled(), ['turn_1_1', 'unsettled'])
  const after = await person.exportPerson(GUEST.id)
  assert.deepEqual([after.conversations, after.deferredQuestions, after.ledger, after.turnRecords], [[], [], [], []])
  for (const turnId of ['turn_0_1', 'turn_0_2', 'v1_0'])
    assert.equal(await ports.turnLog.read(turnId, -1), undefined, turnId)
  assert.equal(await ports.answers.find('key 0'), undefined)
  const renamed = (await ports.ledger.page({}, 10)).map(({ principalId }) => principalId)
  assert.equal(renamed.filter((id) => id.startsWith('guest_~erased_')).length, 3)
  assert.equal((await ports.ledger.totals({})).rows, 6)
  assert.deepEqual({ ...(await person.exportPerson(STRANGER.id)), exportedAt: '' }, { ...before, exportedAt: '' })
  assert.notEqual(await ports.answers.find('key 1'), undefined)
  assert.notEqual(await ports.turnLog.read('turn_1_1', -1), undefined)
})

test('a node removes its samples of a person erased on another node, and samples of turns that the ledger does not have', async () => {
  const { person, ports, sampled } = await setUp()
  assert.equal(await person.forgetSamples(), 0)
  // On another node, which has no samples of these turns.
  const { samples } = await createPersonQueries({ ...ports, config: testConfig }).erasePerson(STRANGER.id)
  assert.equal(samples, 0)
  assert.equal(await person.forgetSamples(), 1)
  assert.deepEqual(await sampled(), ['turn_0_1', 'turn_0_2', 'v1_0', 'unsettled'])
  await ports.clock.advance(25 * 3_600_000)
  assert.equal(await person.forgetSamples(), 1)
  assert.deepEqual(await sampled(), ['turn_0_1', 'turn_0_2', 'v1_0'])
})

test('an erasure does not renew the budget', async () => {
  const { person, ports } = await setUp()
  const answer = await ports.budgets.admit(sampleAsk({ principalId: GUEST.id, turnId: 'spent' }))
  assert.ok(answer.kind === 'granted')
  await ports.budgets.settle(answer.hold, { inputTokens: 100, outputTokens: 50, costMicroUsd: 900 }, { claimMs: 0 })
  const before = await ports.budgets.quota(GUEST.id, sampleLimits(), TODAY)
  assert.equal(before.used.costMicroUsd, 900)
  await person.erasePerson(GUEST.id)
  assert.deepEqual((await ports.budgets.quota(GUEST.id, sampleLimits(), TODAY)).used, before.used)
})

test('a running answer is stopped first, and its log is removed once it has ended', async () => {
  const { person, ports } = await setUp()
  const running = { turnId: 'running', sessionId: 'sess_0_1' }
  const answer = await ports.budgets.admit(sampleAsk({ ...running, principalId: GUEST.id }))
  assert.ok(answer.kind === 'granted')
  await ports.turnLog.open(sampleStart({ ...running, principal: GUEST }), 60_000)
  // The owner receives the stop, ends the turn and settles it.
  ports.turnLog.onStop('running', () => {
    void ports.turnLog
      .append('running', 1, [{ kind: 'turn-end', end: sampleEnd() }])
      .then(() =>
        ports.budgets.settle(answer.hold, { inputTokens: 1, outputTokens: 1, costMicroUsd: 1 }, { claimMs: 0 }),
      )
  })
  const erasing = person.erasePerson(GUEST.id)
  await ports.clock.advance(1000)
  const erased = await erasing
  assert.equal(erased.stillRunning, 0)
  assert.equal(await ports.turnLog.read('running', -1), undefined)
})

test('an answer that does not end in time is reported', async () => {
  const { person, ports } = await setUp()
  const running = { turnId: 'running', sessionId: 'sess_0_1', leaseMs: 600_000 }
  assert.equal((await ports.budgets.admit(sampleAsk({ ...running, principalId: GUEST.id }))).kind, 'granted')
  await ports.turnLog.open(sampleStart({ turnId: 'running', sessionId: 'sess_0_1', principal: GUEST }), 600_000)
  const erasing = person.erasePerson(GUEST.id)
  await ports.clock.advance(20_000)
  assert.equal((await erasing).stillRunning, 1)
})

test('a conversation that a user adopted as a guest is erased with the user, not with the guest', async () => {
  const { person, ports } = await setUp()
  await ports.sessions.adopt(GUEST.id, 'user:1')
  assert.equal((await person.exportPerson('user:1')).conversations.length, 2)
  assert.equal((await person.erasePerson(GUEST.id)).conversations, 0)
  assert.equal((await person.erasePerson('user:1')).conversations, 2)
  assert.equal(await ports.sessions.find('sess_0_1'), undefined)
})

test('ledger rows older than the retention get pseudonyms, and newer rows keep their user ids', async () => {
  const { ports } = await setUp()
  const config = { ...testConfig, retention: { ...testConfig.retention, ledgerNamesDays: 10 } }
  const person = createPersonQueries({ ...ports, config })
  await ports.ledger.record([
    sampleLedgerRow({ turnId: 'old', day: '2026-10-01', principalId: 'user:a@example.com' }),
    sampleLedgerRow({ turnId: 'shop', day: '2026-10-01', principalId: 'shop' }),
  ])
  assert.equal(await person.forgetNames(), 1)
  assert.equal(await person.forgetNames(), 0)
  assert.match((await ports.ledger.ofTurn('old'))[0]?.principalId ?? '', /^~erased_/)
  assert.equal((await ports.ledger.ofTurn('shop'))[0]?.principalId, 'shop')
  assert.equal((await ports.ledger.totals({ principalId: GUEST.id })).rows, 3)
  const never = createPersonQueries({
    ...ports,
    config: { ...config, retention: { ...config.retention, ledgerNamesDays: 0 } },
  })
  assert.equal(await never.forgetNames(), 0)
})

test('names are replaced however many users the ledger has, and a row is not read again', async () => {
  const { ports } = await setUp()
  const config = { ...testConfig, retention: { ...testConfig.retention, ledgerNamesDays: 10 } }
  let read = 0
  const ledger: typeof ports.ledger = {
    ...ports.ledger,
    async page(filter, limit, after) {
      const rows = await ports.ledger.page(filter, limit, after)
      read += rows.length
      return rows
    },
    groups: async () => assert.fail('a ledger refuses to group by so many users'),
  }
  const person = createPersonQueries({ ...ports, ledger, config })
  const old = (number: number, day: string) => {
    const ids = { turnId: `old_${day}_${number}`, sessionId: 'sess_old', principalId: `guest_old_${number % 700}` }
    return sampleLedgerRow({ ...ids, day })
  }
  const rows = Array.from({ length: 2100 }, (_, number) => old(number, '2026-10-01'))
  await ports.ledger.record(rows)
  assert.deepEqual([await person.forgetNames(), read], [2100, 2100])
  assert.deepEqual([await person.forgetNames(), read], [0, 2100])
  await ports.ledger.record([old(1, '2026-10-02')])
  assert.deepEqual([await person.forgetNames(), read], [1, 2101])
})
