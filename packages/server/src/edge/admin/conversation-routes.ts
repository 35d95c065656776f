// The admin API for conversations of shoppers. Which conversations a person has is shown without a word of them; a text is read with a reason, which is
// in the audit before it is sent.
import {
  ConversationOutline,
  ConversationParams,
  ConversationQuery,
  ConversationsQuery,
  ConversationView,
  UserParams,
} from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { answers, answersInPages, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

const LIMIT_DEFAULT = 100

const readConversation = {
  schema: {
    operationId: 'adminReadConversation',
    summary: 'A conversation as it was written, with a reason',
    description:
      'The newest 200 turns, also of a conversation that has expired for the shopper. Each read is in the audit as `transcript-read`.',
    params: ConversationParams,
    querystring: ConversationQuery,
    response: answers(ConversationView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

const listConversations = {
  schema: {
    operationId: 'adminListConversations',
    summary: 'The conversations of a user or guest, latest activity first, without their texts',
    params: UserParams,
    querystring: ConversationsQuery,
    response: answersInPages(Type.Array(ConversationOutline)),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function adminConversationRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { page, success } = envelopes(clock)

  api.get('/api/admin/conversations/:sessionId', readConversation, async ({ admin, params, query }) =>
    success(await app.admin.conversation(params.sessionId, authorOf(admin, query.reason))),
  )

  api.get('/api/admin/users/:userId/conversations', listConversations, async ({ params, query }) => {
    const { after, limit = LIMIT_DEFAULT } = query
    const asked = { limit, ...(after === undefined ? {} : { after }) }
    const found = await app.admin.conversationsOf(params.userId, asked)
    return page([...found], found.length === limit ? found.at(-1)?.sessionId : undefined)
  })
}
