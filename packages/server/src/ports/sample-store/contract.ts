// The contract of the sample store. `make` returns an empty one with these limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Sample, SampleLimits, SampleStore } from './port.ts'

const ROOMY: SampleLimits = { countMax: 100, bytesMax: 1_000_000 }

const sample = (number: number, over: Partial<Sample> = {}): Sample => ({
  id: `sample_${number}`,
  turnId: `turn_${number}`,
  at: 1_793_761_200_000 + number,
  model: 'primary',
  events: [{ type: 'message_start', usage: { input_tokens: number } }, null, 'xxx'],
  eventsLeftOut: 0,
  ...over,
})

const idsIn = async (store: SampleStore): Promise<readonly string[]> => (await store.newest(100)).map(({ id }) => id)

export function sampleStoreContract(
  name: string,
  make: (context: TestContext, limits: SampleLimits) => Promise<SampleStore>,
): void {
  test(`${name}: samples are returned unchanged, newest first`, async (context) => {
    const store = await make(context, ROOMY)
    assert.deepEqual(await store.newest(5), [])
    await store.keep(sample(1))
    await store.keep(sample(2, { events: [], eventsLeftOut: 7 }))
    assert.deepEqual(await store.newest(5), [sample(2, { events: [], eventsLeftOut: 7 }), sample(1)])
    assert.deepEqual(await store.newest(1), [sample(2, { events: [], eventsLeftOut: 7 })])
  })

  test(`${name}: beyond the limit of samples the oldest are removed`, async (context) => {
    const store = await make(context, { ...ROOMY, countMax: 3 })
    for (const number of [1, 2, 3, 4, 5]) await store.keep(sample(number))
    assert.deepEqual(await idsIn(store), ['sample_5', 'sample_4', 'sample_3'])
  })

  test(`${name}: beyond the byte limit the oldest are removed, and a sample that is too large is not stored`, async (context) => {
    const store = await make(context, { ...ROOMY, bytesMax: 2500 })
    const large = (number: number) => sample(number, { events: ['あ'.repeat(300)] })
    for (const number of [1, 2, 3]) await store.keep(large(number))
    assert.deepEqual(await idsIn(store), ['sample_3', 'sample_2'])
    await store.keep(sample(4, { events: ['x'.repeat(2500)] }))
    assert.deepEqual(await idsIn(store), ['sample_3', 'sample_2'])
  })

  test(`${name}: the samples of some turns are removed, and only those`, async (context) => {
    const store = await make(context, ROOMY)
    for (const number of [1, 2, 3]) await store.keep(sample(number))
    await store.keep(sample(4, { turnId: 'turn_1' }))
    assert.deepEqual(await store.turns(), [
      { turnId: 'turn_1', at: sample(1).at },
      { turnId: 'turn_2', at: sample(2).at },
      { turnId: 'turn_3', at: sample(3).at },
      { turnId: 'turn_1', at: sample(4).at },
    ])
    assert.equal(await store.forget(new Set(['turn_1', 'turn_9'])), 2)
    assert.deepEqual(await idsIn(store), ['sample_3', 'sample_2'])
    assert.equal(await store.forget(new Set(['turn_1'])), 0)
  })

  test(`${name}: concurrent samples are all stored`, async (context) => {
    const store = await make(context, { ...ROOMY, countMax: 10 })
    await Promise.all(Array.from({ length: 20 }, (_, number) => store.keep(sample(number + 10))))
    assert.equal((await idsIn(store)).length, 10)
  })
}
