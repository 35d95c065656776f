// Loads a conversation from the server, also from an older one that sends ids of products where newer ones send cards.
import type {
  AnswerTier,
  ErrorEnvelope,
  FeedbackValue,
  FinishReason,
  ProductCard,
  Source,
  Suggestion,
} from '@mangaassist/protocol'
import type { ServerAccess } from './server-access.ts'

export interface StoredTurn {
  readonly turnId: string
  readonly question: string
  readonly answer: string
  readonly finishReason: FinishReason
  readonly tier: AnswerTier
  readonly products: readonly ProductCard[]
  readonly suggestions?: readonly Suggestion[]
  readonly sources?: readonly Source[]
  readonly feedback?: { readonly value: FeedbackValue }
}

export interface StoredSession {
  readonly turns: readonly StoredTurn[]
  readonly running: { readonly turnId: string; readonly question: string | undefined } | undefined
}

interface SessionData {
  readonly turns: readonly (Omit<StoredTurn, 'products'> & { readonly products?: readonly (ProductCard | string)[] })[]
  readonly runningTurn?: { readonly turnId: string; readonly question: string }
  readonly runningTurnId?: string
}
type Envelope = { readonly success: true; readonly data: SessionData } | ErrorEnvelope

export type LoadSession = (sessionId: string) => Promise<StoredSession | 'gone'>

/** `gone`: the session expired, was deleted or belongs to another principal. Throws when the server is unavailable. */
export function sessionLoader(server: Pick<ServerAccess, 'fetch'>): LoadSession {
  return async (sessionId) => {
    const response = await server.fetch(`/api/sessions/${encodeURIComponent(sessionId)}`)
    if (response.status === 404 || response.status === 410) return 'gone'
    const envelope = (await response.json()) as Envelope
    if (!envelope.success) throw new Error(envelope.error.message)
    return read(envelope.data)
  }
}

function read({ turns, runningTurn, runningTurnId }: SessionData): StoredSession {
  const known = runningTurnId === undefined ? undefined : { turnId: runningTurnId, question: undefined }
  return {
    turns: turns.map((turn) => ({
      ...turn,
      products: (turn.products ?? []).filter((product) => typeof product === 'object'),
    })),
    running: runningTurn ?? known,
  }
}
