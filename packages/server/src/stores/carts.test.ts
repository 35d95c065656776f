// Runs the contract of the carts on every store of records; what earlier versions have written, a cart's size, and a race of two homes.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { packedCarts } from '#adapters/sqlite/files/commerce-tables.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { APPLICATION_ID, migrations } from '#adapters/sqlite/files/migrations.ts'
import { redisRecords } from '#adapters/redis/records/records.ts'
import { memoryRecords } from '#adapters/memory/records.ts'
import { sqliteRecords } from '#adapters/sqlite/records/records.ts'
import type { CartEdit } from '#domain/commerce/cart.ts'
import type { RecordStore } from '#ports/records/port.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { everyRecordStore } from '#fixtures/stores/record-stores.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { CART_KEEP_MS, cartsContract } from './carts.contract.ts'
import { createCarts } from './carts.ts'

const cartsIn = (records: RecordStore) => createCarts({ records, keepMs: CART_KEEP_MS })
const redisFor = cleanRedis()

for (const [technology, open] of everyRecordStore(redisFor))
  cartsContract(`${technology} carts`, async (context, clock) => {
    const { records, reopen } = await open(context, clock)
    return { carts: cartsIn(records), reopen: async () => cartsIn(await reopen()) }
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
  const carts = cartsIn(sqliteRecords({ database, clock }))
  assert.deepEqual(await carts.read('guest_1'), { version: cart.version, lines: cart.lines })
  assert.deepEqual(await carts.read('guest_2'), { version: 1, lines: [] })
  assert.equal((await carts.edit('guest_1', { id: 'op_1', edits: [] })).kind, 'repeated')
})

test('a cart in Redis whose empty lists were written by a script is read and changed', async (context) => {
  const clock = manualClock()
  const redis = await redisFor(context, clock)
  const [key, expiresAt] = ['ma:{user:guest_1}:cart', clock.now() + CART_KEEP_MS]
  await redis.command(key, 'SET', key, JSON.stringify({ version: 4, lines: {}, operations: ['op_1'], expiresAt }))
  const carts = cartsIn(redisRecords({ redis }))
  assert.deepEqual(await carts.read('guest_1'), { version: 4, lines: [] })
  assert.equal((await carts.edit('guest_1', { id: 'op_1', edits: [] })).kind, 'repeated')
  assert.equal((await carts.edit('guest_1', { id: 'op_2', edits: [] })).cart.version, 5)
  const { expiresAt: after, ...stored } = JSON.parse(String(await redis.command(key, 'GET', key))) as {
    expiresAt: number
  }
  assert.deepEqual(stored, { version: 5, lines: [], operations: ['op_1', 'op_2'] })
  assert.ok(after >= expiresAt)
})

test('a whole series takes a few kilobytes', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const edits = Array.from({ length: 220 }, (_, index): CartEdit => ({
    kind: 'add',
    productId: 'golgo-13',
    volume: index + 1,
    quantity: 1,
    seenYen: 693,
  }))
  await cartsIn(sqliteRecords({ database, clock })).edit('guest_1', { id: 'op_1', edits })
  const [row] = database.statement('SELECT length(cart) AS bytes FROM carts').all()
  assert.ok(Number(row?.['bytes']) < 30 * edits.length, `${Number(row?.['bytes'])} bytes`)
})

test('a line that is added while a user adopts the cart is adopted too', async () => {
  const records = memoryRecords({ clock: manualClock() })
  const carts = cartsIn(records)
  const add = (volume: number) =>
    ({ id: `op_${volume}`, edits: [{ kind: 'add', productId: 'nana', volume, quantity: 1, seenYen: 500 }] }) as const
  await carts.edit('guest_1', add(1))
  let isRaced = false
  const racing: RecordStore = {
    open(kind) {
      const own = records.open(kind)
      return {
        ...own,
        async list(home, page) {
          const found = await own.list(home, page)
          if (!isRaced) {
            isRaced = true
            await carts.edit('guest_1', add(2))
          }
          return found
        },
      }
    },
  }
  await cartsIn(racing).adopt('guest_1', 'user')
  assert.deepEqual(
    (await carts.read('user')).lines.map(({ volume }) => volume),
    [1, 2],
  )
  assert.equal((await carts.read('guest_1')).version, 0)
})
