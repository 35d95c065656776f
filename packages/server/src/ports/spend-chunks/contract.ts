// The contract of the spend chunks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import type { SpendAccount, SpendChunks } from './port.ts'

type Make = (context: TestContext) => Promise<SpendChunks>

const DAY = { key: '2026-04-01', endsAt: Date.parse('2026-04-02T00:00:00+09:00') }
const STORE: SpendAccount = { name: 'store', day: DAY, limitMicroUsd: 1000 }

export function spendChunksContract(name: string, make: Make): void {
  test(`${name}: chunks are granted up to the limit, and none smaller than the least useful amount`, async (context) => {
    const chunks = await make(context)
    assert.deepEqual(await chunks.lease(STORE, { least: 10, most: 400 }, 'a'), {
      grantedMicroUsd: 400,
      leftMicroUsd: 600,
    })
    assert.equal((await chunks.lease(STORE, { least: 100, most: 590 }, 'b')).grantedMicroUsd, 590)
    assert.deepEqual(await chunks.lease(STORE, { least: 20, most: 400 }, 'c'), { grantedMicroUsd: 0, leftMicroUsd: 10 })
    assert.equal((await chunks.lease(STORE, { least: 5, most: 400 }, 'd')).grantedMicroUsd, 10)
    assert.equal(await chunks.taken(STORE), 1000)
  })

  test(`${name}: a repeat takes nothing and gets the same result`, async (context) => {
    const chunks = await make(context)
    const first = await chunks.lease(STORE, { least: 1, most: 300 }, 'a')
    assert.deepEqual(await chunks.lease(STORE, { least: 1, most: 300 }, 'a'), first)
    assert.equal(await chunks.taken(STORE), 300)
  })

  test(`${name}: returned money can be leased again, once and never more than was taken`, async (context) => {
    const chunks = await make(context)
    await chunks.lease(STORE, { least: 1, most: 1000 }, 'a')
    await chunks.giveBack(STORE, 400, 'back')
    await chunks.giveBack(STORE, 400, 'back')
    assert.equal(await chunks.taken(STORE), 600)
    await chunks.giveBack(STORE, 9000, 'more')
    assert.equal(await chunks.taken(STORE), 0)
  })

  test(`${name}: spending beyond a chunk is counted once, also beyond the limit`, async (context) => {
    const chunks = await make(context)
    await chunks.lease(STORE, { least: 1, most: 900 }, 'a')
    await chunks.charge(STORE, 300, 'over')
    await chunks.charge(STORE, 300, 'over')
    assert.equal(await chunks.taken(STORE), 1200)
    assert.deepEqual(await chunks.lease(STORE, { least: 1, most: 10 }, 'b'), { grantedMicroUsd: 0, leftMicroUsd: 0 })
  })

  test(`${name}: half, four fifths and all of the limit are each reported once a day`, async (context) => {
    const chunks = await make(context)
    const reached = async (most: number, operation: string) =>
      (await chunks.lease(STORE, { least: 1, most }, operation)).reached
    assert.equal(await reached(499, 'a'), undefined)
    assert.equal(await reached(1, 'b'), 50)
    await chunks.giveBack(STORE, 100, 'back')
    assert.equal(await reached(100, 'c'), undefined)
    assert.equal(await reached(500, 'd'), 100)
    await chunks.giveBack(STORE, 300, 'back again')
    assert.equal(await reached(200, 'e'), undefined)
  })

  test(`${name}: accounts and days are independent`, async (context) => {
    const chunks = await make(context)
    await chunks.lease(STORE, { least: 1, most: 1000 }, 'a')
    assert.equal(
      (await chunks.lease({ ...STORE, name: 'guests' }, { least: 1, most: 1000 }, 'a')).grantedMicroUsd,
      1000,
    )
    const next = { key: '2026-04-02', endsAt: DAY.endsAt + 86_400_000 }
    assert.equal((await chunks.lease({ ...STORE, day: next }, { least: 1, most: 1000 }, 'a')).grantedMicroUsd, 1000)
  })

  test(`${name}: concurrent leases that are not returned never exceed the limit`, async (context) => {
    const chunks = await make(context)
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ least: fc.integer({ min: 1, max: 200 }), more: fc.nat(300), back: fc.nat(100) }), {
          maxLength: 20,
        }),
        async (asks) => {
          run += 1
          const account = { ...STORE, day: { ...DAY, key: `run ${run}` } }
          const granted = await Promise.all(
            asks.map(async ({ least, more, back }, index) => {
              const { grantedMicroUsd } = await chunks.lease(account, { least, most: least + more }, `${run} ${index}`)
              const returned = Math.min(back, grantedMicroUsd)
              if (returned > 0) await chunks.giveBack(account, returned, `${run} ${index} back`)
              assert.ok(grantedMicroUsd === 0 || grantedMicroUsd >= least)
              return grantedMicroUsd - returned
            }),
          )
          const sum = granted.reduce((total, one) => total + one, 0)
          assert.ok(sum <= 1000)
          assert.equal(await chunks.taken(account), sum)
        },
      ),
      { numRuns: 30 },
    )
  })
}
