// Gathers history, what is meant and what the store knows of it, under one deadline. What cannot be had in time is
// named as missing, and the turn goes on without it.
import type { Config } from '#config.ts'
import { settingsFor } from '#domain/lane/settings.ts'
import { LATE } from '#lib/with-deadline.ts'
import type { Chance } from '#ports/chance.ts'
import type { Clock } from '#ports/clock.ts'
import type { SessionStore } from '#ports/session-store.ts'
import type { Telemetry } from '#ports/telemetry.ts'
import type { Admitted, Grounded } from '../turn.ts'
import { Circuit, REFUSED } from './circuit.ts'
import { readHistory } from './history.ts'
import type { LookUp } from './look-up.ts'

export interface GatherParts {
  readonly clock: Clock
  readonly chance: Chance
  readonly sessions: SessionStore
  readonly telemetry: Telemetry
  readonly config: Config
  readonly lookUp: LookUp
}

export function createGather(parts: GatherParts): (admitted: Admitted, signal: AbortSignal) => Promise<Grounded> {
  const { telemetry, config, lookUp } = parts
  const circuits = {
    history: new Circuit({ ...parts, settings: settingsFor('sessionStore') }),
    retrieval: new Circuit({ ...parts, settings: settingsFor('search') }),
    facts: new Circuit({ ...parts, settings: settingsFor('search') }),
  }

  /** The work's value, or undefined when it failed, was late or not begun: it is counted and the turn goes on. */
  async function orMissing<Value>(
    what: keyof typeof circuits,
    limit: { readonly ms: number; readonly signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value | undefined> {
    try {
      const value = await circuits[what].run(limit, work)
      if (value !== LATE && value !== REFUSED) return value
      telemetry.count(value === LATE ? 'context.late' : 'context.refused', { what })
    } catch (error) {
      telemetry.log('warn', 'context.failed', { what }, error)
    }
    return undefined
  }

  return async function gather(admitted, signal) {
    const { start } = admitted
    const { contextMs, retrievalMs } = config.deadlines
    void lookUp.warm()
    // What is meant depends on what was said before, so history comes first, in the time that retrieval leaves it.
    // Of a conversation that nobody knows whose it is, nothing is read.
    const isReadable = start.unsaved !== 'unchecked'
    const history = !isReadable
      ? undefined
      : await orMissing('history', { ms: contextMs - retrievalMs, signal }, () =>
          readHistory(parts.sessions, start, config.tokens.historyPairsMax),
        )
    const said = { message: start.message, language: start.language, history: history?.turns ?? [] }
    const [grounding, facts] = await Promise.all([
      orMissing('retrieval', { ms: retrievalMs, signal }, (own) =>
        lookUp.find({ ...said, limit: config.tokens.retrieved }, own),
      ),
      orMissing('facts', { ms: retrievalMs, signal }, () => lookUp.facts(said)),
    ])
    return {
      ...admitted,
      history: said.history,
      facts: facts ?? [],
      ...(history?.summary === undefined ? {} : { summary: history.summary }),
      grounding: grounding ?? lookUp.offShelves(said),
      missing: [
        ...(history === undefined ? (['history'] as const) : []),
        ...(grounding === undefined ? (['retrieval'] as const) : []),
      ],
    }
  }
}
