// Which models a caller may name: the ladder's, or those of its tier's or key's list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { modelsAllowed, modelsFor } from './ladder.ts'

const vendor = { provider: 'openai-compatible', id: 'x', baseURL: 'http://127.0.0.1:1/v1' } as const
const config: Config = {
  ...defaults,
  models: { primary: { ...vendor, fallbacks: ['spare'] }, economy: vendor, spare: vendor, secret: vendor },
  ladder: ['primary', 'economy'],
  tiers: { ...defaults.tiers, premium: { ...tier('premium'), models: ['secret'] } },
  auth: {
    ...defaults.auth,
    apiKeys: [
      { name: 'till', hash: '', tier: 'free' },
      { name: 'lab', hash: '', tier: 'free', models: ['secret', 'economy'] },
    ],
  },
}

function tier(name: string) {
  const found = defaults.tiers[name]
  assert.ok(found)
  return found
}

const who = (id: string, kind: Principal['kind'], of = 'free'): Principal => ({ id, kind, tier: of })
const allowed = (principal: Principal, given = config) => [...modelsAllowed(given, principal)].toSorted()
const LADDER = ['economy', 'primary', 'spare']

test('every caller may name the ladder’s models, unless its tier or key has its own list', () => {
  assert.deepEqual(allowed(who('guest_1', 'guest')), LADDER)
  assert.deepEqual(allowed(who('user:id:1', 'user')), LADDER)
  assert.deepEqual(allowed(who('key:till', 'key')), LADDER)
  assert.deepEqual(allowed(who('user:id:1', 'user', 'premium')), ['secret'])
  assert.deepEqual(allowed(who('key:lab', 'key')), ['economy', 'secret'])
  assert.deepEqual(allowed(who('key:lab', 'user')), LADDER, 'a list is the key’s, not a name’s')
})

test('a guest has only the ladder, whatever its tier lists', () => {
  const free = { ...tier('free'), models: ['secret', 'economy'] }
  const generous = { ...config, tiers: { ...config.tiers, free } }
  assert.deepEqual(allowed(who('guest_1', 'guest'), generous), ['economy'])
  assert.deepEqual(allowed(who('user:id:1', 'user'), generous), ['economy', 'secret'])
})

test('a model that a caller may not use is unknown to it, by name, by id and as a fallback', () => {
  const rungs = new Map(Object.keys(config.models).map((name) => [name, { name, model: { id: `id-${name}` } }]))
  const known = { rungs: rungs as unknown as Parameters<typeof modelsFor>[1]['rungs'], ladder: LADDER, config }
  const names = (model: string, of: readonly string[]) => modelsFor(model, { ...known, allowed: new Set(of) })
  assert.deepEqual(names('secret', LADDER), [])
  assert.deepEqual(names('id-secret', LADDER), [])
  assert.deepEqual(names('secret', ['secret']), ['secret'])
  assert.deepEqual(names('primary', LADDER), ['primary', 'spare'])
  assert.deepEqual(names('primary', ['primary']), ['primary'])
  assert.deepEqual(names('auto', ['economy', 'secret']), ['economy'])
})
