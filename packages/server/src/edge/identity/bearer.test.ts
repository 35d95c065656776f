// The identity proved by a token or a key: the id, the tier, and the reason of a refusal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { memoryTokenVerifier } from '#adapters/memory/token-verifier.ts'
import type { KnownToken } from '#adapters/memory/token-verifier.ts'
import { Refusal } from '#domain/refusal.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import type { TokenVerifier } from '#ports/token-verifier/port.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { createBearer } from './bearer.ts'

const ID = 'https://id.example'
const OTHER = 'https://other.example/realm'
const issuers = [
  { issuer: ID, name: 'id', tiers: { gold: 'premium', free: 'standard' }, defaultTier: 'free' },
  { issuer: OTHER, name: 'other', tiers: {}, defaultTier: 'standard' },
]

function setUp(tokens: Readonly<Record<string, Partial<KnownToken>>>, verifier?: TokenVerifier) {
  const telemetry = memoryTelemetry()
  const known = Object.entries(tokens).map(([name, token]): [string, KnownToken] => [
    name,
    { issuer: ID, subject: 'one', tiers: [], operatorValues: [], expiresAt: NOON + 1000, ...token },
  ])
  const bearer = createBearer({
    verifier: verifier ?? memoryTokenVerifier({ clock: manualClock(), tokens: new Map(known) }),
    issuers,
    apiKeys: [{ name: 'robot', hash: secretHash('mak_secret'), tier: 'standard', tag: 'nightly' }],
    tiers: new Set(['free', 'standard', 'premium']),
    telemetry,
  })
  return { bearer, telemetry }
}

const refused = (code: string, reason: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code && error.details?.['reason'] === reason

test('the same subject of two issuers is two users, whatever the subject contains', async () => {
  const { bearer } = setUp({ 'a.a.a': { subject: 'x:{y}' }, 'b.b.b': { subject: 'x:{y}', issuer: OTHER } })
  const [one, two] = await Promise.all(['a.a.a', 'b.b.b'].map(bearer))
  assert.deepEqual(one, {
    principal: { id: 'user:id:x%3A%7By%7D', kind: 'user', tier: 'free' },
    expiresAt: NOON + 1000,
  })
  assert.equal(two?.principal.id, 'user:other:x%3A%7By%7D')
  assert.equal(two?.principal.tier, 'standard')
  const long = setUp({ 'a.a.a': { subject: 'あ'.repeat(200) }, 'b.b.b': { subject: `${'あ'.repeat(199)}い` } })
  const ids = await Promise.all(['a.a.a', 'b.b.b'].map(async (token) => (await long.bearer(token)).principal.id))
  for (const id of ids) assert.match(id, /^user:id:=[\w-]{43}$/)
  assert.notEqual(ids[0], ids[1])
})

test('a tier is found by the issuer’s word for it or by its name; the first existing tier counts', async () => {
  for (const [tiers, tier] of [
    [['premium'], 'premium'],
    [['gold'], 'premium'],
    [['free'], 'standard'],
    [['staff', 'gold', 'standard'], 'premium'],
    [[], 'free'],
    [['constructor'], 'free'],
  ] as const) {
    const { bearer } = setUp({ 'a.a.a': { tiers } })
    assert.equal((await bearer('a.a.a')).principal.tier, tier, tiers.join())
  }
})

test('an unknown tier becomes the issuer’s default, counted each time and logged once', async () => {
  const { bearer, telemetry } = setUp({ 'a.a.a': { tiers: ['platinum'] } })
  for (let times = 0; times < 3; times += 1) assert.equal((await bearer('a.a.a')).principal.tier, 'free')
  assert.equal(telemetry.counted.filter(({ name }) => name === 'auth_tier_unknown_total').length, 3)
  assert.deepEqual(
    telemetry.logged.map(({ event, fields }) => [event, fields]),
    [['auth.tier-unknown', { issuer: 'id', defaultTier: 'free' }]],
  )
})

test('a key is stored as its digest, and the digest is not a key', async () => {
  const { bearer } = setUp({})
  assert.deepEqual(await bearer('mak_secret'), {
    principal: { id: 'key:robot', kind: 'key', tier: 'standard', tag: 'nightly' },
  })
  for (const key of ['mak_secre', 'MAK_SECRET', 'robot', secretHash('mak_secret'), secretHash('mak_secret').slice(7)])
    await assert.rejects(bearer(key), refused('UNAUTHENTICATED', 'key-unknown'))
})

test('an invalid credential is refused with its reason, and one that cannot be checked now is not called invalid', async () => {
  const { bearer } = setUp({ 'a.a.a': { expiresAt: NOON }, 'b.b.b': { issuer: 'https://unknown.example' } })
  await assert.rejects(bearer('a.a.a'), refused('UNAUTHENTICATED', 'token-expired'))
  await assert.rejects(bearer('b.b.b'), refused('UNAUTHENTICATED', 'token-issuer-unknown'))
  await assert.rejects(bearer('x.y.z'), refused('UNAUTHENTICATED', 'token-malformed'))
  const unreachable = setUp({}, { verify: async () => ({ kind: 'unavailable', retryAfterMs: 2000 }) })
  await assert.rejects(unreachable.bearer('x.y.z'), refused('MAINTENANCE', 'issuer-unreachable'))
})
