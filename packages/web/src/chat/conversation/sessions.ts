// The conversation as the server keeps it, read tolerantly: an older server sends ids where a newer one sends cards.
import type { AnswerTier, ErrorEnvelope, FinishReason, ProductCard } from '@mangaassist/protocol'
import type { Door } from './door.ts'

export interface KeptTurn {
  readonly turnId: string
  readonly question: string
  readonly answer: string
  readonly finishReason: FinishReason
  readonly tier: AnswerTier
  readonly products: readonly ProductCard[]
}

export interface KeptSession {
  readonly turns: readonly KeptTurn[]
  readonly running: { readonly turnId: string; readonly question: string | undefined } | undefined
}

interface Answered {
  readonly turns: readonly (Omit<KeptTurn, 'products'> & { readonly products?: readonly (ProductCard | string)[] })[]
  readonly runningTurn?: { readonly turnId: string; readonly question: string }
  readonly runningTurnId?: string
}
type Envelope = { readonly success: true; readonly data: Answered } | ErrorEnvelope

export type LoadSession = (sessionId: string) => Promise<KeptSession | 'gone'>

/** `gone`: it expired, was deleted or never was ours; throws when the server cannot be asked. */
export function sessionLoader(door: Pick<Door, 'fetch'>): LoadSession {
  return async (sessionId) => {
    const response = await door.fetch(`/api/sessions/${encodeURIComponent(sessionId)}`)
    if (response.status === 404 || response.status === 410) return 'gone'
    const envelope = (await response.json()) as Envelope
    if (!envelope.success) throw new Error(envelope.error.message)
    return read(envelope.data)
  }
}

function read({ turns, runningTurn, runningTurnId }: Answered): KeptSession {
  const known = runningTurnId === undefined ? undefined : { turnId: runningTurnId, question: undefined }
  return {
    turns: turns.map((turn) => ({
      ...turn,
      products: (turn.products ?? []).filter((product) => typeof product === 'object'),
    })),
    running: runningTurn ?? known,
  }
}
