// Probes gathering's dependencies without traffic: otherwise a circuit would stay half-open, and its alarm raised, long
// after the dependency has recovered. The circuit itself bounds the number of calls.
import { NEVER } from '#lib/async/never.ts'
import { LATE } from '#lib/time/with-deadline.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { REFUSED } from './circuit.ts'
import type { ContextCircuits } from './circuits.ts'
import type { LookUp } from './look-up.ts'

export interface HealCircuitsParts {
  readonly circuits: ContextCircuits
  readonly lookUp: Pick<LookUp, 'find'>
  readonly products: Pick<ProductStore, 'edition'>
  readonly sessions: Pick<SessionStore, 'recentTurns'>
  readonly telemetry: Pick<Telemetry, 'log'>
}

type Probe = (signal: AbortSignal) => Promise<unknown>

/** The number of probes in all stages together. */
const PROBES_PER_ROUND_MAX = 14
const PROBE_MS = 2000
/** A wish, because only a wish uses the search itself. */
const WISH = { message: 'おすすめの漫画', language: 'ja', history: [], limit: 1 } as const
/** A session that does not exist. */
const NO_SESSION = 'sess_probe'

export function createHealCircuits(parts: HealCircuitsParts): () => Promise<void> {
  const { circuits, lookUp, products, sessions, telemetry } = parts
  const probes: Readonly<Record<keyof ContextCircuits, Probe>> = {
    search: (signal) => lookUp.find(WISH, signal),
    catalogue: () => products.edition(),
    sessions: () => sessions.recentTurns(NO_SESSION, 1),
  }

  async function heal(name: keyof ContextCircuits): Promise<void> {
    const circuit = circuits[name]
    for (let count = 0; count < PROBES_PER_ROUND_MAX && circuit.lane.view().phase === 'half-open'; count += 1) {
      try {
        const answer = await circuit.run({ ms: PROBE_MS, signal: NEVER }, probes[name])
        if (answer === LATE || answer === REFUSED) return
      } catch (error) {
        telemetry.log('debug', 'lane.probe-failed', { lane: name }, error)
        return
      }
      circuit.lane.tick()
    }
  }

  return async () => {
    await Promise.all((Object.keys(probes) as (keyof ContextCircuits)[]).map(heal))
  }
}
