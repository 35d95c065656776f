// The contract of the token verifier. `make` returns one, its clock, and a way to mint tokens of an issuer that it trusts:
// `https://id.example`, for the audience `shop`, with a minute of clock skew.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import type { TokenVerifier } from './port.ts'

export const CONTRACT_ISSUER = 'https://id.example'
export const CONTRACT_AUDIENCE = 'shop'
export const CONTRACT_SKEW_MS = 60_000

/** Times are milliseconds. */
export interface Minting {
  readonly issuer?: string
  readonly audience?: string
  readonly subject?: string
  readonly tier?: string | readonly string[]
  /** The claim of the issuer's operators. */
  readonly roles?: string | readonly string[]
  readonly expiresAt?: number
  readonly notBefore?: number
  readonly issuedAt?: number
}

export interface VerifierUnderTest {
  readonly verifier: TokenVerifier
  readonly clock: ManualClock
  readonly mint: (claims: Minting) => Promise<string>
}

const HOUR_MS = 3_600_000
const RUNS = 100

export function tokenVerifierContract(name: string, make: () => Promise<VerifierUnderTest>): void {
  test(`${name}: a valid token yields its issuer, subject, tier, roles and expiry`, async () => {
    const { clock, mint, verifier } = await make()
    const expiresAt = clock.now() + HOUR_MS
    const token = {
      issuer: CONTRACT_ISSUER,
      subject: 'あ b',
      tiers: ['premium'],
      operatorValues: ['support'],
      expiresAt: expiresAt + CONTRACT_SKEW_MS,
    }
    const given = await mint({ subject: 'あ b', tier: 'premium', roles: 'support', expiresAt })
    assert.deepEqual(await verifier.verify(given), { kind: 'verified', token })
    assert.deepEqual(await verifier.verify(given), { kind: 'verified', token }, 'also when it is shown again')
    const several = await verifier.verify(await mint({ tier: ['staff', 'standard'] }))
    assert.deepEqual(several.kind === 'verified' && several.token.tiers, ['staff', 'standard'])
    const none = await verifier.verify(await mint({}))
    assert.deepEqual(none.kind === 'verified' && none.token.tiers, [])
    assert.deepEqual(none.kind === 'verified' && none.token.operatorValues, [])
    const many = await verifier.verify(await mint({ roles: ['support', 'shop-admins'] }))
    assert.deepEqual(many.kind === 'verified' && many.token.operatorValues, ['support', 'shop-admins'])
  })

  test(`${name}: a token expires at its time plus the skew, also one that was verified before`, async () => {
    const { clock, mint, verifier } = await make()
    const token = await mint({ expiresAt: clock.now() + 10_000 })
    await clock.advance(10_000 + CONTRACT_SKEW_MS - 1)
    assert.equal((await verifier.verify(token)).kind, 'verified')
    await clock.advance(1)
    assert.deepEqual(await verifier.verify(token), { kind: 'refused', reason: 'token-expired' })
  })

  test(`${name}: a token that is not valid yet is refused until its time minus the skew`, async () => {
    const { clock, mint, verifier } = await make()
    const later = clock.now() + CONTRACT_SKEW_MS + 1000
    for (const token of [await mint({ notBefore: later }), await mint({ issuedAt: later })])
      assert.deepEqual(await verifier.verify(token), { kind: 'refused', reason: 'token-not-yet-valid' })
    await clock.advance(1000)
    assert.equal((await verifier.verify(await mint({ notBefore: later, issuedAt: later }))).kind, 'verified')
  })

  test(`${name}: another issuer's token, and one for another audience, are refused`, async () => {
    const { mint, verifier } = await make()
    const foreign = await mint({ issuer: 'https://evil.example' })
    assert.deepEqual(await verifier.verify(foreign), { kind: 'refused', reason: 'token-issuer-unknown' })
    const forOthers = await mint({ audience: 'warehouse' })
    assert.deepEqual(await verifier.verify(forOthers), { kind: 'refused', reason: 'token-audience' })
  })

  test(`${name}: a token changed in any bit is refused`, async () => {
    const { mint, verifier } = await make()
    const token = await mint({ subject: 'someone' })
    const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.= +/あ')
    const change = fc.record({
      at: fc.nat(token.length),
      cut: fc.nat(3),
      put: fc.string({ unit: letter, maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(change, async ({ at, cut, put }) => {
        const changed = token.slice(0, at) + put + token.slice(at + cut)
        fc.pre(changed !== token)
        assert.equal((await verifier.verify(changed)).kind, 'refused', changed)
      }),
      { numRuns: RUNS },
    )
    assert.equal((await verifier.verify(token)).kind, 'verified')
  })

  test(`${name}: any other input is refused without an exception`, async () => {
    const { verifier } = await make()
    for (const token of ['', '.', '..', 'a.b.c', 'null', 'x'.repeat(100_000), `${'x'.repeat(50_000)}.y.z`, '\ud800'])
      assert.equal((await verifier.verify(token)).kind, 'refused', token.slice(0, 20))
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (token) => {
        assert.equal((await verifier.verify(token)).kind, 'refused')
      }),
      { numRuns: RUNS },
    )
  })
}
