// Runs the contract of the token verifier with real tokens, with a shared secret and with keys of every kind from a real
// server. Also tests pinned algorithms, key rotation and unreachable issuers.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CompactSign, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import type { CryptoKey } from 'jose'
import {
  CONTRACT_AUDIENCE,
  CONTRACT_ISSUER,
  CONTRACT_SKEW_MS,
  tokenVerifierContract,
} from '#ports/token-verifier/contract.ts'
import type { Minting } from '#ports/token-verifier/contract.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { signedToken, signingPair, startKeyServer } from '#fixtures/edge/token-issuer.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { joseTokenVerifier } from './token-verifier.ts'
import type { TokenIssuer } from './token-verifier.ts'

const SECRET = Buffer.alloc(32, 7)
const MINUTE_MS = 60_000
const rules = {
  issuer: CONTRACT_ISSUER,
  audience: CONTRACT_AUDIENCE,
  subjectClaim: 'sub',
  tierClaim: 'tier',
  operatorClaim: 'roles',
  clockSkewMs: CONTRACT_SKEW_MS,
}
const withSecret: TokenIssuer = { ...rules, algorithms: ['HS256'], keys: { secret: SECRET } }

function claimsOf(minting: Minting, now: number): Record<string, unknown> {
  const seconds = (ms: number) => ms / 1000
  const {
    audience = CONTRACT_AUDIENCE,
    expiresAt = now + 3_600_000,
    issuedAt,
    issuer,
    notBefore,
    roles,
    subject,
    tier,
  } = minting
  return {
    iss: issuer ?? CONTRACT_ISSUER,
    aud: audience,
    sub: subject ?? 'one',
    exp: seconds(expiresAt),
    ...(tier === undefined ? {} : { tier }),
    ...(roles === undefined ? {} : { roles }),
    ...(issuedAt === undefined ? {} : { iat: seconds(issuedAt) }),
    ...(notBefore === undefined ? {} : { nbf: seconds(notBefore) }),
  }
}

const bySecret = (claims: Record<string, unknown>, secret: Uint8Array = SECRET, alg = 'HS256') =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(secret)

tokenVerifierContract('jose with a secret', async () => {
  const clock = manualClock()
  const verifier = joseTokenVerifier({ clock, issuers: [withSecret], telemetry: memoryTelemetry() })
  return { clock, verifier, mint: (minting) => bySecret(claimsOf(minting, clock.now())) }
})

for (const alg of ['RS256', 'ES256', 'EdDSA']) {
  const pair = signingPair('k1', alg)
  const server = pair.then((one) => startKeyServer(one))
  after(async () => (await server)[Symbol.asyncDispose]())
  tokenVerifierContract(`jose with ${alg} from an address`, async () => {
    const clock = manualClock()
    const issuer = { ...rules, algorithms: [alg], keys: { jwksUrl: (await server).url } }
    const verifier = joseTokenVerifier({ clock, issuers: [issuer], telemetry: memoryTelemetry() })
    // The deadline of a fetch uses the same clock: a test must not move it during a fetch.
    await verifier.verify(await signedToken(await pair, claimsOf({}, clock.now())))
    return { clock, verifier, mint: async (minting) => signedToken(await pair, claimsOf(minting, clock.now())) }
  })
}

