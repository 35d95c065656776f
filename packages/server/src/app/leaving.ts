// The end of this node. It begins with a lame duck: the registry says that it drains, and questions are still answered, until a balancer
// has noticed that `/readyz` says 503. Then the drain: new requests are refused, running turns end or are left to other nodes, and what
// is in memory is written. Called by main.ts; programs that have no balancer drain at once.
import type { Config } from '#config/config.ts'
import type { Refusal } from '#domain/refusal.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { NodeWatch } from '#services/nodes.ts'
import type { Turns } from './assemble-turns.ts'
import type { EntryGate } from './entry-gate.ts'

export interface LeavingParts {
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly config: Pick<Config, 'server'>
  readonly gate: Pick<EntryGate, 'close' | 'closed' | 'drain'>
  readonly nodes: Pick<NodeWatch, 'drain' | 'hasOthers'>
  readonly turns: Pick<Turns, 'drain' | 'ended'>
  /** Ends the background work before the turns end, and everything else after them. */
  readonly before: () => Promise<void>
  readonly after: () => Promise<void>
}

export interface Leaving {
  /** Announces that this node drains, and resolves at the end of the lame duck; returns how long it was meant to be. */
  lameDuck(): Promise<number>
  /** Refuses new requests, and waits for running turns until `drainMs` after the beginning. */
  drain(): Promise<DrainedTurns>
  /** Why new requests are refused; undefined while they are accepted. */
  closed(): Refusal | undefined
  /** Ends the lame duck and the wait for running turns. */
  cut(): void
}

export interface DrainedTurns {
  /** They ended here since the beginning. */
  readonly ended: number
  /** Another node continues them, or the next start. */
  readonly left: number
}

/** Longer than two checks of most balancers. */
const LAME_DUCK_MS = 5000

export function createLeaving(parts: LeavingParts): Leaving {
  const { clock, config, gate, nodes, turns } = parts
  const cut = new AbortController()
  let begun: { readonly at: number; readonly ended: number } | undefined

  function begin() {
    begun ??= { at: clock.now(), ended: turns.ended() }
    gate.drain()
    return begun
  }

  /** A lame duck is useful only if a balancer can choose another node; otherwise it would only delay a restart. */
  function lameDuckMs(): number {
    const { drainMs, lameDuckMs: configured } = config.server
    return configured ?? (nodes.hasOthers() ? Math.min(LAME_DUCK_MS, drainMs) : 0)
  }

  return {
    async lameDuck() {
      const { at } = begin()
      await nodes.drain()
      const ms = lameDuckMs()
      const leftMs = at + ms - clock.now()
      // The rejection is the cut.
      if (leftMs > 0) await clock.sleep(leftMs, cut.signal).catch(() => {})
      return ms
    },
    async drain() {
      const { at, ended } = begin()
      gate.close(nodes.hasOthers())
      await nodes.drain()
      await parts.before()
      const left = await turns.drain(at + config.server.drainMs - clock.now(), cut.signal)
      await parts.after()
      return { ended: turns.ended() - ended, left }
    },
    closed: gate.closed,
    cut: () => cut.abort(),
  }
}
