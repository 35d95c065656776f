// The contract of the estimator store. `make` returns an empty one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { merge, NOTHING_LEARNT, observe } from '#domain/estimator/calibration.ts'
import type { Calibration } from '#domain/estimator/calibration.ts'
import { PARTS_COUNT } from '#domain/estimator/features.ts'
import type { EstimatorStore } from './port.ts'

const learnt = (actual: number): Calibration => observe(new Float64Array(PARTS_COUNT).fill(4), 100, actual)

export function estimatorStoreContract(name: string, make: (context: TestContext) => Promise<EstimatorStore>): void {
  test(`${name}: a key is empty until something is learned under it`, async (context) => {
    const store = await make(context)
    assert.equal(await store.load('model a'), undefined)
    await store.merge('model a', learnt(110))
    assert.deepEqual(await store.load('model a'), learnt(110))
    assert.equal(await store.load('model b'), undefined)
  })

  test(`${name}: what is learned is added to the stored value, and the sum is returned`, async (context) => {
    const store = await make(context)
    assert.deepEqual(await store.merge('model', learnt(110)), learnt(110))
    const sum = await store.merge('model', learnt(90))
    assert.deepEqual(sum, merge(learnt(110), learnt(90)))
    assert.deepEqual(await store.load('model'), sum)
  })

  test(`${name}: concurrent updates of many nodes all count`, async (context) => {
    const store = await make(context)
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.merge('model', learnt(90 + index))))
    assert.equal((await store.load('model'))?.observations, 20)
  })

  test(`${name}: a value in another format is ignored`, async (context) => {
    const store = await make(context)
    await store.merge('model', { ...NOTHING_LEARNT, observations: 9, targets: [1] })
    assert.deepEqual(await store.merge('model', learnt(110)), learnt(110))
  })
}
