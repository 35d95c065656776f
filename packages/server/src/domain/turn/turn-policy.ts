// What a turn may do and what is done for it, by its kind. Admission decides it once, stages read it, and none of them asks
// which kind a turn is: another kind of turn is one more row here. It is never stored: a reader of a log derives it again.
import type { TurnKind, TurnStart } from './log-records.ts'

export interface TurnPolicy {
  /** History, products and FAQ entries are gathered for it. */
  readonly isGrounded: boolean
  /** It belongs to a conversation: it counts against the session's budget and is appended to the session. */
  readonly hasSession: boolean
  /**
   * We wrote the prompt. A prompt that a caller wrote can be one that no model answers, so a timeout on it does not count
   * against the model.
   */
  readonly isPromptOurs: boolean
  /** It may be answered from the cache, and its answer may be cached for others. */
  readonly mayShareAnswers: boolean
  /** When no model answers, the fallback does; otherwise the turn ends with the reason. */
  readonly mayFallBack: boolean
  /** A second model may be asked beside a slow one. */
  readonly mayHedge: boolean
  /** An answer that broke off may be continued in other words that verifiably follow; otherwise only in the same words. */
  readonly mayContinueInOtherWords: boolean
  /** Another owner may continue it: its readers can come back to it. */
  readonly mayBeTakenOver: boolean
  /** Text is shown as it comes; otherwise the answer is shown once it is whole. */
  readonly isStreamed: boolean
  /** Its end reports the usage of the answer alone, without the calls that the answer does not come from. */
  readonly hasAnswerUsage: boolean
}

const POLICIES: Readonly<Record<TurnKind, TurnPolicy>> = {
  /** A shopper's question. */
  chat: {
    isGrounded: true,
    hasSession: true,
    isPromptOurs: true,
    mayShareAnswers: true,
    mayFallBack: true,
    mayHedge: true,
    mayContinueInOtherWords: true,
    mayBeTakenOver: true,
    isStreamed: true,
    hasAnswerUsage: false,
  },
  /** A prompt of the caller's own: answered by a model as it is, or not at all, on the connection that asked. */
  completion: {
    isGrounded: false,
    hasSession: false,
    isPromptOurs: false,
    mayShareAnswers: false,
    mayFallBack: false,
    mayHedge: false,
    mayContinueInOtherWords: false,
    mayBeTakenOver: false,
    isStreamed: true,
    hasAnswerUsage: true,
  },
}

/** False for a kind of a newer version. */
export function isKnownKind({ kind }: TurnStart): boolean {
  return Object.hasOwn(POLICIES, kind)
}

export function policyOf(start: TurnStart): TurnPolicy {
  if (!isKnownKind(start)) throw new Error(`the turn ${start.turnId} is of an unknown kind`)
  const policy = POLICIES[start.kind]
  const isInOnePiece = start.kind === 'completion' && start.completion.inOnePiece === true
  return isInOnePiece ? { ...policy, isStreamed: false } : policy
}
