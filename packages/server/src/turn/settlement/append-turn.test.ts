// Appends a turn to its conversation: at once, or when the store is available again, and never to another principal's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { switchableStore } from '#fixtures/stores/switchable-store.ts'
import { settleParts, testPorts } from '#fixtures/stores/ports.ts'
import { sampleOutcome, sampleSession } from '#fixtures/turns/samples.ts'
import type { StartChanges } from '#fixtures/turns/samples.ts'
import { sampleAdmitted, sampleDelivered, STRANGER } from '#fixtures/turns/turns.ts'
import { createAppendTurn } from './append-turn.ts'

async function setUp(over: StartChanges = {}) {
  const ports = settleParts(await testPorts())
  const { port: sessions, store } = switchableStore(ports.sessions)
  const append = createAppendTurn({ ...ports, sessions })
  const delivered = sampleDelivered({ start: sampleAdmitted(over).start })
  const turns = () => ports.sessions.recentTurns('sess_1', 10)
  return { ports, append, store, delivered, turns }
}

test('the append is retried while the store is unavailable, in the background when allowed', async () => {
  const { append, delivered, ports, store, turns } = await setUp()
  await ports.sessions.create(sampleSession())
  store.isUnavailable = true
  await assert.rejects(append(delivered, false), /the store is unavailable/)
  assert.deepEqual(await append(delivered, true), { version: 0, isPostponed: true })
  await ports.clock.advance(30_000)
  store.isUnavailable = false
  await ports.clock.advance(5000)
  assert.equal((await turns()).length, 1)
  assert.deepEqual(await append(delivered, false), { version: 1, isPostponed: false })
})

test('a session that could not be created is created with its first turn', async () => {
  const { append, delivered, ports, turns } = await setUp({ unsaved: 'new' })
  assert.equal((await append(delivered, true)).version, 1)
  assert.equal((await ports.sessions.find('sess_1'))?.principalId, 'guest_1')
  assert.equal((await turns()).length, 1)
})

test('an unchecked session is written to if it belongs to the principal', async () => {
  const own = await setUp({ unsaved: 'unchecked' })
  await own.ports.sessions.create(sampleSession())
  assert.equal((await own.append(own.delivered, true)).version, 1)
  const others = await setUp({ unsaved: 'unchecked' })
  await others.ports.sessions.create(sampleSession({ principalId: STRANGER.id }))
  assert.deepEqual(await others.append(others.delivered, true), { version: 0, isPostponed: false })
  assert.deepEqual(await others.turns(), [])
})

test('a turn of an unchecked session waits for the first turn, which another node writes later', async () => {
  const { append, delivered, ports, turns } = await setUp({ unsaved: 'unchecked' })
  await ports.clock.advance(delivered.outcome.endedAt - ports.clock.now())
  assert.deepEqual(await append(delivered, true), { version: 0, isPostponed: true })
  await ports.clock.advance(10_000)
  await ports.sessions.create(sampleSession())
  await ports.clock.advance(10_000)
  assert.deepEqual(
    (await turns()).map(({ turnId }) => turnId),
    [delivered.start.turnId],
  )
})

test('a turn of an unchecked session that never appears is given up after a minute', async () => {
  const { append, delivered, ports, turns } = await setUp({ unsaved: 'unchecked' })
  await append(delivered, true)
  await ports.clock.advance(70_000)
  await ports.sessions.create(sampleSession())
  await ports.clock.advance(10_000)
  assert.deepEqual(await turns(), [])
})

test('waiting turns are appended in the order of their questions, before newer ones', async () => {
  const { append, ports, store, turns } = await setUp()
  await ports.sessions.create(sampleSession())
  const asked = (number: number) => {
    const at = ports.clock.now() + number
    return sampleDelivered({
      start: sampleAdmitted({ turnId: `turn_${number}`, acceptedAt: at, unsaved: 'unchecked' }).start,
    })
  }
  const order = async () => (await turns()).map(({ turnId }) => turnId)
  await append(asked(1), true)
  store.isUnavailable = true
  for (const number of [2, 3, 5, 4]) await append(asked(number), true)
  store.isUnavailable = false
  await append(asked(6), true)
  assert.deepEqual(await order(), ['turn_1', 'turn_2', 'turn_3', 'turn_4', 'turn_5', 'turn_6'])
  await ports.clock.advance(10_000)
  assert.equal((await turns()).length, 6)
})

test('a late turn is read before turns that another node appended meanwhile', async () => {
  const { append, delivered, ports, store, turns } = await setUp({ acceptedAt: 1000 })
  await ports.sessions.create(sampleSession())
  store.isUnavailable = true
  await append(delivered, true)
  store.isUnavailable = false
  const elsewhere = createAppendTurn(ports)
  const newer = sampleAdmitted({ turnId: 'turn_2', acceptedAt: 2000 }).start
  await elsewhere(sampleDelivered({ start: newer }), false)
  await ports.clock.advance(10_000)
  assert.deepEqual(
    (await turns()).map(({ askedAt }) => askedAt),
    [1000, 2000],
  )
})

test('a turn continued after a takeover is read at the position where it was asked', async () => {
  const { append, ports, turns } = await setUp()
  await ports.sessions.create(sampleSession())
  const start = (turnId: string, acceptedAt: number) => sampleAdmitted({ turnId, acceptedAt }).start
  await append(sampleDelivered({ start: start('turn_2', 2000) }), false)
  await append(sampleDelivered({ start: start('turn_1', 1000), epoch: 2 }), false)
  assert.deepEqual(
    (await turns()).map(({ turnId }) => turnId),
    ['turn_1', 'turn_2'],
  )
})

test('the turn is stored with its page, its offers, sources and contact, and the language that the conversation decided', async () => {
  const page = { productId: 'berserk', path: '/series/berserk' }
  const { append, ports, turns } = await setUp()
  await ports.sessions.create(sampleSession())
  const suggestions = [{ label: '全巻', message: '全巻でいくら？' }]
  const sources = [{ kind: 'product', id: 'berserk', at: '2026-11-04T03:00:00.000Z' }] as const
  const { start } = sampleAdmitted({ page, interfaceLanguage: 'ja', language: 'en' })
  await append(
    sampleDelivered({ start, outcome: sampleOutcome({ suggestions, sources, contact: '窓口', language: 'ja' }) }),
    false,
  )
  const [stored] = await turns()
  assert.deepEqual(
    [stored?.page, stored?.interfaceLanguage, stored?.suggestions, stored?.sources, stored?.contact, stored?.language],
    [page, 'ja', suggestions, sources, '窓口', 'ja'],
  )
})
