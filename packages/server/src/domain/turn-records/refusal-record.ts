// What is kept of refused requests: who was refused, by what, and how often. Refusals of one principal by the same limit within a
// few seconds are one record with a count, so that a flood of them costs nothing.
import type { ErrorCode } from '@mangaassist/protocol'

export interface RefusalRecord {
  readonly kind: 'refusal'
  /** Its own id, `ref_…`: no turn began. */
  readonly refusalId: string
  /** When the last of them was refused. */
  readonly at: number
  /** When the first of them was refused. */
  readonly since: number
  readonly count: number
  readonly code: ErrorCode
  /** Which limit refused, as in the error's details. */
  readonly scope?: string
  readonly reason?: string
  readonly retryAfterMs?: number
  /** Empty for callers without an identity, and for those beyond the number that are counted apart. */
  readonly principalId: string
  readonly userTier?: string
  /** The conversation that the request named, or empty. */
  readonly sessionId: string
  /** The pseudonym of the network address. */
  readonly network?: string
  readonly door: string
  /** The pattern of the route or the type of the frame. */
  readonly route?: string
  /** The id of the last request; the trace is of that request too. */
  readonly requestId?: string
  readonly traceId?: string
  readonly node?: string
}
