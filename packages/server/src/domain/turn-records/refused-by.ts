// Who was refused and why, as a door knows it; records of refusals are made from it.
import type { ErrorCode } from '@mangaassist/protocol'
import type { Principal } from '../identity/principal.ts'
import type { Refusal } from '../refusal.ts'

export interface RefusedBy {
  readonly door: string
  /** The pattern of the route or the type of the frame. */
  readonly route?: string | undefined
  /** Absent where the caller was not identified. */
  readonly principal?: Pick<Principal, 'id' | 'tier'> | undefined
  readonly sessionId?: string | undefined
  readonly requestId?: string | undefined
  readonly traceId?: string | undefined
  /** The pseudonym of the network address; called at most once for a record, because it costs a hash. */
  readonly network?: (() => string | undefined) | undefined
}

export interface RefusedWhy {
  readonly code: ErrorCode
  readonly scope?: string
  readonly reason?: string
  readonly retryAfterMs?: number
}

/** Details are written for callers: only a word of ours is recorded. */
const WORD = /^[\w.[\]-]{1,64}$/

export function refusedWhy({ code, details = {}, retryAfterMs }: Refusal): RefusedWhy {
  const word = (value: unknown): string | undefined =>
    typeof value === 'string' && WORD.test(value) ? value : undefined
  const [scope, reason] = [word(details['scope']), word(details['reason']) ?? word(details['field'])]
  return {
    code,
    ...(scope === undefined ? {} : { scope }),
    ...(reason === undefined ? {} : { reason }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }),
  }
}
