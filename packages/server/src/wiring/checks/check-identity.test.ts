// All problems with issuers, keys and administrators are listed at once, without secrets.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ConfigError } from '#config/load-config.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { configure } from '../configure.ts'

const HASH = `sha256:${'a'.repeat(64)}`
const OTHER_HASH = `sha256:${'b'.repeat(64)}`

async function configured(context: TestContext, auth: object, env: Record<string, string> = {}) {
  const workspaceRoot = tempDir(context)
  writeFileSync(join(workspaceRoot, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(workspaceRoot, 'mangaassist.config.ts'), `export default ${JSON.stringify({ auth })}`)
  return (await configure({ env, workspaceRoot })).config.auth
}

async function problemsOf(context: TestContext, auth: object, env: Record<string, string> = {}) {
  try {
    await configured(context, auth, env)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error
  }
  return new ConfigError([])
}

const pathsOf = ({ problems }: ConfigError) => problems.map(({ path }) => path)
const jwks = { issuer: 'https://id.example', jwksUrl: 'https://id.example/keys' }

test('the demo is refused beside an issuer, with both named, and allowed without one', async (context) => {
  const error = await problemsOf(context, { issuers: [jwks] }, { MANGA_DEMO: 'true' })
  assert.deepEqual(pathsOf(error), ['demo'])
  assert.match(error.problems[0]?.fix ?? '', /--demo.*auth\.issuers\[0\]/)
  assert.deepEqual(pathsOf(await problemsOf(context, {}, { MANGA_DEMO: 'true' })), [])
})

test('valid issuers by address and by secret, keys and administrators are accepted', async (context) => {
  const auth = {
    issuers: [
      { ...jwks, audience: 'shop', tiers: { 'Gold Member': 'premium' }, algorithms: ['ES384'] },
      { issuer: 'legacy', secretEnv: 'SHOP_SECRET', defaultTier: 'standard' },
      { issuer: 'https://id.example/realm', name: 'realm', jwksUrl: 'http://127.0.0.1:99/keys' },
    ],
    apiKeys: [{ name: 'robot', hash: HASH, tier: 'standard' }],
    admins: [
      { name: 'aki', hash: OTHER_HASH },
      { name: 'ops', tokenEnv: 'OPS_TOKEN' },
    ],
  }
  const env = { SHOP_SECRET: 'x'.repeat(32), OPS_TOKEN: 'y'.repeat(26) }
  assert.deepEqual((await configured(context, auth, env)).issuers, auth.issuers)
  const listed = JSON.stringify([jwks])
  assert.deepEqual((await configured(context, {}, { MANGA_AUTH__ISSUERS: listed })).issuers, [jwks])
})

test('no issuer may have the name of the demo, whose users have the limits of guests', async (context) => {
  for (const issuer of [
    { ...jwks, name: 'demo' },
    { ...jwks, issuer: 'https://demo/' },
  ]) {
    const error = await problemsOf(context, { issuers: [issuer] })
    assert.deepEqual(pathsOf(error), ['auth.issuers[0].name'])
  }
})

test('all problems are reported at once, each with its setting', async (context) => {
  const error = await problemsOf(
    context,
    {
      issuers: [
        { issuer: 'https://one.example' },
        { ...jwks, secretEnv: 'SHOP_SECRET' },
        { issuer: 'https://http.example', jwksUrl: 'http://http.example/keys' },
        { issuer: 'https://short.example', secretEnv: 'SHORT_SECRET' },
        { issuer: 'https://unset.example', secretEnv: 'UNSET_SECRET' },
        { issuer: 'https://mixed.example', jwksUrl: 'https://mixed.example/k', algorithms: ['RS256', 'HS256'] },
        { issuer: 'https://secret.example', secretEnv: 'SHOP_SECRET', algorithms: ['RS256'] },
        { issuer: 'Our Shop', secretEnv: 'SHOP_SECRET' },
        { ...jwks, issuer: 'https://tiers.example', tiers: { gold: 'platinum' }, defaultTier: 'gratis' },
        { ...jwks, issuer: 'https://tiers.example/two' },
        { ...jwks, issuer: 'https://tiers.example', name: 'twice' },
      ],
      apiKeys: [
        { name: 'robot', hash: HASH, tier: 'platinum' },
        { name: 'robot', hash: HASH, tier: 'free' },
      ],
      admins: [{ name: 'aki' }, { name: 'ops', tokenEnv: 'OPS_TOKEN' }, { name: 'both', hash: HASH }],
    },
    { SHOP_SECRET: 'x'.repeat(40), SHORT_SECRET: 'hunter2', OPS_TOKEN: 'hunter2' },
  )
  assert.deepEqual(pathsOf(error).toSorted(), [
    'auth.admins[0]',
    'auth.admins[1].tokenEnv',
    'auth.admins[2].hash',
    'auth.apiKeys[0].tier',
    'auth.apiKeys[1].hash',
    'auth.apiKeys[1].name',
    'auth.issuers[0]',
    'auth.issuers[10].issuer',
    'auth.issuers[1]',
    'auth.issuers[2].jwksUrl',
    'auth.issuers[3].secretEnv',
    'auth.issuers[4].secretEnv',
    'auth.issuers[5].algorithms',
    'auth.issuers[6].algorithms',
    'auth.issuers[7].name',
    'auth.issuers[8].defaultTier',
    'auth.issuers[8].tiers.gold',
    'auth.issuers[9].name',
  ])
  assert.doesNotMatch(error.message, /hunter2/)
})

test('an invalid shape is reported once, and a secret in the wrong setting is not shown', async (context) => {
  const auth = {
    issuers: [{ ...jwks, algorithms: ['none'] }, { issuer: 'https://two.example', secretEnv: 'hunter2' }, 'x'],
    apiKeys: [
      { name: 'robot', hash: 'mak_hunter2', tier: 'free' },
      { name: 'no-hash', tier: 'free' },
    ],
    admins: [{ name: 'aki', tokenEnv: 'hunter2' }],
  }
  const error = await problemsOf(context, auth)
  assert.deepEqual(pathsOf(error).toSorted(), [
    'auth.admins[0].tokenEnv',
    'auth.apiKeys[0].hash',
    'auth.apiKeys[1].hash',
    'auth.issuers[0].algorithms[0]',
    'auth.issuers[1].secretEnv',
    'auth.issuers[2]',
  ])
  assert.doesNotMatch(error.message, /hunter2/)
  assert.deepEqual(pathsOf(await problemsOf(context, { issuers: 'x' })), ['auth.issuers'])
  assert.deepEqual(pathsOf(await problemsOf(context, { issuers: {} })), ['auth.issuers'])
})

test('operators of an issuer need its audience, and roles that exist', async (context) => {
  const operators = { claim: 'groups', roles: { admins: 'admin' } }
  assert.deepEqual(pathsOf(await problemsOf(context, { issuers: [{ ...jwks, operators }] })), [
    'auth.issuers[0].audience',
  ])
  const issuers = [{ ...jwks, audience: 'shop', operators }]
  assert.deepEqual((await configured(context, { issuers })).issuers, issuers)
  const boss = [{ ...jwks, audience: 'shop', operators: { claim: 'groups', roles: { admins: 'boss' } } }]
  assert.deepEqual(pathsOf(await problemsOf(context, { issuers: boss })), ['auth.issuers[0].operators.roles.admins'])
  const unknown = [{ name: 'aki', hash: HASH, role: 'boss' }]
  assert.deepEqual(pathsOf(await problemsOf(context, { admins: unknown })), ['auth.admins[0].role'])
})
