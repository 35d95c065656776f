// What the log shows of the configuration: what differs from the defaults, and no secret.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { effectiveSettings } from './effective-settings.ts'

const shown = (over: object) => JSON.parse(effectiveSettings({ ...defaults, ...over }).settings)

test('only what differs from its default is shown, by its path', () => {
  assert.deepEqual(shown({}), {})
  const { server, streaming } = defaults
  const changed = { server: { ...server, port: 3000 }, streaming: { ...streaming, flushMs: 50 }, ladder: ['primary'] }
  assert.deepEqual(shown(changed), { 'server.port': 3000, 'streaming.flushMs': 50, 'ladder[0]': 'primary' })
})

test('secrets are hidden, and the names of variables that hold them are shown', () => {
  const key = 'a'.repeat(64)
  assert.deepEqual(
    shown({
      state: { ...defaults.state, redis: 'redis://user:secret@redis.internal:6379/0?x=1' },
      auth: { ...defaults.auth, keys: [{ name: 'shop', sha256: key, tier: 'free' }], admins: [{ name: key }] },
      models: { primary: { provider: 'openai', baseURL: 'https://u:p@host.example/v1', apiKeyEnv: 'OPENAI_API_KEY' } },
      store: { ...defaults.store, handover: { url: `https://hooks.example/services/T0/${'x'.repeat(24)}` } },
    }),
    {
      'state.redis': 'redis://redis.internal:6379/0',
      'auth.keys[0].name': 'shop',
      'auth.keys[0].sha256': '(hidden)',
      'auth.keys[0].tier': 'free',
      'auth.admins[0].name': '(hidden)',
      'models.primary.provider': 'openai',
      'models.primary.baseURL': 'https://host.example/v1',
      'models.primary.apiKeyEnv': 'OPENAI_API_KEY',
      'store.handover.url': 'https://hooks.example/services/T0/(hidden)',
    },
  )
})

test('the line is bounded, and says how many settings it leaves out', () => {
  const allowedOrigins = Array.from({ length: 500 }, (_, index) => `https://shop-${index}.example`)
  const { leftOut, settings } = effectiveSettings({
    ...defaults,
    server: { ...defaults.server, allowedOrigins },
  })
  assert.ok(settings.length <= 6000)
  assert.equal(leftOut + Object.keys(JSON.parse(settings)).length, 500)
})
