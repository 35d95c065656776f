// Gathers history, meaning and retrieved products, under one deadline. Retrieval does not wait for a slow history: it
// starts with the message alone, and is repeated only when the history changes the meaning. What is not ready in time is
// named as missing, and the turn continues without it.
import type { Config } from '#config/config.ts'
import { escalationBy } from '#domain/routing/last-answer.ts'
import { sharesOf } from '#domain/turn/first-word.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import type { Scope } from '#ports/telemetry/port.ts'
import type { Admitted, Grounded } from '../turn.ts'
import type { FindArms } from './arms.ts'
import { REFUSED } from './circuit.ts'
import type { ContextCircuits } from './circuits.ts'
import { readHistory } from './history.ts'
import type { History } from './history.ts'
import type { LastRecord } from './last-record.ts'
import type { Said } from './meaning.ts'
import type { LookUp } from './look-up.ts'

/** A nearby store answers within this time, and then nothing is retrieved twice. */
const HISTORY_HEAD_START_MS = 25

export interface GatherParts {
  readonly clock: Clock
  readonly circuits: ContextCircuits
  readonly sessions: SessionStore
  readonly config: Config
  readonly lookUp: LookUp
  /** The last answer's record. Absent: no turn before this one has a record. */
  readonly lastRecord?: LastRecord
  /** The user's arms. Absent: there are no experiments. */
  readonly findArms?: FindArms
}

export function createGather(parts: GatherParts): (admitted: Admitted, signal: AbortSignal) => Promise<Grounded> {
  const { clock, config, lookUp } = parts
  const { catalogue, search, sessions } = parts.circuits
  const circuits = { history: sessions, retrieval: search, facts: catalogue }

  /** The work's value, or undefined when it failed, was late or was not begun: that is counted, and the turn continues. */
  async function orMissing<Value>(
    what: keyof typeof circuits,
    limit: { readonly ms: number; readonly signal: AbortSignal; readonly scope: Scope },
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value | undefined> {
    const { scope: telemetry } = limit
    const from = clock.now()
    try {
      const value = await circuits[what].run(limit, work)
      if (value !== LATE && value !== REFUSED) return value
      if (!limit.signal.aborted)
        telemetry.count(value === LATE ? 'context_timeout_total' : 'context_refused_total', { source: what })
    } catch (error) {
      telemetry.log('warn', 'context.failed', { source: what }, error)
    } finally {
      telemetry.observe('context_seconds', (clock.now() - from) / 1000, { source: what })
    }
    return undefined
  }

  /** Whether the message means the same without its history. An unavailable store decides nothing. */
  async function isEnough(said: Said): Promise<boolean> {
    if (said.history.length === 0) return true
    try {
      return !(await lookUp.leansOnHistory(said))
    } catch {
      return false
    }
  }

  return async function gather(admitted, signal) {
    const { scope, start } = admitted
    const { contextMs, historyMs, retrievalMs } = sharesOf(config.answers.firstWordMs)
    const { message, language, languageWish, interfaceLanguage, page } = start
    const asked = {
      message,
      language,
      ...(languageWish === undefined ? {} : { wished: languageWish }),
      ...(interfaceLanguage === undefined ? {} : { interfaceLanguage }),
      ...(page === undefined ? {} : { page }),
    }
    const endAt = clock.now() + contextMs
    void lookUp.warm()
    // A conversation whose owner is not known is not read.
    const reading =
      start.unsaved === 'unchecked'
        ? Promise.resolve(undefined)
        : orMissing('history', { ms: historyMs, signal, scope }, () =>
            readHistory(parts.sessions, start, config.tokens.historyPairsMax),
          )
    const retrieve = (history: readonly StoredTurn[], own: AbortSignal, seenBefore: readonly string[] = []) =>
      orMissing('retrieval', { ms: Math.min(retrievalMs, endAt - clock.now()), signal: own, scope }, (aborted) =>
        lookUp.find({ ...asked, history, seen: seenBefore, limit: config.tokens.retrieved }, aborted),
      )
    const early = await withDeadline(clock, { ms: HISTORY_HEAD_START_MS, signal }, () => reading)
    const alone = early === LATE && !signal.aborted ? retrieveAlone(retrieve, signal) : undefined
    const history = await reading
    const said = { ...asked, history: history?.turns ?? [] }
    const seen = history?.seen ?? []
    const isFound = alone !== undefined && seen.length === 0 && (await isEnough(said))
    if (!isFound) alone?.stop()
    const last = start.deferredFrom === undefined ? lastAnswer(start, history) : undefined
    const [grounding, facts, fault, arms] = await Promise.all([
      isFound ? alone.found : retrieve(said.history, signal, seen),
      orMissing('facts', { ms: retrievalMs, signal, scope }, () => lookUp.facts(said)),
      last && parts.lastRecord?.faultOf(last, { signal, scope }),
      parts.findArms?.(start.principal, { signal, scope }),
    ])
    const found = grounding ?? lookUp.offShelves(said)
    const next = { message, meant: found }
    if (last !== undefined) parts.lastRecord?.note(last, next, scope)
    const escalation = (last && escalationBy(next, last.question)) ?? fault
    return {
      ...admitted,
      // The conversation may have agreed on another language than that of the message.
      start: { ...start, language: found.language },
      history: said.history,
      facts: facts ?? [],
      ...(history?.summary === undefined ? {} : { summary: history.summary }),
      grounding: found,
      ...(escalation === undefined ? {} : { escalation }),
      ...(arms === undefined ? {} : { arms }),
      missing: [
        ...(history === undefined ? (['history'] as const) : []),
        ...(grounding === undefined ? (['retrieval'] as const) : []),
      ],
    }
  }
}

/** The answer that this question follows, or asks for again. One that continues an answer says nothing about it. */
function lastAnswer({ continued }: Admitted['start'], history: History | undefined): StoredTurn | undefined {
  return continued === undefined ? (history?.replaced ?? history?.turns.at(-1)) : undefined
}

/** Retrieval for the message without its history; it can be aborted when the history changes the meaning. */
function retrieveAlone<Found>(
  retrieve: (history: readonly StoredTurn[], signal: AbortSignal) => Promise<Found>,
  signal: AbortSignal,
): { readonly found: Promise<Found>; readonly stop: () => void } {
  const own = new AbortController()
  return { found: retrieve([], AbortSignal.any([signal, own.signal])), stop: () => own.abort() }
}
