// Runs the contract of the sample store on S3, and tests what only a bucket that nodes share can get wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { TEST_KEYS, TEST_REGION } from '#fixtures/stores/clean-dynamo.ts'
import { startS3 } from '#fixtures/stores/s3-server.ts'
import { sampleStoreContract } from '#ports/sample-store/contract.ts'
import type { SampleLimits } from '#ports/sample-store/port.ts'
import { systemClock } from '../../system/clock.ts'
import { openBucket } from './bucket.ts'
import { s3SampleStore } from './sample-store.ts'

const ROOMY = { countMax: 100, bytesMax: 1_000_000 }
const sample = (id: string, at: number) => ({
  id,
  turnId: `turn_${id}`,
  at,
  model: 'primary',
  events: [],
  eventsLeftOut: 0,
})

const place = (baseURL: string) => ({
  region: TEST_REGION,
  baseURL,
  credentials: TEST_KEYS,
  clock: systemClock(),
  limits: { connectMs: 5000, connectionsMax: 10 },
})

async function openS3(context: TestContext, options: { readonly callMs?: number } = {}) {
  const server = await startS3(['shop'])
  context.after(() => server[Symbol.asyncDispose]())
  const node = (limits: SampleLimits = ROOMY) => {
    const bucket = openBucket({
      ...place(server.url),
      bucket: 'shop',
      prefix: 'samples/',
      callMs: options.callMs ?? 10_000,
    })
    context.after(() => bucket[Symbol.dispose]())
    return s3SampleStore({ bucket, limits })
  }
  return { server, node }
}

sampleStoreContract('s3 sample store', async (context, limits) => (await openS3(context)).node(limits))

test('nodes share a bucket: each sees and removes the samples of all, and nothing else', async (context) => {
  const { node, server } = await openS3(context)
  const [one, other] = [node(), node({ ...ROOMY, countMax: 2 })]
  ;(server.objects('shop') as Map<string, string>).set('samples/notes.txt', 'mine')
  await one.keep(sample('a', 1_793_761_200_000))
  await one.keep(sample('b', 1_793_761_200_001))
  await other.keep(sample('c', 1_793_761_200_002))
  const ids = (await one.newest(9)).map(({ id }) => id)
  assert.deepEqual(ids, ['c', 'b'])
  assert.equal(await one.forget(new Set(['turn_c'])), 1)
  assert.deepEqual([...server.objects('shop').keys()].length, 2)
  assert.ok([...server.objects('shop').keys()].every((key) => key.startsWith('samples/')))
})

test('an erasure finds a sample behind twenty thousand others', async (context) => {
  const { node, server } = await openS3(context)
  const objects = server.objects('shop') as Map<string, string>
  for (let at = 0; at < 20_001; at += 1)
    objects.set(`samples/${String(10_000_000_000_000 + at)}-s${at}-turn_${at}.json`, '{}')
  assert.equal(await node().forget(new Set(['turn_20000'])), 1)
  assert.equal(objects.size, 20_000)
})

for (const fault of ['fail', 'deny', 'hang'] as const) {
  test(`a bucket that meets "${fault}" is unavailable, and stores again afterwards`, async (context) => {
    const { node, server } = await openS3(context, { callMs: 200 })
    const store = node()
    server.spoil(() => fault)
    await assert.rejects(store.keep(sample('a', 1)), StoreUnavailable)
    await assert.rejects(store.turns(), StoreUnavailable)
    server.spoil(() => undefined)
    await store.keep(sample('b', 2))
    assert.deepEqual(await store.turns(), [{ turnId: 'turn_b', at: 2 }])
  })
}
