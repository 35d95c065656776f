// The faults of a swarm plan: everything that a scenario can contain, and acts that only a swarm makes. Plain JSON.
import type { Fault } from '../scenario/fault-shapes.ts'

/** Acts that a scenario file cannot contain. */
export type SwarmAct =
  /** The session store refuses every call. */
  | { readonly kind: 'sessions-away'; readonly atS: number; readonly forS: number }
  | { readonly kind: 'node-join'; readonly atS: number }
  /** The clock of a node is set wrong. */
  | { readonly kind: 'clock-set'; readonly atS: number; readonly aheadMs: number }
  /** An operator forces a lane open or disables its circuit and limit, and resets it afterwards. */
  | {
      readonly kind: 'operate'
      readonly atS: number
      readonly forS: number
      readonly lane: string
      readonly action: 'force-open' | 'disable' | 'reset'
    }
  | { readonly kind: 'maintenance'; readonly atS: number; readonly forS: number }

export type SwarmFault = Fault | SwarmAct
