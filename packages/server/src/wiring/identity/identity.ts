// The identification of callers, from the configuration and the secrets that it names: the verifier of tokens, the API keys of
// programs, the tokens of administrators. `check-identity.ts` has reported missing and invalid settings before.
import { createHmac } from 'node:crypto'
import type { TokenIssuer } from '#adapters/jose/token-verifier.ts'
import type { Config } from '#config/config.ts'
import { createAdmins } from '#edge/admin/admins.ts'
import type { IdentifyAdmin } from '#edge/admin/admins.ts'
import { createOperatorSessions } from '#edge/operators/operator-sessions.ts'
import type { OperatorSessions } from '#edge/operators/operator-sessions.ts'
import { createOperators } from '#edge/operators/operators.ts'
import type { OperatorIssuer, Operators } from '#edge/operators/operators.ts'
import type { SigningKeys } from '#edge/identity/signature.ts'
import type { DemoSignIn } from '#domain/identity/demo-members.ts'
import { createBearer } from '#edge/identity/bearer.ts'
import type { Bearer } from '#edge/identity/bearer.ts'
import { figuresGuard } from '#edge/admin/operators-only.ts'
import type { MayReadFigures } from '#edge/admin/operators-only.ts'
import { DEMO_ISSUER, DEMO_ISSUER_NAME } from '#domain/identity/demo-members.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TokenVerifier } from '#ports/token-verifier/port.ts'
import type { Environment } from '../models/model-secrets.ts'

type Issuer = Config['auth']['issuers'][number]

export interface IdentityParts extends VerifierParts {
  readonly random: Random
  readonly cookieKeys: SigningKeys
}

interface VerifierParts {
  readonly env: Environment
  readonly clock: Clock
  readonly telemetry: Telemetry
}

export interface IdentityWiring {
  readonly bearer: Bearer
  readonly identifyAdmin: IdentifyAdmin
  readonly operators: Operators
  readonly operatorSessions: OperatorSessions
  readonly mayReadFigures: MayReadFigures
  /** Present in the demo. */
  readonly demo?: DemoSignIn
}

const SKEW_MS = 60_000
const DEFAULT_TIER = 'free'
const DEMO_USE = 'ma_demo_issuer'

export async function wireIdentity(config: Config, parts: IdentityParts): Promise<IdentityWiring> {
  const { auth, server, tiers } = config
  const { clock, cookieKeys: keys, env, random, telemetry } = parts
  const demo = config.demo ? await demoParts(parts) : undefined
  const configured = auth.issuers.map((issuer) => ({
    issuer: issuer.issuer,
    name: nameOfIssuer(issuer) ?? '',
    tiers: issuer.tiers ?? {},
    defaultTier: issuer.defaultTier ?? DEFAULT_TIER,
  }))
  const issuers = demo === undefined ? configured : [DEMO_USERS]
  const verifier = demo === undefined ? await verifierOf(auth.issuers, parts) : demo.verifier
  const admins = auth.admins.map(({ hash, name, role = 'admin', tokenEnv }) => ({
    name,
    role,
    hash: hash ?? secretHash(env[tokenEnv ?? ''] ?? ''),
  }))
  const identifyAdmin = createAdmins(admins)
  const operators = createOperators({ tokens: admins, issuers: operatorIssuers(auth.issuers), verifier })
  const metricsToken = auth.metricsTokenEnv === undefined ? undefined : env[auth.metricsTokenEnv]
  const metricsHash = metricsToken === undefined ? undefined : secretHash(metricsToken)
  return {
    bearer: createBearer({ verifier, issuers, apiKeys: auth.apiKeys, tiers: new Set(Object.keys(tiers)), telemetry }),
    identifyAdmin,
    operators,
    operatorSessions: createOperatorSessions({ clock, random, keys, operators, ...auth.operatorSessions }),
    mayReadFigures: figuresGuard({ server, identifyAdmin, metricsHash }),
    ...(demo === undefined ? {} : { demo: demo.signIn }),
  }
}

const DEMO_USERS = { issuer: DEMO_ISSUER, name: DEMO_ISSUER_NAME, tiers: {}, defaultTier: DEFAULT_TIER }

/** Its secret is made from the key of the cookies, which every node has and a restart keeps. */
async function demoParts({ clock, cookieKeys: [key], telemetry }: IdentityParts) {
  const secret = createHmac('sha256', key).update(DEMO_USE).digest()
  const [{ joseTokenVerifier }, { DEMO_TOKEN_MS, demoTokenIssuer, demoTokens }] = await Promise.all([
    import('#adapters/jose/token-verifier.ts'),
    import('#adapters/jose/demo-issuer.ts'),
  ])
  const verifier: TokenVerifier = joseTokenVerifier({ clock, telemetry, issuers: [demoTokenIssuer(secret)] })
  const signIn: DemoSignIn = { tokenLifeMs: DEMO_TOKEN_MS, tokenOf: demoTokens(secret, clock) }
  return { verifier, signIn }
}

function operatorIssuers(issuers: readonly Issuer[]): readonly OperatorIssuer[] {
  return issuers.flatMap((issuer) => {
    const { operators } = issuer
    if (operators === undefined) return []
    return [{ issuer: issuer.issuer, name: nameOfIssuer(issuer) ?? '', roles: operators.roles }]
  })
}

/** The issuer's name in its users' ids; undefined when the configuration must give one. */
export function nameOfIssuer({ issuer, name }: Issuer): string | undefined {
  if (name !== undefined) return name
  const host = URL.canParse(issuer) ? new URL(issuer).hostname : issuer
  return /^[a-z0-9][a-z0-9.-]{0,62}$/.test(host) ? host : undefined
}

export function algorithmsOf({ algorithms, secretEnv }: Issuer): readonly string[] {
  return algorithms ?? (secretEnv === undefined ? ['RS256', 'ES256', 'EdDSA'] : ['HS256'])
}

async function verifierOf(issuers: readonly Issuer[], parts: VerifierParts): Promise<TokenVerifier | undefined> {
  if (issuers.length === 0) return undefined
  // Loaded only if issuers are configured, so that a shop with guests only does not load the library.
  const { joseTokenVerifier } = await import('#adapters/jose/token-verifier.ts')
  return joseTokenVerifier({ ...parts, issuers: issuers.map((issuer) => tokenIssuer(issuer, parts.env)) })
}

function tokenIssuer(issuer: Issuer, env: Environment): TokenIssuer {
  const { audience, clockSkewMs = SKEW_MS, jwksUrl, secretEnv = '', subjectClaim = 'sub', tierClaim = 'tier' } = issuer
  const keys = jwksUrl === undefined ? { secret: Buffer.from(env[secretEnv] ?? '') } : { jwksUrl }
  const operatorClaim = issuer.operators?.claim
  const claims = {
    issuer: issuer.issuer,
    subjectClaim,
    tierClaim,
    clockSkewMs,
    ...(operatorClaim === undefined ? {} : { operatorClaim }),
  }
  return { ...claims, ...(audience === undefined ? {} : { audience }), algorithms: algorithmsOf(issuer), keys }
}
