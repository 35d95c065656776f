// Verifies JSON Web Tokens of configured issuers. The algorithms are pinned for each issuer and never taken from the token;
// keys come from the issuer's address or are a shared secret. Verified tokens are cached by their digest, so that a client
// that comes a thousand times costs one signature check.
import { createHash } from 'node:crypto'
import { compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose'
import type { CompactJWSHeaderParameters, CryptoKey } from 'jose'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TokenVerifier, Verification, VerifiedToken } from '#ports/token-verifier/port.ts'
import { judgeClaims } from './claims.ts'
import type { ClaimRules } from './claims.ts'
import { RemoteKeys } from './remote-keys.ts'
import type { KeysAnswer } from './remote-keys.ts'

export interface TokenIssuer extends ClaimRules {
  readonly algorithms: readonly string[]
  readonly keys: { readonly jwksUrl: string } | { readonly secret: Uint8Array }
}

export interface JoseTokenVerifierParts {
  readonly issuers: readonly TokenIssuer[]
  readonly clock: Clock
  readonly telemetry: Telemetry
}

const TOKEN_LENGTH_MAX = 8192
const TOKEN_SHAPE = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/
const REMEMBERED_MAX = 10_000
/** A withdrawn key is accepted at most this much longer. */
const REMEMBERED_MS = 5 * 60_000

interface Trusted {
  readonly issuer: TokenIssuer
  /** Undefined for an issuer with a shared secret. */
  readonly remote: RemoteKeys | undefined
}

const refused = (reason: (Verification & { kind: 'refused' })['reason']): Verification => ({ kind: 'refused', reason })

export function joseTokenVerifier({ clock, issuers, telemetry }: JoseTokenVerifierParts): TokenVerifier {
  const trusted = new Map(
    issuers.map((issuer): [string, Trusted] => {
      const { keys } = issuer
      const remote = 'jwksUrl' in keys ? new RemoteKeys({ url: keys.jwksUrl, clock, telemetry }) : undefined
      return [issuer.issuer, { issuer, remote }]
    }),
  )
  const remembered = new BoundedMap<string, { readonly token: VerifiedToken; readonly until: number }>(REMEMBERED_MAX)

  function remember(digest: string, token: VerifiedToken): void {
    remembered.set(digest, { token, until: clock.now() + REMEMBERED_MS })
  }

  /** With its expiry in the time of `now`, which is ahead of the machine's after that was set back. */
  function accepted(token: VerifiedToken): Verification {
    const leftMs = token.expiresAt - clock.machineTime()
    return { kind: 'verified', token: { ...token, expiresAt: clock.now() + leftMs } }
  }

  async function judge(token: string): Promise<Verification> {
    const read = readUnverified(token)
    if (read === undefined) return refused('token-malformed')
    const found = trusted.get(read.issuer)
    if (found === undefined) return refused('token-issuer-unknown')
    if (!found.issuer.algorithms.includes(read.header.alg)) return refused('token-algorithm')
    const answer = await keysOf(found, read.header, token)
    if (answer.kind === 'unavailable') return answer
    if (answer.kind === 'unknown') return refused('token-key-unknown')
    const claims = await claimsIn(token, answer.keys, found.issuer.algorithms)
    if (claims === undefined) return refused('token-signature')
    const judged = judgeClaims(claims, found.issuer, clock.machineTime())
    return typeof judged === 'string' ? refused(judged) : { kind: 'verified', token: judged }
  }

  return {
    async verify(token) {
      if (token.length > TOKEN_LENGTH_MAX) return refused('token-too-long')
      if (!isCanonical(token)) return refused('token-malformed')
      const digest = createHash('sha256').update(token).digest('base64')
      const known = remembered.get(digest)
      if (known !== undefined && clock.now() < known.until && clock.machineTime() < known.token.expiresAt)
        return accepted(known.token)
      const verification = await judge(token)
      if (verification.kind !== 'verified') return verification
      remember(digest, verification.token)
      return accepted(verification.token)
    },
  }
}

/** Three parts in canonical base64url: unused bits that no signature covers must not make a second valid token. */
function isCanonical(token: string): boolean {
  const parts = TOKEN_SHAPE.exec(token)?.slice(1) ?? []
  return parts.length > 0 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

/** Read only to choose the issuer's rules; nothing of it is trusted. */
function readUnverified(token: string): { issuer: string; header: CompactJWSHeaderParameters } | undefined {
  try {
    const { iss } = decodeJwt(token)
    const { alg, ...header } = decodeProtectedHeader(token)
    if (typeof iss !== 'string' || typeof alg !== 'string') return undefined
    return { issuer: iss, header: { ...header, alg } }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}

type Keys = Exclude<KeysAnswer, { kind: 'keys' }> | { readonly kind: 'keys'; readonly keys: readonly Key[] }
type Key = CryptoKey | Uint8Array

async function keysOf({ issuer, remote }: Trusted, header: CompactJWSHeaderParameters, token: string): Promise<Keys> {
  if (remote === undefined) return { kind: 'keys', keys: 'secret' in issuer.keys ? [issuer.keys.secret] : [] }
  const [head = '', payload = '', signature = ''] = token.split('.')
  return remote.keysFor(header, { protected: head, payload, signature })
}

async function claimsIn(
  token: string,
  keys: readonly Key[],
  algorithms: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (const key of keys) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [...algorithms] })
      return JSON.parse(Buffer.from(payload).toString('utf8')) as Record<string, unknown>
    } catch (error) {
      // A key of the wrong kind for the algorithm throws a TypeError: it did not sign this token.
      if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error
    }
  }
  return undefined
}
