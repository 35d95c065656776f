// Finds the turn in whose place a question is asked, or whose answer it continues. It must be an ended turn of the same
// conversation that no other turn has replaced. Nothing of another conversation can be reached by its id: a replacement has an
// effect only among the turns that are stored with it.
import type { FinishReason } from '@mangaassist/protocol'
import { isIncomplete, isTooLongToContinue } from '#domain/turn/continuable.ts'
import { replacements } from '#domain/turn/current-turns.ts'
import { replay } from '#domain/turn/turn-state.ts'
import { Refusal } from '#domain/refusal.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { Begun, Received } from '../turn.ts'

export interface ReplacedTurnParts {
  readonly sessions: Pick<SessionStore, 'recentTurns'>
  readonly turnLog: Pick<TurnLog, 'read'>
  readonly config: { readonly tokens: { readonly continuedCharactersMax: number } }
}

export interface ReplacedTurn {
  readonly replaces?: string
  /** Set when its answer is continued and has text. */
  readonly begun?: Begun
}

interface Asked {
  readonly received: Received
  readonly message: string
  readonly sessionId: string
}

type Ended = Pick<Begun, 'text' | 'meta'> & { readonly question: string; readonly finishReason: FinishReason }

/** Older turns cannot be replaced. */
const TURNS_READ_MAX = 200

const invalid = (field: string, reason: string, details: Readonly<Record<string, unknown>> = {}) =>
  new Refusal('INVALID_REQUEST', { details: { field, reason, ...details } })

/** What is wrong with the request itself, before anything is read. */
export function checkReplaced({ continues, replaces, sessionId }: Received): void {
  const field = continues === undefined ? 'replaces' : 'continues'
  if (continues !== undefined && replaces !== undefined) throw invalid('continues', 'also-replaces')
  if ((continues ?? replaces) !== undefined && sessionId === undefined) throw invalid(field, 'no-session')
}

/** Throws a Refusal when the turn may not be replaced or continued. */
export async function findReplaced(parts: ReplacedTurnParts, asked: Asked): Promise<ReplacedTurn> {
  const { continues, replaces } = asked.received
  const turnId = continues ?? replaces
  if (turnId === undefined) return {}
  const field = continues === undefined ? 'replaces' : 'continues'
  const ended = await endedTurn(parts, asked, { turnId, field })
  // Its answer comes as a turn of its own, whatever is asked in its place.
  if (ended.finishReason === 'deferred') throw invalid(field, 'deferred')
  if (continues === undefined) return { replaces: turnId }
  if (!isIncomplete(ended.finishReason)) throw invalid(field, 'complete')
  if (ended.question !== asked.message) throw invalid('message', 'another-question')
  const { meta, text } = ended
  const { continuedCharactersMax: charactersMax } = parts.config.tokens
  if (isTooLongToContinue(text.length, charactersMax)) throw invalid(field, 'too-long', { charactersMax })
  if (text.trim() === '') return { replaces: turnId }
  const begun = { text, isUnlogged: true, attempts: [], ...(meta === undefined ? {} : { meta }) } as const
  return { replaces: turnId, begun }
}

/** From the conversation, or from its log when the conversation does not have it yet. */
async function endedTurn(
  { sessions, turnLog }: ReplacedTurnParts,
  { received, sessionId }: Asked,
  { turnId, field }: { readonly turnId: string; readonly field: string },
): Promise<Ended> {
  const [turns, log] = await Promise.all([
    sessions.recentTurns(sessionId, TURNS_READ_MAX).then(
      (stored) => ({ stored }),
      (error: unknown) => ({ stored: [], error }),
    ),
    turnLog.read(turnId, -1).catch(() => undefined),
  ])
  const replacedBy = replacements(turns.stored).get(turnId)
  if (replacedBy !== undefined) throw invalid(field, 'already-replaced', { replacedBy })
  const { start, outcome, text, meta } = replay(log ?? [])
  const ofLog = meta === undefined ? {} : { meta }
  const stored = turns.stored.find((turn) => turn.turnId === turnId)
  if (stored !== undefined)
    return { question: stored.question, text: stored.answer, finishReason: stored.finishReason, ...ofLog }
  const isOwn = start?.sessionId === sessionId && start.principal.id === received.principal.id
  if (isOwn && outcome !== undefined)
    return { question: start.message, text, finishReason: outcome.finishReason, ...ofLog }
  if ('error' in turns) throw turns.error
  throw new Refusal('NOT_FOUND', { details: { field } })
}
