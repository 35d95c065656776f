// What setup plans and makes for samples in S3, what doctor says of it, and that a server stores them there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#adapters/system/clock.ts'
import { checkStoreSetups } from '#cli/doctor/store-setups.ts'
import { defaults } from '#config/config.ts'
import { startS3 } from '#fixtures/stores/s3-server.ts'
import { openSamples } from '../stores/samples.ts'
import { planSetup } from './plan-setup.ts'

const env = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'ap-northeast-1' }
const sample = { id: 'sample_1', turnId: 'turn_1', at: 1, model: 'primary', events: [], eventsLeftOut: 0 }

test('setup makes the bucket of the samples, doctor tries it, and a server uses it', async (context) => {
  const server = await startS3()
  context.after(() => server[Symbol.asyncDispose]())
  const s3 = { ...defaults.s3, bucket: 'my-shop', endpoint: server.url }
  const config = { ...defaults, s3, stores: { samples: 's3' } } as const
  assert.deepEqual(await planSetup(defaults, env), [])
  const [before] = await planSetup(config, env)
  assert.deepEqual(
    [before?.store, before?.steps.map(({ state }) => state)],
    [`S3 (${server.url})`, Array(3).fill('missing')],
  )
  assert.match(JSON.stringify(before?.policies), /arn:aws:s3:::my-shop\/mangaassist\/samples\/\*/)
  assert.ok((await checkStoreSetups(config, env)).some(({ ok }) => !ok))
  for (const { apply } of before?.steps ?? []) await apply?.()
  const findings = await checkStoreSetups(config, env)
  assert.deepEqual(
    findings.map(({ check, ok }) => [check, ok]),
    [
      [`S3 (${server.url})`, true],
      ['rights for the samples in my-shop', true],
    ],
  )
  using opened = new DisposableStack()
  const store = await openSamples(config, { folder: '/nowhere', clock: systemClock(), env, opened })
  await store.keep(sample)
  assert.deepEqual([...server.objects('my-shop').keys()], ['mangaassist/samples/99999999999998-sample_1-turn_1.json'])
  server.spoil(({ method }) => (method === 'PUT' ? 'deny' : undefined))
  const denied = (await checkStoreSetups(config, env)).at(-1)
  assert.deepEqual([denied?.ok, denied?.detail.includes('S3 failed at put')], [false, true])
})
