// Who is believed to be whom: issuers of tokens, keys of programs, administrators, and tickets for pages. Secrets are never
// here: digests of them, or names of the variables that hold them. A part of `config.ts`.
import Type from 'typebox'
import { EnvironmentName, section } from './section.ts'

/** `sha256:` and the digest in hex, as `mangaassist keygen` prints it. */
const Hash = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  description: 'sha256: and 64 hexadecimal digits, as mangaassist keygen prints it',
})
const ShortName = Type.String({
  pattern: '^[a-z0-9][a-z0-9.-]{0,62}$',
  description: 'a name of small letters, digits, dots and dashes, at most 63, that begins with a letter or a digit',
})

/** Whose JSON Web Tokens are believed, and what is read from them. */
const Issuer = section({
  /** The `iss` of its tokens, letter by letter. */
  issuer: Type.String({ minLength: 1 }),
  /** In the ids of its users, so it stays as it is for ever. Default: the host of `issuer`. */
  name: Type.Optional(ShortName),
  /** The `aud` that its tokens must name. Without it a token that the issuer made for another program is good here too. */
  audience: Type.Optional(Type.String({ minLength: 1 })),
  /** Where it publishes its keys; or the variable of the environment that holds the secret it signs with, 32 bytes or more. */
  jwksUrl: Type.Optional(Type.String({ pattern: '^https?://.+', description: 'an https address' })),
  secretEnv: Type.Optional(EnvironmentName),
  /** No other is taken, whatever a token says. Default: RS256, ES256 and EdDSA for keys, HS256 for a secret. */
  algorithms: Type.Optional(
    Type.Array(Type.Enum(['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA', 'HS256', 'HS384', 'HS512']), {
      minItems: 1,
    }),
  ),
  /** Which user of the issuer it is. Default: sub. */
  subjectClaim: Type.Optional(Type.String({ minLength: 1 })),
  /** A tier, or a list of which the first that exists counts. Default: tier. */
  tierClaim: Type.Optional(Type.String({ minLength: 1 })),
  /** From what `tierClaim` says to names of tiers. */
  tiers: Type.Optional(
    Type.Record(Type.String({ pattern: '^.{1,128}$' }), Type.String(), {
      description: 'a text of 1 to 128 characters',
    }),
  ),
  /** Of users whose token names no existing tier. Default: free. */
  defaultTier: Type.Optional(Type.String()),
  /** How far its clock and ours may differ. Default: a minute. */
  clockSkewMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
})

export const Auth = section({
  /** How long a ticket opens the API to a widget on another site; the widget gets new ones by itself. */
  ticketMs: Type.Integer({ minimum: 1000 }),
  /**
   * Whether `/v1` takes guests: by cookie, by ticket, and by the key `guest`, one for each network address. They may ask
   * for models of the ladder. Default: only while no vendor's model is configured.
   */
  v1Guests: Type.Optional(Type.Boolean()),
  /** Who vouches for users. */
  issuers: Type.Array(Issuer),
  /** Programs that may ask, each with a key of its own, of which only the digest is here. */
  apiKeys: Type.Array(
    section({
      name: ShortName,
      hash: Hash,
      tier: Type.String(),
      /** Names of models that it may ask for on `/v1`. Default: those of its tier. */
      models: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    }),
  ),
  /** The variable that holds the token by which `/metrics` and the details of `/readyz` are read from elsewhere. */
  metricsTokenEnv: Type.Optional(EnvironmentName),
  /** Who may use the admin API: the digest of a token, or the variable of the environment that holds the token. */
  admins: Type.Array(section({ name: ShortName, hash: Type.Optional(Hash), tokenEnv: Type.Optional(EnvironmentName) })),
})
