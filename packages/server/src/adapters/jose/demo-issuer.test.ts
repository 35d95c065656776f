// The tokens of the demo: the verifier of real issuers accepts them for two hours, and none that another secret signed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { demoSubject } from '#domain/identity/demo-subject.ts'
import { DEMO_MEMBERS } from '#domain/identity/demo-members.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { DEMO_TOKEN_MS, demoTokenIssuer, demoTokens } from './demo-issuer.ts'
import { joseTokenVerifier } from './token-verifier.ts'

const SECRET = Buffer.alloc(32, 7)

test('a member’s token proves the member and the tier until it expires', async () => {
  const clock = manualClock()
  const verifier = joseTokenVerifier({ clock, telemetry: memoryTelemetry(), issuers: [demoTokenIssuer(SECRET)] })
  const [member] = DEMO_MEMBERS
  assert.ok(member)
  const token = await demoTokens(SECRET, clock)(member, 'v1')
  const verified = await verifier.verify(token)
  assert.ok(verified.kind === 'verified')
  assert.deepEqual([verified.token.subject, verified.token.tiers], [demoSubject(member, 'v1'), [member.tier]])
  const forged = await verifier.verify(await demoTokens(Buffer.alloc(32, 8), clock)(member, 'v1'))
  assert.deepEqual(forged, { kind: 'refused', reason: 'token-signature' })
  await clock.advance(DEMO_TOKEN_MS)
  assert.deepEqual(await verifier.verify(token), { kind: 'refused', reason: 'token-expired' })
})
