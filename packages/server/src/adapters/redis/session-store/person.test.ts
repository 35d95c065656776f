// Erases and exports a person whose data is in Redis, by the same services as on one machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCarts } from '#stores/carts.ts'
import { createOrderBook } from '#stores/order-book.ts'
import { createPersonQueries } from '#services/person.ts'
import { accountNamer } from '#wiring/identity/account-names.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleCachedAnswer, sampleDeferred } from '#fixtures/turns/answers.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import {
  sampleAsk,
  sampleLedgerRow,
  sampleLimits,
  sampleSession,
  sampleStoredTurn,
  sampleTurnRecord,
  TODAY,
} from '#fixtures/turns/samples.ts'
import { pseudonymousBudgets } from '../../pseudonymous/budgets.ts'
import { sampleOrder } from '#stores/order-book.contract.ts'
import { redisAnswerCache } from '../answer-cache/answer-cache.ts'
import { redisDeferredStore } from '../deferred-store/deferred-store.ts'
import { redisLedger } from '../ledger/ledger.ts'
import { redisRecords } from '../records/records.ts'
import { redisSessionStore } from './session-store.ts'
import { redisTurnRecords } from '../turn-records/turn-records.ts'
import { redisBudgets } from '../budgets/budgets.ts'

const redisFor = cleanRedis()
const SPENT = { inputTokens: 7, outputTokens: 5, costMicroUsd: 3 }
const WHO = ['user:one@example.com', 'user:two'] as const

test('a person’s data in Redis is exported, then erased; no key names them, and the other person’s data stays', async (context) => {
  const ports = await testPorts()
  const { clock } = ports
  const redis = await redisFor(context, clock)
  const records = redisRecords({ redis })
  const stores = {
    sessions: redisSessionStore({ redis, clock, keepMs: 60_000 }),
    ledger: redisLedger({ redis, clock }),
    deferred: redisDeferredStore({ redis, limits: testConfig.deferred }),
    turnRecords: redisTurnRecords({ redis, clock, keepMs: 60_000 }),
    carts: createCarts({ records, keepMs: 60_000 }),
    orders: createOrderBook({ records, keepMs: 60_000 }),
    answers: redisAnswerCache({ redis, clock, limits: testConfig.answers }),
  }
  const nameOf = accountNamer(Buffer.from('a key of the stores'))
  const state = pseudonymousBudgets({ budgets: redisBudgets({ redis }), nameOf })
  for (const [index, id] of WHO.entries()) {
    const [sessionId, turnId] = [`sess_${index}`, `turn_${index}`]
    const principal = { id, kind: 'user', tier: 'free' } as const
    const now = clock.now()
    await stores.sessions.create(sampleSession({ id: sessionId, principalId: id, createdAt: now, lastActiveAt: now }))
    await stores.sessions.append(sessionId, 0, sampleStoredTurn({ turnId }))
    await stores.ledger.record([sampleLedgerRow({ turnId, sessionId, principalId: id })])
    await stores.turnRecords.add([sampleTurnRecord({ turnId, sessionId, principalId: id })])
    await stores.deferred.accept(sampleDeferred({ turnId: `late_${index}`, principal }))
    const ask = sampleAsk({ principalId: id, turnId, sessionId })
    const granted = await state.admit(ask)
    assert.ok(granted.kind === 'granted')
    await state.settle(granted.hold, SPENT, { claimMs: 60_000 })
    const line = { productId: 'nana', volume: 1, quantity: 1, seenYen: 500 }
    await stores.carts.edit(id, { id: 'op', edits: [{ ...line, kind: 'add' }] })
    await stores.orders.place(id, { key: 'key', order: sampleOrder(index, now) })
    await stores.answers.keep(`key ${index}`, sampleCachedAnswer({ madeFor: id, madeAt: now }))
  }
  const person = createPersonQueries({ ...ports, ...stores, budgets: state, config: testConfig })
  const exported = await person.exportPerson(WHO[0])
  assert.deepEqual([exported.conversations.length, exported.conversations[0]?.turns.length], [1, 1])
  const { kept: _, ...erased } = await person.erasePerson(WHO[0])
  assert.deepEqual(erased, {
    conversations: 1,
    turnLogs: 0,
    deferredQuestions: 1,
    cachedAnswers: 1,
    handovers: 0,
    turnRecords: 1,
    cartItems: 1,
    orders: 1,
    samples: 0,
    ledgerRowsRenamed: 1,
    stillRunning: 0,
  })
  const keys = (await redis.command(undefined, 'KEYS', '*')) as string[]
  const dumps = await Promise.all(keys.map(async (key) => `${key} ${String(await redis.command(key, 'DUMP', key))}`))
  assert.ok(dumps.length > 0)
  const naming = dumps.filter((dump) => dump.includes('one@example.com') || dump.includes('one%40example'))
  assert.deepEqual(
    naming.map((dump) => dump.split(' ')[0]),
    [],
  )
  // A person who returns the same day has still spent what they had spent.
  assert.deepEqual((await state.quota(WHO[0], sampleLimits(), TODAY)).used, SPENT)
  const other = await person.exportPerson(WHO[1])
  assert.deepEqual([other.conversations.length, other.deferredQuestions.length, other.ledger.length], [1, 1, 1])
})
