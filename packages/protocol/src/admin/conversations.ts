// Conversations of shoppers, for operators.
import Type from 'typebox'
import type { Static } from 'typebox'
import { SessionDetail } from '../api.ts'
import { Id } from '../vocabulary.ts'
import { Paging, Reason } from './common.ts'

export const ConversationParams = Type.Object({ sessionId: Id })

export const ConversationQuery = Type.Object({
  reason: Type.Unsafe<string>({ ...Reason, description: 'Why the conversation is read, for the audit; not blank' }),
})
export type ConversationQuery = Static<typeof ConversationQuery>

export const ConversationView = Type.Object({
  ...SessionDetail.properties,
  userId: Type.String({ description: 'Whose conversation it is' }),
  expired: Type.Boolean({ description: 'The shopper can no longer continue or read it' }),
})
export type ConversationView = Static<typeof ConversationView>

export const ConversationsQuery = Type.Object({ ...Paging })
export type ConversationsQuery = Static<typeof ConversationsQuery>

export const ConversationOutline = Type.Object({
  sessionId: Type.String(),
  turns: Type.Integer(),
  createdAt: Type.String(),
  lastActiveAt: Type.String(),
  expired: Type.Boolean(),
})
export type ConversationOutline = Static<typeof ConversationOutline>
