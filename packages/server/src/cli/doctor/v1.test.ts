// What doctor reports about guests on /v1.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { describeV1 } from './v1.ts'

const primary = { provider: 'openai-compatible', id: 'x', baseURL: 'http://127.0.0.1:1/v1' } as const

test('doctor reports who may use the models, and warns when guests may use paid models', () => {
  assert.match(describeV1(testConfig).detail, /open to guests.*closes by itself/)
  const paid = { ...defaults, models: { primary }, ladder: ['primary'] }
  assert.deepEqual(describeV1(paid), { check: '/v1', ok: true, detail: 'keys and signed-in users only' })
  const open = describeV1({ ...paid, auth: { ...paid.auth, v1Guests: true } })
  assert.deepEqual([open.ok, open.isWarning], [true, true])
})
