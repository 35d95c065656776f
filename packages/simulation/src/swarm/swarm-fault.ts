// What can go wrong in a plan of the swarm: all that a scenario can ask for, and what only a swarm does. Plain JSON.
import type { Fault } from '../scenario/fault-shapes.ts'

/** What a scenario file cannot ask for. */
export type SwarmAct =
  /** The store of conversations refuses every call. */
  | { readonly kind: 'sessions-away'; readonly atS: number; readonly forS: number }
  | { readonly kind: 'node-join'; readonly atS: number }
  /** The clock of a node is set wrong. */
  | { readonly kind: 'clock-set'; readonly atS: number; readonly aheadMs: number }
  /** A person holds a lane open, or takes its circuit and limit away, and gives it back. */
  | {
      readonly kind: 'operate'
      readonly atS: number
      readonly forS: number
      readonly lane: string
      readonly action: 'force-open' | 'disable' | 'reset'
    }
  | { readonly kind: 'maintenance'; readonly atS: number; readonly forS: number }

export type SwarmFault = Fault | SwarmAct
