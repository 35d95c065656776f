// What setup finds and makes for the bucket of the samples, and what it leaves alone.
import {
  GetBucketLifecycleConfigurationCommand,
  PutBucketLifecycleConfigurationCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { TEST_KEYS, TEST_REGION } from '#fixtures/stores/clean-dynamo.ts'
import { startS3 } from '#fixtures/stores/s3-server.ts'
import { systemClock } from '../../system/clock.ts'
import { bucketSteps } from './bucket-setup.ts'
import { s3ClientOf } from './bucket.ts'

const THEIRS = { ID: 'theirs', Status: 'Enabled', Filter: { Prefix: 'logs/' }, Expiration: { Days: 1 } } as const

async function started(context: TestContext, buckets: readonly string[]) {
  const server = await startS3(buckets)
  context.after(() => server[Symbol.asyncDispose]())
  const limits = { connectMs: 5000, connectionsMax: 10 }
  const address = { region: TEST_REGION, baseURL: server.url, credentials: TEST_KEYS }
  const client = s3ClientOf({ ...address, clock: systemClock(), limits })
  context.after(() => client.destroy())
  const parts = { client, clock: systemClock(), region: TEST_REGION, bucket: 'shop', prefix: 'samples/' }
  return { server, client, parts, states: async () => (await bucketSteps(parts)).map(({ state }) => state) }
}

async function addTheirs(client: S3Client): Promise<void> {
  const LifecycleConfiguration = { Rules: [THEIRS] }
  await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket: 'shop', LifecycleConfiguration }))
}

async function rulesOf(client: S3Client) {
  return (await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: 'shop' }))).Rules ?? []
}

test('setup makes a bucket that is closed and forgets samples, once, and keeps the rules of others', async (context) => {
  const { client, parts, states } = await started(context, [])
  assert.deepEqual(await states(), ['missing', 'missing', 'missing'])
  const [bucket, ...settings] = await bucketSteps(parts)
  await bucket?.apply?.()
  // The steps were examined before there was a rule: it is read again before it is written.
  await addTheirs(client)
  for (const { apply } of settings) await apply?.()
  assert.deepEqual(
    (await rulesOf(client)).map(({ ID }) => ID),
    ['theirs', 'mangaassist-samples'],
  )
  assert.deepEqual(await states(), ['present', 'present', 'present'])
})

test('nothing is made in a bucket that could not be checked, and the rules of others stay', async (context) => {
  const { client, parts, server } = await started(context, ['shop'])
  await addTheirs(client)
  server.spoil(({ method }) => (method === 'HEAD' ? 'deny' : undefined))
  const steps = await bucketSteps(parts)
  assert.match(steps[0]?.detail ?? '', /^AccessDenied: the credentials may not do it/)
  assert.deepEqual(
    steps.map(({ apply, state }) => `${state} ${typeof apply}`),
    Array(3).fill('unknown undefined'),
  )
  assert.deepEqual(
    (await rulesOf(client)).map(({ ID }) => ID),
    ['theirs'],
  )
})

test('a rule without an end for the old versions of samples differs, and is replaced', async (context) => {
  const { client, parts, states } = await started(context, ['shop'])
  for (const { apply } of await bucketSteps(parts)) await apply?.()
  const [own] = await rulesOf(client)
  assert.equal(own?.NoncurrentVersionExpiration?.NoncurrentDays, 1)
  const { NoncurrentVersionExpiration: _, ...old } = own
  const LifecycleConfiguration = { Rules: [old] }
  await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket: 'shop', LifecycleConfiguration }))
  assert.deepEqual(await states(), ['present', 'present', 'differs'])
})

test('rules that cannot be read are not overwritten', async (context) => {
  const { client, parts, server } = await started(context, ['shop'])
  await addTheirs(client)
  const expiry = (await bucketSteps(parts)).at(-1)
  server.spoil(({ method, query }) => (method === 'GET' && query.has('lifecycle') ? 'deny' : undefined))
  await assert.rejects(async () => expiry?.apply?.(), S3ServiceException)
  server.spoil(() => undefined)
  assert.deepEqual(
    (await rulesOf(client)).map(({ ID }) => ID),
    ['theirs'],
  )
})
