// Gathers history, retrieval and classification at once, under one deadline. What cannot be had in time is
// named as missing, and the turn goes on without it.
import type { Config } from '#config.ts'
import type { Grounding, Intent } from '#domain/grounding.ts'
import { LATE, withDeadline } from '#lib/with-deadline.ts'
import type { Clock } from '#ports/clock.ts'
import type { SessionStore } from '#ports/session-store.ts'
import type { Telemetry } from '#ports/telemetry.ts'
import type { Admitted, Grounded } from '../turn.ts'
import { classify } from './classify.ts'
import type { Said } from './classify.ts'
import { readHistory } from './history.ts'
import { retrieve } from './retrieve.ts'
import type { Retrieved, RetrieveParts } from './retrieve.ts'

export interface GatherParts extends RetrieveParts {
  readonly clock: Clock
  readonly sessions: SessionStore
  readonly telemetry: Telemetry
  readonly config: Config
}

export function createGather(parts: GatherParts): (admitted: Admitted, signal: AbortSignal) => Promise<Grounded> {
  const { clock, telemetry, config } = parts

  /** The work's value, or undefined when it failed or was late: either way it is counted and the turn goes on. */
  async function orMissing<Value>(
    what: string,
    ms: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Value>,
  ) {
    try {
      const value = await withDeadline(clock, { ms, signal }, work)
      if (value !== LATE) return value
      telemetry.count('context.late', { what })
    } catch (error) {
      telemetry.log('warn', 'context.failed', { what }, error)
    }
    return undefined
  }

  return async function gather(admitted, signal) {
    const { start } = admitted
    const { contextMs, retrievalMs } = config.deadlines
    const query = { text: start.message, language: start.language, limit: config.tokens.retrieved }
    const said = classify(start.message, start.language)
    const [history, retrieved] = await Promise.all([
      orMissing('history', contextMs, signal, () =>
        readHistory(parts.sessions, start.sessionId, config.tokens.historyPairsMax),
      ),
      orMissing('retrieval', retrievalMs, signal, (own) => retrieve(parts, query, own)),
    ])
    return {
      ...admitted,
      history: history ?? [],
      grounding: ground(said, retrieved),
      missing: [
        ...(history === undefined ? (['history'] as const) : []),
        ...(retrieved === undefined ? (['retrieval'] as const) : []),
      ],
    }
  }
}

function ground(said: Said, retrieved: Retrieved | undefined): Grounding {
  if (retrieved === undefined) return { intent: said === 'question' ? 'unknown' : said, products: [], faq: [] }
  return { intent: intentOf(said, retrieved), products: retrieved.products, faq: retrieved.faq }
}

function intentOf(said: Said, retrieved: Retrieved): Intent {
  if (said !== 'question') return said
  if (retrieved.best === 'faq') return 'faq'
  return retrieved.best === 'product' ? 'recommend' : 'unknown'
}
