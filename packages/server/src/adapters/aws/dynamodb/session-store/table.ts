// The table of conversations and the keys of its items. A conversation's items share a partition: its head, its summary, its turns, and
// an entry for each turn id. A principal's partition has an entry for each of their conversations. Keys within a conversation contain its
// life, a random name given at its creation, so that nothing of a removed conversation is ever taken for part of a new one.
import type { TableShape } from '../client/table-shape.ts'

export const sessionsTable: TableShape = {
  name: 'sessions',
  partition: { name: 'pk', type: 'S' },
  sort: { name: 'sk', type: 'S' },
  indexes: [],
  actions: ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
  expiresBy: 'expiresAt',
}

// An interface would not be an `Item`.
export type ItemKey = { readonly pk: string; readonly sk: string }

/** What names a conversation's items. */
export interface ConversationId {
  readonly id: string
  readonly life: string
}

/** Begins the sort keys of the head and of the summary: one query reads both. */
export const HEADS = 'head'
const VERSION_DIGITS = 10

export const conversationOf = (sessionId: string): string => `conversation#${sessionId}`
export const headKey = (sessionId: string): ItemKey => ({ pk: conversationOf(sessionId), sk: HEADS })
export const summaryKey = ({ id, life }: ConversationId): ItemKey => ({
  pk: conversationOf(id),
  sk: `${HEADS}#${life}`,
})
export const storedTurnKey = ({ id, life }: ConversationId, version: number): ItemKey => ({
  pk: conversationOf(id),
  sk: `turn#${life}#${digitsOf(version)}`,
})
export const partKey = ({ id, life }: ConversationId, version: number, index: number): ItemKey => ({
  pk: conversationOf(id),
  sk: `part#${life}#${digitsOf(version)}#${index}`,
})
export const turnIdKey = ({ id, life }: ConversationId, turnId: string): ItemKey => ({
  pk: conversationOf(id),
  sk: `id#${life}#${turnId}`,
})

export const principalOf = (principalId: string): string => `principal#${principalId}`
export const ownedKey = (principalId: string, sessionId: string): ItemKey => ({
  pk: principalOf(principalId),
  sk: sessionId,
})

function digitsOf(version: number): string {
  return String(version).padStart(VERSION_DIGITS, '0')
}
