// Authentication: issuers of tokens, API keys, administrators, and tickets for pages. It never contains secrets, only
// their digests or the names of the environment variables that hold them. A part of `config.ts`.
import Type from 'typebox'
import { TAG_PATTERN } from '#domain/identity/principal.ts'
import { EnvironmentName, section } from './section.ts'

/** `sha256:` and the digest in hex, as `mangaassist keygen` prints it. */
const Hash = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  description: 'sha256: and 64 hexadecimal digits, as mangaassist keygen prints it',
})
const Role = Type.Enum(['viewer', 'operator', 'admin'])
const ShortName = Type.String({
  pattern: '^[a-z0-9][a-z0-9.-]{0,62}$',
  description:
    'a name of lower-case letters, digits, dots and dashes, at most 63, that begins with a letter or a digit',
})

/** An issuer whose JSON Web Tokens are accepted, and the claims that are read from them. */
const Issuer = section({
  /** The exact `iss` of its tokens. */
  issuer: Type.String({ minLength: 1 }),
  /** Part of the ids of its users, so it must never change. Default: the host of `issuer`. */
  name: Type.Optional(ShortName),
  /** The `aud` that its tokens must have. Without it, a token that was issued for another program is accepted too. */
  audience: Type.Optional(Type.String({ minLength: 1 })),
  /** The address of its public keys. Either this or `secretEnv` is needed. */
  jwksUrl: Type.Optional(Type.String({ pattern: '^https?://.+', description: 'an https address' })),
  /** The environment variable that holds the secret with which it signs, at least 32 bytes. */
  secretEnv: Type.Optional(EnvironmentName),
  /** The accepted algorithms. Default: RS256, ES256 and EdDSA for keys, HS256 for a secret. */
  algorithms: Type.Optional(
    Type.Array(Type.Enum(['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA', 'HS256', 'HS384', 'HS512']), {
      minItems: 1,
    }),
  ),
  /** The claim that identifies the user. Default: sub. */
  subjectClaim: Type.Optional(Type.String({ minLength: 1 })),
  /** The claim that has the tier, or a list of which the first existing tier counts. Default: tier. */
  tierClaim: Type.Optional(Type.String({ minLength: 1 })),
  /** Maps values of `tierClaim` to names of tiers. */
  tiers: Type.Optional(
    Type.Record(Type.String({ pattern: '^.{1,128}$' }), Type.String(), {
      description: 'a text of 1 to 128 characters',
    }),
  ),
  /** The tier of users whose token names no existing tier. Default: free. */
  defaultTier: Type.Optional(Type.String()),
  /** Lets people of this issuer sign in as operators; needs `audience`. Default: none of them. */
  operators: Type.Optional(
    section({
      /** The claim that has a value, or a list of values, of `roles`. */
      claim: Type.String({ minLength: 1 }),
      /** Maps values of the claim to roles; of several the highest counts. */
      roles: Type.Record(Type.String({ pattern: '^.{1,128}$' }), Role, {
        description: 'a text of 1 to 128 characters',
        minProperties: 1,
      }),
    }),
  ),
  /** How far the clocks of issuer and server may differ. Default: one minute. */
  clockSkewMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
})

export const Auth = section({
  /** How long a ticket of a widget on another site is valid; the widget renews it by itself. */
  ticketMs: Type.Integer({ minimum: 1000 }),
  /**
   * Whether `/v1` accepts guests: by cookie, by ticket, and by the key `guest`, which is one guest for each network
   * address. They may use models of the ladder. Default: only while no vendor's model is configured.
   */
  v1Guests: Type.Optional(Type.Boolean()),
  /** The issuers whose tokens are accepted for users. */
  issuers: Type.Array(Issuer),
  /** Programs that may ask, each with the digest of its own key. */
  apiKeys: Type.Array(
    section({
      name: ShortName,
      hash: Hash,
      tier: Type.String(),
      /** Names of the models that it may use on `/v1`. Default: those of its tier. */
      models: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
      /** What its use is booked under in the ledger, unless a request of it says otherwise. */
      tag: Type.Optional(
        Type.String({ pattern: TAG_PATTERN, description: 'letters, digits and . : / _ -, at most 64 characters' }),
      ),
    }),
  ),
  /** The environment variable that holds the token for `/metrics` and the details of `/readyz` from other machines. */
  metricsTokenEnv: Type.Optional(EnvironmentName),
  /**
   * Operators with an admin token: each has the digest of a token, or the environment variable that holds the token.
   */
  admins: Type.Array(
    section({
      name: ShortName,
      hash: Type.Optional(Hash),
      tokenEnv: Type.Optional(EnvironmentName),
      /** What it may do: read, act, or everything. Default: admin. */
      role: Type.Optional(Role),
    }),
  ),
  /** The sessions of operators who sign in with a browser. */
  operatorSessions: section({
    /** The longest life of a session. */
    lifeMs: Type.Integer({ minimum: 60_000, maximum: 604_800_000 }),
    /** A session without a request for so long has ended. */
    idleMs: Type.Integer({ minimum: 60_000, maximum: 604_800_000 }),
  }),
})