/** Starts a server of keys, and makes a verifier for its issuer. */
async function setUp(...kids: readonly string[]) {
  const pairs = await Promise.all(kids.map((kid) => signingPair(kid)))
  const server = await startKeyServer(...pairs)
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const issuer: TokenIssuer = { ...rules, algorithms: ['ES256'], keys: { jwksUrl: server.url } }
  const verifier = joseTokenVerifier({ clock, issuers: [issuer], telemetry })
  let people = 0
  /** A token for another subject each time, so that the verifier's cache does not help. */
  const answer = async (pair = pairs[0]) => {
    assert.ok(pair)
    people += 1
    const verification = await verifier.verify(
      await signedToken(pair, claimsOf({ subject: `p${people}` }, clock.now())),
    )
    return verification.kind === 'refused' ? verification.reason : verification.kind
  }
  /** Waits until a background fetch has ended, because its deadline uses the same clock. */
  const fetched = async (times: number) => {
    const fetches = () => telemetry.counted.filter(({ name }) => name === 'auth_key_fetch_total').length
    await waitUntil(`${times} fetches of keys`, () => fetches() >= times)
  }
  return {
    answer,
    clock,
    fetched,
    pairs,
    server,
    telemetry,
    verifier,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

test('only the pinned algorithm is accepted: not none, not a public key used as a secret, not a stronger one', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const pair = await signingPair('k1', 'RS256')
  await using server = await startKeyServer(pair)
  const issuer = { ...rules, algorithms: ['RS256'], keys: { jwksUrl: server.url } }
  const clock = manualClock()
  const verifier = joseTokenVerifier({ clock, issuers: [issuer], telemetry: memoryTelemetry() })
  const claims = claimsOf({}, clock.now())
  const reason = async (token: string) => {
    const verification = await verifier.verify(token)
    return verification.kind === 'refused' ? verification.reason : verification.kind
  }
  assert.equal(await reason(new UnsecuredJWT(claims).encode()), 'token-malformed')
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AA`
  assert.equal(await reason(none), 'token-algorithm')
  const published = (await importJWK(pair.publicJwk, 'RS256', { extractable: true })) as CryptoKey
  const asSecret = new TextEncoder().encode(await exportSPKI(published))
  assert.equal(await reason(await bySecret(claims, asSecret)), 'token-algorithm')
  assert.equal(await reason(await signedToken(await signingPair('k1', 'RS512'), claims)), 'token-algorithm')
  const stranger = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' })
  assert.equal(await reason(await stranger.sign(privateKey)), 'token-signature')
  // A key inside the token proves only that its maker has it.
  const carried = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
  assert.equal(await reason(await carried.sign(privateKey)), 'token-signature')
  const critical = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1', crit: ['b64'], b64: true })
  assert.equal(await reason(await critical.sign(pair.privateKey)), 'verified')
  assert.equal(await reason(await signedToken(pair, claims)), 'verified')
})

test('a token without an expiry, without a subject or with invalid times is refused', async () => {
  const clock = manualClock()
  const verifier = joseTokenVerifier({ clock, issuers: [withSecret], telemetry: memoryTelemetry() })
  const good = claimsOf({}, clock.now())
  const broken = [
    { ...good, exp: undefined },
    { ...good, exp: '2099-01-01' },
    { ...good, nbf: 'soon' },
    { ...good, sub: undefined },
    { ...good, sub: '' },
    { ...good, sub: 7 },
    { ...good, sub: 'x'.repeat(256) },
  ]
  for (const claims of broken) {
    const token = await rawToken(claims)
    assert.deepEqual(await verifier.verify(token), { kind: 'refused', reason: 'token-claims' }, JSON.stringify(claims))
  }
  const other = await bySecret(good, Buffer.alloc(32, 8))
  assert.deepEqual(await verifier.verify(other), { kind: 'refused', reason: 'token-signature' })
})

/** Built as raw JSON, because the library refuses to make such a token. */
async function rawToken(claims: object): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify(claims))
  return new CompactSign(payload).setProtectedHeader({ alg: 'HS256' }).sign(SECRET)
}

test('a token of one issuer is not accepted as that of another', async () => {
  const clock = manualClock()
  const second: TokenIssuer = { ...withSecret, issuer: 'https://other.example', keys: { secret: Buffer.alloc(32, 9) } }
  const verifier = joseTokenVerifier({ clock, issuers: [withSecret, second], telemetry: memoryTelemetry() })
  const claims = claimsOf({ issuer: 'https://other.example' }, clock.now())
  assert.equal((await verifier.verify(await bySecret(claims))).kind, 'refused')
  const verification = await verifier.verify(await bySecret(claims, Buffer.alloc(32, 9)))
  assert.equal(verification.kind === 'verified' && verification.token.issuer, 'https://other.example')
})

test('key rotation: one more fetch finds a new key, and a withdrawn key is refused', async () => {
  await using world = await setUp('k1', 'k2')
  const { answer, clock, pairs, server } = world
  server.published = pairs.slice(0, 1)
  assert.equal(await answer(), 'verified')
  assert.equal(server.asked, 1)
  server.published = pairs.slice(1)
  await clock.advance(10_000)
  assert.equal(await answer(pairs[1]), 'verified')
  assert.equal(server.asked, 2)
  assert.equal(await answer(pairs[0]), 'token-key-unknown')
})

test('tokens with unknown key ids cause at most one fetch per interval', async () => {
  await using world = await setUp('k1')
  const { answer, clock, server } = world
  const made = await signingPair('made-up')
  for (let tokens = 0; tokens < 20; tokens += 1) assert.equal(await answer(made), 'token-key-unknown')
  await Promise.all(Array.from({ length: 20 }, () => answer(made)))
  assert.equal(server.asked, 1)
  await clock.advance(10_000)
  await Promise.all(Array.from({ length: 20 }, () => answer(made)))
  assert.equal(server.asked, 2)
})

test('the known keys of an unreachable issuer are valid for a day; a token with an unknown key cannot be judged', async () => {
  await using world = await setUp('k1', 'k2')
  const { answer, clock, fetched, pairs, server, telemetry } = world
  server.published = pairs.slice(0, 1)
  assert.equal(await answer(), 'verified')
  server.status = 500
  await clock.advance(11 * MINUTE_MS)
  assert.equal(await answer(), 'verified')
  await fetched(2)
  assert.equal(await answer(pairs[1]), 'unavailable')
  assert.equal(
    telemetry.logged.some(({ event }) => event === 'auth.key-fetch-failed'),
    true,
  )
  server.status = 200
  server.published = pairs
  await clock.advance(2000)
  assert.equal(await answer(pairs[1]), 'verified')
  for (const body of ['{', 'null', '{"keys":7}', '"x"', JSON.stringify({ keys: [], filler: 'x'.repeat(300_000) })]) {
    server.body = body
    await clock.advance(11 * MINUTE_MS)
    assert.equal(await answer(), 'verified', body.slice(0, 20))
  }
  await clock.advance(25 * 60 * MINUTE_MS)
  assert.equal(await answer(), 'unavailable')
})

test('with an issuer that is unreachable or too slow, a token is neither accepted nor called forged', async () => {
  const pair = await signingPair('k1')
  await using server = await startKeyServer(pair)
  server.delayMs = 60_000
  const clock = manualClock()
  const issuer: TokenIssuer = { ...rules, algorithms: ['ES256'], keys: { jwksUrl: server.url } }
  const verifier = joseTokenVerifier({ clock, issuers: [issuer], telemetry: memoryTelemetry() })
  const token = await signedToken(pair, claimsOf({}, clock.now()))
  const answer = verifier.verify(token)
  await waitUntil('the issuer is asked', () => server.asked > 0)
  await clock.advance(3000)
  assert.deepEqual(await answer, { kind: 'unavailable', retryAfterMs: 2000 })
  assert.equal(clock.timers(), 0)

  const nowhere: TokenIssuer = { ...issuer, keys: { jwksUrl: 'http://127.0.0.1:9/jwks.json' } }
  const now = systemClock()
  const lost = joseTokenVerifier({ clock: now, issuers: [nowhere], telemetry: memoryTelemetry() })
  assert.equal((await lost.verify(await signedToken(pair, claimsOf({}, now.now())))).kind, 'unavailable')
})

test('a token without a key id is checked with every suitable key', async () => {
  await using world = await setUp('k1', 'k2')
  const { clock, pairs, verifier } = world
  for (const pair of pairs) {
    const nameless = new SignJWT(claimsOf({}, clock.now())).setProtectedHeader({ alg: 'ES256' })
    assert.equal((await verifier.verify(await nameless.sign(pair.privateKey))).kind, 'verified')
  }
})

test('a verified token needs no key for five minutes', async () => {
  await using world = await setUp('k1')
  const { clock, fetched, pairs, server, verifier } = world
  assert.ok(pairs[0])
  const token = await signedToken(pairs[0], claimsOf({}, clock.now()))
  assert.equal((await verifier.verify(token)).kind, 'verified')
  server.published = [await signingPair('k9')]
  await clock.advance(5 * MINUTE_MS - 1)
  assert.equal((await verifier.verify(token)).kind, 'verified')
  await clock.advance(6 * MINUTE_MS)
  await verifier.verify(token)
  await fetched(2)
  await clock.advance(5 * MINUTE_MS)
  assert.equal((await verifier.verify(token)).kind, 'refused')
})

test('after the machine’s clock was wrong, tokens are judged by the corrected one, with their true time left', async () => {
  const clock = manualClock()
  const verifier = joseTokenVerifier({ clock, issuers: [withSecret], telemetry: memoryTelemetry() })
  const token = await bySecret(claimsOf({}, clock.now()))
  const before = await verifier.verify(token)
  assert.ok(before.kind === 'verified')
  clock.setMachineTime(26 * 60 * MINUTE_MS)
  assert.deepEqual(await verifier.verify(token), { kind: 'refused', reason: 'token-expired' })
  // The server had followed the clock, and continues from there.
  clock.setMachineTime(0)
  await clock.advance(26 * 60 * MINUTE_MS)
  clock.setMachineTime(-26 * 60 * MINUTE_MS)
  const after = await verifier.verify(token)
  assert.ok(after.kind === 'verified')
  assert.equal(after.token.expiresAt - clock.now(), before.token.expiresAt - NOON)
})
