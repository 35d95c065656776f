// The plan for one attempt, made when it arrives: refused, or answered at some pace with some incidents.
import type { FaultName, VendorFaultOf } from './faults.ts'
import type { VectorShape } from './embedding-vectors.ts'
import type { Usage } from './usage.ts'
import type { ErrorChanges, ErrorName } from './vendor-errors.ts'

export type Refusal =
  | { readonly kind: 'error'; readonly error: ErrorName; readonly changes: ErrorChanges }
  | { readonly kind: 'reset' }
  | { readonly kind: 'silence'; readonly after: 'request' | 'headers' }

export type Incident = VendorFaultOf<
  'cut' | 'stall' | 'exception' | 'malformed' | 'unknown-event' | 'blocked' | 'tool-use'
>

export interface Plan {
  /** The faults that hit, for the attempt's record. */
  readonly faults: readonly FaultName[]
  readonly refusal?: Refusal
  /** Factor by which everything is slower than its pace. */
  readonly slowdown: number
  readonly firstTokenMs?: number
  /** Reasoning before the answer. */
  readonly thinks?: VendorFaultOf<'thinks'>
  readonly incidents: readonly Incident[]
  readonly usage: Usage
  readonly missingEnd?: 'all' | 'last'
  /** What is wrong with the vectors of an embedding. */
  readonly vectors?: VectorShape
  /** Returns the unused part of the reserved quota. */
  readonly settle: (outputTokens: number) => void
}

export function refused(faults: readonly FaultName[], refusal: Refusal): Plan {
  return { faults, refusal, slowdown: 1, incidents: [], usage: {}, settle: () => {} }
}
