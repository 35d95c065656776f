// Blocks of abusers: users, guests, API keys, addresses and networks.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Reason } from './common.ts'

const Target = Type.String({
  minLength: 1,
  maxLength: 256,
  description:
    'The id of a user (`user:ISSUER:ID`), a guest (`guest_…`) or an API key (`key:NAME`), an IP address, or a network such as `203.0.113.0/24` or `2001:db8::/48`',
})

export const BlockView = Type.Object({
  target: Type.String(),
  kind: Type.Enum(['user', 'key', 'guest', 'address', 'network']),
  by: Type.String(),
  at: Type.String(),
  reason: Type.String(),
  until: Type.Optional(Type.String({ description: 'It ends then; absent: it stays until it is removed' })),
})
export type BlockView = Static<typeof BlockView>

export const BlockRequest = Type.Object(
  {
    target: Target,
    until: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601: the block ends then' })),
    force: Type.Optional(
      Type.Boolean({ description: 'Blocks the server’s own machine or your own address nevertheless' }),
    ),
    reason: Reason,
  },
  { additionalProperties: false },
)
export type BlockRequest = Static<typeof BlockRequest>

export const UnblockQuery = Type.Object({ target: Target, reason: Reason })
export type UnblockQuery = Static<typeof UnblockQuery>
