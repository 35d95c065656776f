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
  readonly contact?: string
  readonly feedback?: { readonly value: FeedbackValue }
  /** The turn whose place this one takes; `continues`: its answer begins with that turn's text. */
  readonly replaces?: string
  readonly continues?: boolean
  /** False for an incomplete answer that is too long to be continued. */
  readonly continuable?: false
  /** ISO 8601. */
  readonly at?: string
}

interface RunningTurn extends Pick<StoredTurn, 'turnId' | 'replaces' | 'continues'> {
  readonly question: string | undefined
}

export interface StoredSession {
  readonly turns: readonly StoredTurn[]
  readonly running: RunningTurn | undefined
  /** The cursor of the turns before these; absent when there are none. */
  readonly earlier?: string | undefined
}

interface SessionData {
  readonly turns: readonly (Omit<StoredTurn, 'products'> & { readonly products?: readonly (ProductCard | string)[] })[]
  readonly runningTurn?: RunningTurn
  readonly runningTurnId?: string
  readonly earlier?: string
}
type Envelope = { readonly success: true; readonly data: SessionData } | ErrorEnvelope

/** The newest turns, or with `before` those before a cursor. */
export type LoadSession = (sessionId: string, before?: string) => Promise<StoredSession | 'gone'>

/** `gone`: the session expired, was deleted or belongs to another principal. Throws when the server is unavailable. */
export function sessionLoader(server: Pick<ServerAccess, 'fetch'>): LoadSession {
  return async (sessionId, before) => {
    const page = before === undefined ? '' : `?before=${encodeURIComponent(before)}`
    const response = await server.fetch(`/api/sessions/${encodeURIComponent(sessionId)}${page}`)
    if (response.status === 404 || response.status === 410) return 'gone'
    const envelope = (await response.json()) as Envelope
    if (!envelope.success) throw new Error(envelope.error.message)
    return read(envelope.data)
  }
}

function read({ turns, runningTurn, runningTurnId, earlier }: SessionData): StoredSession {
  const known = runningTurnId === undefined ? undefined : { turnId: runningTurnId, question: undefined }
  return {
    turns: turns.map((turn) => ({
      ...turn,
      products: (turn.products ?? []).filter((product) => typeof product === 'object'),
    })),
    running: runningTurn ?? known,
    earlier,
  }
}
