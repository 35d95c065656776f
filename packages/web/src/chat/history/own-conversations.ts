// The reader's own conversations on the server: listed in pages, newest first, and deleted. Every call may fail; the caller shows
// that.
import type { ErrorEnvelope, SessionSummary } from '@mangaassist/protocol'
import type { ServerAccess } from '../conversation/server-access.ts'

export interface ConversationPage {
  readonly conversations: readonly SessionSummary[]
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined
}

export interface OwnConversations {
  list(after?: string): Promise<ConversationPage>
  /** A conversation that is no longer there counts as deleted. */
  remove(sessionId: string): Promise<void>
  /** Everything that the server stores of this reader. */
  removeEverything(): Promise<void>
}

type Envelope =
  | {
      readonly success: true
      readonly data: readonly SessionSummary[]
      readonly metadata?: { readonly next?: string }
    }
  | ErrorEnvelope

export function createOwnConversations(server: Pick<ServerAccess, 'fetch'>): OwnConversations {
  async function remove(path: string): Promise<void> {
    const response = await server.fetch(path, 'DELETE')
    if (!response.ok && response.status !== 404 && response.status !== 410)
      throw new Error(`DELETE answered ${response.status}.`)
  }
  return {
    async list(after) {
      const response = await server.fetch(
        `/api/sessions${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`,
      )
      const envelope = (await response.json()) as Envelope
      if (!envelope.success) throw new Error(envelope.error.message)
      return { conversations: envelope.data, next: envelope.metadata?.next }
    },
    remove: (sessionId) => remove(`/api/sessions/${encodeURIComponent(sessionId)}`),
    removeEverything: () => remove('/api/me'),
  }
}
