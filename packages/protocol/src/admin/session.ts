// Operators: their roles, and the session of one who signed in with a browser.
import Type from 'typebox'
import type { Static } from 'typebox'

/** In rising order: each may do what the ones before may. */
export const ROLES = ['viewer', 'operator', 'admin'] as const
export const Role = Type.Enum([...ROLES], {
  description:
    '`viewer` reads, without the texts of conversations; `operator` also acts; `admin` also exports and erases people and imports',
})
export type Role = (typeof ROLES)[number]

/** The header that a change by cookie must carry, with `csrfToken` of the session. */
export const CSRF_HEADER = 'x-csrf-token'

export const SignInRequest = Type.Object({
  token: Type.String({
    minLength: 1,
    maxLength: 8192,
    description:
      'An admin token, or a JSON Web Token of an issuer whose claim names a role (`auth.issuers[].operators`)',
  }),
})
export type SignInRequest = Static<typeof SignInRequest>

export const Capabilities = Type.Object({
  cluster: Type.Boolean({ description: 'Several nodes share their state through Redis' }),
  experiments: Type.Boolean(),
  handover: Type.Boolean({ description: 'A person of the shop can be called to a conversation' }),
  prewarm: Type.Boolean({ description: 'Answers are prewarmed by schedule' }),
  routing: Type.Boolean({ description: 'Each question goes to the cheapest model that should answer it well' }),
  vendorModels: Type.Boolean({ description: 'A model besides the built-in responder is configured' }),
  sharedCatalogue: Type.Boolean({ description: 'An import reaches all nodes' }),
})
export type Capabilities = Static<typeof Capabilities>

export const SessionView = Type.Object({
  name: Type.String({ description: 'The name in the audit' }),
  role: Role,
  by: Type.Enum(['token', 'issuer'], { description: 'What the operator signed in with' }),
  expiresAt: Type.Optional(
    Type.String({ description: 'The session ends then in any case; absent for a request with a token' }),
  ),
  idleMs: Type.Optional(Type.Integer({ description: 'It ends so long after the last request' })),
  csrfToken: Type.Optional(Type.String({ description: `Send it as \`${CSRF_HEADER}\` with every change` })),
  timeZone: Type.String({ description: 'The shop’s: a day in the admin API is a day of this zone' }),
  capabilities: Capabilities,
})
export type SessionView = Static<typeof SessionView>

export const SignedOut = Type.Object({ signedOut: Type.Literal(true) })
export type SignedOut = Static<typeof SignedOut>
