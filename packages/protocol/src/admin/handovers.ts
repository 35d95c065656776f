// The inbox of requests for a person.
import Type from 'typebox'
import type { Static } from 'typebox'
import { HandoverState, HandoverView } from '../handover.ts'
import { Id, Language } from '../vocabulary.ts'
import { Paging } from './common.ts'

export const HandoversQuery = Type.Object({ ...Paging, state: Type.Optional(HandoverState) })
export type HandoversQuery = Static<typeof HandoversQuery>

export const HandoverParams = Type.Object({ handoverId: Id })

export const HandoverEntry = Type.Object({
  ...HandoverView.properties,
  userId: Type.String(),
  language: Language,
  turnId: Type.Optional(Type.String({ description: 'The last turn of the conversation when a person was asked for' })),
  changedBy: Type.Optional(Type.String({ description: 'Who took or closed it' })),
  reason: Type.Optional(Type.String({ description: 'Why it was taken or closed' })),
})
export type HandoverEntry = Static<typeof HandoverEntry>
