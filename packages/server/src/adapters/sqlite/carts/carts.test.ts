// Runs the contract of the carts on SQLite, with one file opened twice; carts of an earlier version, and their size.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { CartEdit } from '#domain/commerce/cart.ts'
import { CART_KEEP_MS, cartsContract } from '#ports/carts/contract.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { packedCarts } from '../files/commerce-tables.ts'
import { openDatabase } from '../files/database.ts'
import { APPLICATION_ID, migrations } from '../files/migrations.ts'
import { sqliteCarts } from './carts.ts'

cartsContract('sqlite carts', async (context, clock) => {
  const path = join(tempDir(context), 'test.sqlite')
  const reopen = async () => {
    const database = openDatabase({ path, clock })
    context.after(() => database.close())
    return sqliteCarts({ database, clock, keepMs: CART_KEEP_MS })
  }
  return { carts: await reopen(), reopen }
})

test('a cart of an earlier version is the same, with its lines in their order and its last operations', async (context) => {
  const path = join(tempDir(context), 'test.sqlite')
  const clock = manualClock()
  const line = (productId: string, volume: number) => ({ productId, volume, quantity: 2, seenYen: 693 })
  const cart = { version: 7, lines: [line('golgo-13', 2), line('golgo-13', 1), line('nana', 1)], operations: ['op_1'] }
  {
    using database = new DatabaseSync(path)
    const before = migrations.slice(0, migrations.indexOf(packedCarts))
    for (const step of before) database.exec(step)
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${before.length}`)
    const insert = database.prepare('INSERT INTO carts (principal_id, expires_at, cart) VALUES (?, ?, ?)')
    for (const [id, stored] of [
      ['guest_1', cart],
      ['guest_2', { version: 1, lines: [], operations: [] }],
    ] as const)
      insert.run(id, clock.now() + CART_KEEP_MS, JSON.stringify(stored))
  }
  const database = openDatabase({ path, clock })
  context.after(() => database.close())
  const carts = sqliteCarts({ database, clock, keepMs: CART_KEEP_MS })
  assert.deepEqual(await carts.read('guest_1'), { version: cart.version, lines: cart.lines })
  assert.deepEqual(await carts.read('guest_2'), { version: 1, lines: [] })
  assert.equal((await carts.edit('guest_1', { id: 'op_1', edits: [] })).kind, 'repeated')
})

test('a whole series takes a few kilobytes', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const carts = sqliteCarts({ database, clock, keepMs: CART_KEEP_MS })
  const edits = Array.from({ length: 220 }, (_, index): CartEdit => ({
    kind: 'add',
    productId: 'golgo-13',
    volume: index + 1,
    quantity: 1,
    seenYen: 693,
  }))
  await carts.edit('guest_1', { id: 'op_1', edits })
  const [row] = database.statement('SELECT length(cart) AS bytes FROM carts').all()
  assert.ok(Number(row?.['bytes']) < 30 * edits.length, `${Number(row?.['bytes'])} bytes`)
})
