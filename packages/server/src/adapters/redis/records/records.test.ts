// Runs the contract of a store of records on Redis, and looks at the keys that it leaves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordsContract } from '#ports/records/contract.ts'
import { createCarts } from '#stores/carts.ts'
import { sampleHandover } from '#stores/handover-requests.contract.ts'
import { createHandoverRequests } from '#stores/handover-requests.ts'
import { sampleOrder } from '#stores/order-book.contract.ts'
import { createOrderBook } from '#stores/order-book.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { redisRecords } from './records.ts'

const KEEP_MS = 60_000
const open = cleanRedis()

recordsContract('redis records', async (context, clock) => {
  const redis = await open(context, clock)
  const reopen = async () => redisRecords({ redis })
  return { records: await reopen(), reopen }
})

test('every key expires, and what is removed leaves none', async (context) => {
  const redis = await open(context, manualClock())
  const records = redisRecords({ redis })
  const [carts, orders] = [createCarts({ records, keepMs: KEEP_MS }), createOrderBook({ records, keepMs: KEEP_MS })]
  const handovers = createHandoverRequests({ records })
  await carts.edit('one', { id: 'op_1', edits: [] })
  await orders.place('one', { key: 'key_1', order: sampleOrder(1) })
  await handovers.add(sampleHandover({ principalId: 'one' }))
  await handovers.move('hand_1', { from: ['open'], to: 'taken', changed: { at: 1, by: 'Aiko', reason: 'a test' } })
  const keys = async () => (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  assert.equal((await keys()).length, 9)
  for (const name of await keys()) assert.ok(Number(await redis.command(name, 'PTTL', name)) > 0, name)
  await carts.forget('one')
  await orders.forget('one')
  await handovers.forget({ principalId: 'one' })
  assert.deepEqual(await keys(), [])
})
