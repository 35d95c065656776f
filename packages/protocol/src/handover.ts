// A shopper's way to a person: what the shop's desk is, what is passed on, and the state of the request.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Count, Id, Language } from './vocabulary.ts'

export const HANDOVER_NOTE_MAX = 1000

export const HandoverState = Type.Enum(['open', 'taken', 'closed'], {
  description: '`open`: it waits for the shop’s staff; `taken`: a member of staff sees to it; `closed`: it is settled.',
})
export type HandoverState = Static<typeof HandoverState>

const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@<>"]+@[^\\s@<>"]+$',
  description: 'Where the desk may answer.',
})
const OrderNumber = Type.String({ minLength: 1, maxLength: 40, pattern: '^[\\w#-]+$' })
const Note = Type.String({ minLength: 1, maxLength: HANDOVER_NOTE_MAX, description: 'What else the desk should know.' })

export const HandoverAsk = Type.Object({
  email: Type.Optional(Email),
  orderNumber: Type.Optional(OrderNumber),
  note: Type.Optional(Note),
  /** The language in which the shopper wishes to be answered. Default: that of the conversation. */
  language: Type.Optional(Language),
})
export type HandoverAsk = Static<typeof HandoverAsk>

/** A request for a person, as the shopper sees it. */
export const HandoverView = Type.Object({
  handoverId: Id,
  sessionId: Id,
  state: HandoverState,
  at: Type.String({ description: 'When it was asked, ISO 8601.' }),
  changedAt: Type.Optional(Type.String({ description: 'When it was taken or closed.' })),
  email: Type.Optional(Type.String()),
  orderNumber: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
})
export type HandoverView = Static<typeof HandoverView>

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export const DeskHours = Type.Object({
  days: Type.Array(Type.Enum([...DAYS])),
  from: Type.String({ description: '`HH:MM` in the time zone of the shop.' }),
  to: Type.String({ description: '`HH:MM`; not after `from`: on the next day.' }),
})
export type DeskHours = Static<typeof DeskHours>

/** The people who answer. Without `isOpen` the shop has not said when they do. */
export const DeskView = Type.Object({
  name: Type.String(),
  contact: Type.String({ description: 'How a shopper reaches the desk without this request.' }),
  timeZone: Type.String(),
  hours: Type.Array(DeskHours),
  isOpen: Type.Optional(Type.Boolean()),
  closesAt: Type.Optional(Type.String({ description: 'While it is open: ISO 8601.' })),
  opensAt: Type.Optional(Type.String({ description: 'While it is closed: ISO 8601.' })),
})
export type DeskView = Static<typeof DeskView>

export const HandoverPreview = Type.Object({
  desk: DeskView,
  /** What the desk gets besides what the shopper writes into the request. */
  passesOn: Type.Object({
    turns: Type.Unsafe<number>({ ...Count, description: 'The questions and answers of the conversation.' }),
    orderNumber: Type.Optional(
      Type.String({ description: 'An order number that the shopper named, to be offered as `orderNumber`.' }),
    ),
  }),
  /** The newest request of the conversation. Unless it is closed, asking again returns it. */
  request: Type.Optional(HandoverView),
})
export type HandoverPreview = Static<typeof HandoverPreview>
