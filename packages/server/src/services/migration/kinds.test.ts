// Records are moved as they are, between any two stores; a run that ended in between is completed, and what is newer stays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRecords } from '#adapters/memory/records.ts'
import type { ShopSource } from '#ports/migration/shop-source.ts'
import type { Kind, RecordStore } from '#ports/records/port.ts'
import { everyRecordStore } from '#fixtures/stores/record-stores.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { CARTS, createCarts } from '#stores/carts.ts'
import { sampleHandover } from '#stores/handover-requests.contract.ts'
import { createHandoverRequests, HANDOVERS } from '#stores/handover-requests.ts'
import { kindPart } from './kinds.ts'
import { movePart, verifyPart } from './run-part.ts'

const KEEP_MS = 60_000
const changed = { at: NOON + 9, by: 'aki', reason: 'sent again' }
const CLOSED = { ...sampleHandover(), state: 'closed', changed } as const
const TAKEN = { ...sampleHandover({ id: 'hand_2', at: NOON + 1 }), state: 'taken', changed } as const
const OPEN = { ...sampleHandover({ id: 'hand_3', sessionId: 'sess_2', at: NOON + 1 }), state: 'open' } as const
const line = { productId: 'berserk', volume: 2, quantity: 3, seenYen: 770 }
const cart = { version: 7, lines: [line, { ...line, volume: 1 }], operations: ['op_1', 'op_2'] }
const CART = { principalId: 'user:a}b', cart, expiresAt: NOON + 30_000 }
const options = { clock: manualClock(), onProgress: () => {} }

function partOf<Value>(kind: Kind<Value>, values: readonly Value[], to: RecordStore) {
  const source = { records: () => values, countOf: () => values.length } as unknown as ShopSource
  return kindPart({ name: kind.name, kind, source, store: 'a store', target: to.open(kind) })
}

for (const [technology, open] of everyRecordStore()) {
  test(`${technology}: requests of one conversation are moved with their states, also after a run that ended in between`, async (context) => {
    const { records } = await open(context, manualClock())
    const part = partOf(HANDOVERS, [CLOSED, TAKEN, OPEN], records)
    assert.equal(part.total, 3)
    await movePart(partOf(HANDOVERS, [CLOSED], records), options)
    assert.deepEqual((await verifyPart(part, options)).examples, ['hand_2', 'hand_3'])
    for (const _run of [1, 2]) {
      await movePart(part, options)
      assert.equal((await verifyPart(part, options)).different, 0)
    }
    assert.deepEqual(await createHandoverRequests({ records }).list({ limit: 10 }), [OPEN, TAKEN, CLOSED])
  })

  test(`${technology}: a moved cart is read and changed as it was, and knows its last operations`, async (context) => {
    const { records } = await open(context, manualClock())
    const carts = createCarts({ records, keepMs: KEEP_MS })
    const more = { id: 'op_3', edits: [{ ...line, kind: 'add', quantity: 1 }] } as const
    const part = partOf(CARTS, [CART], records)
    await movePart(part, options)
    assert.deepEqual(await carts.read('user:a}b'), { version: 7, lines: cart.lines })
    assert.equal((await carts.edit('user:a}b', { ...more, id: 'op_2' })).kind, 'repeated')
    const { cart: after } = await carts.edit('user:a}b', more)
    assert.deepEqual([after.version, after.lines[0]?.quantity], [8, 4])
    await movePart(part, options)
    assert.deepEqual(await carts.read('user:a}b'), after, 'a repeat changes nothing')
    assert.deepEqual((await verifyPart(part, options)).examples, ['user:a}b'])
  })

  test(`${technology}: a moved cart expires when it would have, and an expired one is not stored`, async (context) => {
    const clock = manualClock()
    const { records } = await open(context, clock)
    const carts = createCarts({ records, keepMs: KEEP_MS })
    await movePart(partOf(CARTS, [CART, { ...CART, principalId: 'guest_2', expiresAt: NOON }], records), options)
    assert.equal((await carts.read('guest_2')).version, 0)
    await clock.advance(30_000)
    assert.equal((await carts.read('user:a}b')).version, 0)
    const emptied = { ...CART, cart: { version: 3, lines: [], operations: ['op_9'] }, expiresAt: NOON + 60_000 }
    await movePart(partOf(CARTS, [emptied], records), options)
    assert.deepEqual(await carts.read('user:a}b'), { version: 3, lines: [] })
    assert.equal((await carts.edit('user:a}b', { id: 'op_3', edits: [] })).cart.version, 4)
  })
}

test('a value that only a list has lost is a difference', async () => {
  const records = memoryRecords({ clock: manualClock() })
  const part = partOf(HANDOVERS, [OPEN], records)
  await movePart(part, options)
  const blind: RecordStore = {
    open(kind) {
      const own = records.open(kind)
      return { ...own, list: async (home, page) => (page.by === 'sessionId' ? [] : own.list(home, page)) }
    },
  }
  assert.deepEqual((await verifyPart(partOf(HANDOVERS, [OPEN], blind), options)).examples, ['hand_3'])
})
