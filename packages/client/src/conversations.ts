// A caller's own conversations: calls over HTTP with the identity of the connection.
import type { ErasedView, HandoverPreview, HandoverView, SessionDetail, SessionSummary } from '@mangaassist/protocol'
import { call } from './call.ts'
import type { Call, Sender } from './call.ts'
import type { Conversations } from './types.ts'

export function conversationsOf(sender: Sender): Conversations {
  const dataOf = async (asked: Call) => (await call(sender, asked)).data
  return {
    async list({ after, signal } = {}) {
      const { data, next } = await call(sender, { method: 'GET', path: ['sessions'], query: { after }, signal })
      return { sessions: data as SessionSummary[], ...(next === undefined ? {} : { next }) }
    },
    async read(sessionId, { before, limit, signal } = {}) {
      const query = { before, limit }
      return (await dataOf({ method: 'GET', path: ['sessions', sessionId], query, signal })) as SessionDetail
    },
    async remove(sessionId) {
      await call(sender, { method: 'DELETE', path: ['sessions', sessionId] })
    },
    async removeAll() {
      return (await dataOf({ method: 'DELETE', path: ['me'] })) as ErasedView
    },
    async previewHandover(sessionId, { language, signal } = {}) {
      const path = ['sessions', sessionId, 'handover']
      return (await dataOf({ method: 'GET', path, query: { language }, signal })) as HandoverPreview
    },
    async askForPerson(sessionId, asked = {}) {
      return (await dataOf({ path: ['sessions', sessionId, 'handover'], body: asked })) as HandoverView
    },
  }
}
