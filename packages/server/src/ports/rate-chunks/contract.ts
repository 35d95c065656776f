// The contract of the rate chunks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import type { RateChunks } from './port.ts'

type Make = (context: TestContext) => Promise<{ readonly chunks: RateChunks; readonly clock: ManualClock }>

const BUCKET = { name: 'global', perSecond: 10, burst: 20 }

export function rateChunksContract(name: string, make: Make): void {
  test(`${name}: chunks are granted up to the burst, then as the bucket refills`, async (context) => {
    const { chunks, clock } = await make(context)
    assert.deepEqual(await chunks.lease(BUCKET, 15, 'op_1'), { granted: 15, retryAfterMs: 0 })
    assert.deepEqual(await chunks.lease(BUCKET, 15, 'op_2'), { granted: 5, retryAfterMs: 0 })
    assert.deepEqual(await chunks.lease(BUCKET, 1, 'op_3'), { granted: 0, retryAfterMs: 100 })
    await clock.advance(300)
    assert.deepEqual(await chunks.lease(BUCKET, 15, 'op_4'), { granted: 3, retryAfterMs: 0 })
  })

  test(`${name}: a repeat takes nothing, and a refusal is not stored`, async (context) => {
    const { chunks, clock } = await make(context)
    for (let repeat = 0; repeat < 3; repeat += 1)
      assert.deepEqual(await chunks.lease(BUCKET, 20, 'op_1'), { granted: 20, retryAfterMs: 0 })
    assert.equal((await chunks.lease(BUCKET, 1, 'op_2')).granted, 0)
    await clock.advance(100)
    assert.equal((await chunks.lease(BUCKET, 1, 'op_2')).granted, 1)
  })

  test(`${name}: every caller has a bucket, and none of them is the shared one`, async (context) => {
    const { chunks } = await make(context)
    const own = (of: string) => ({ ...BUCKET, of, burst: 2 })
    for (const caller of ['acct_1', 'a}b'])
      assert.deepEqual(await chunks.lease(own(caller), 3, 'op_1'), { granted: 2, retryAfterMs: 0 })
    assert.equal((await chunks.lease(own('acct_1'), 1, 'op_2')).granted, 0)
    assert.equal((await chunks.lease(BUCKET, 20, 'op_1')).granted, 20)
    await chunks.giveBack(own('acct_1'), 1, 'op_1')
    assert.equal((await chunks.lease(own('acct_1'), 3, 'op_3')).granted, 1)
  })

  test(`${name}: returned tokens can be leased again, once and never more than were taken`, async (context) => {
    const { chunks } = await make(context)
    await chunks.lease(BUCKET, 12, 'op_1')
    await chunks.lease(BUCKET, 8, 'op_2')
    await chunks.giveBack(BUCKET, 5, 'op_1')
    await chunks.giveBack(BUCKET, 5, 'op_1')
    await chunks.giveBack(BUCKET, 99, 'op_2')
    await chunks.giveBack(BUCKET, 3, 'op_unknown')
    assert.equal((await chunks.lease(BUCKET, 20, 'op_3')).granted, 13)
  })

  test(`${name}: tokens that have refilled by themselves are not returned as well`, async (context) => {
    const { chunks, clock } = await make(context)
    await chunks.lease(BUCKET, 8, 'op_1')
    await clock.advance(2000)
    await chunks.lease(BUCKET, 20, 'op_2')
    await chunks.giveBack(BUCKET, 8, 'op_1')
    assert.equal((await chunks.lease(BUCKET, 1, 'op_3')).granted, 0)
  })

  test(`${name}: buckets are independent`, async (context) => {
    const { chunks } = await make(context)
    await chunks.lease(BUCKET, 20, 'op_1')
    assert.equal((await chunks.lease({ ...BUCKET, name: 'chat' }, 20, 'op_1')).granted, 20)
  })

  test(`${name}: concurrent leases get exactly the burst`, async (context) => {
    const { chunks } = await make(context)
    const leases = Array.from({ length: 40 }, (_, index) => chunks.lease(BUCKET, 1 + (index % 3), `op_${index}`))
    const sum = (await Promise.all(leases)).reduce((total, { granted }) => total + granted, 0)
    assert.equal(sum, 20)
  })
}
