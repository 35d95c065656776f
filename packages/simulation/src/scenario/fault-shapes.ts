// The faults that a scenario file may contain. The types are derived from the schemas, so that what is checked is what
// is used. Times are in seconds from the start of the run.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Positive, section } from '@mangaassist/server/config/schema/section'

const Seconds = Type.Number({ minimum: 0, maximum: 86_400 })
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Ms = Type.Integer({ minimum: 1, maximum: 600_000 })

/** A fault has exactly one of `forS` and `untilS`. */
const lasting = { atS: Seconds, forS: Type.Optional(Seconds), untilS: Type.Optional(Seconds) }
/** `target` is a name of the ladder, or `all`. Default: the first of the ladder. */
const aimed = { ...lasting, target: Type.Optional(Type.String({ minLength: 1 })) }

const fault = <const Kind extends string, const Fields extends Type.TProperties>(kind: Kind, fields: Fields) =>
  section({ kind: Type.Literal(kind), ...fields })

export const faultShapes = {
  /** The token quota drops to this share. */
  throttle: fault('throttle', { ...aimed, share: Share }),
  /** Every call fails at once with a 5xx. */
  outage: fault('outage', aimed),
  /** This share of calls fails at once with a 5xx. */
  errors: fault('errors', { ...aimed, share: Share }),
  /** The slots drop to this share. */
  brownout: fault('brownout', { ...aimed, share: Share }),
  /** This share of calls never gets a word. Default: all. */
  silence: fault('silence', { ...aimed, share: Type.Optional(Share) }),
  /** The first word of this share of calls is late by `delayMs`. */
  'slow-words': fault('slow-words', { ...aimed, share: Share, delayMs: Ms }),
  /** This share of streams breaks off in the middle. */
  cuts: fault('cuts', { ...aimed, share: Share }),
  /** This share of streams falls silent in the middle. */
  stalls: fault('stalls', { ...aimed, share: Share }),
  /** A periodic outage that lasts `share` of each period, by default half. */
  flapping: fault('flapping', {
    ...aimed,
    periodS: Type.Number({ minimum: 0.1, maximum: 3600 }),
    share: Type.Optional(Share),
  }),
  /** Every search takes this much longer. */
  'search-slow': fault('search-slow', { ...lasting, delayMs: Ms }),
  /** The shared store stops answering, then answers all waiting calls. */
  'state-pause': fault('state-pause', lasting),
  /** The shared store takes this much longer. */
  'state-latency': fault('state-latency', { ...lasting, delayMs: Ms }),
  /** This share of the nodes cannot reach the shared store. */
  'state-partition': fault('state-partition', { ...lasting, share: Share }),
  /** The shared store is down for `downS`, by default a second, and loses data that is not on disk. */
  'state-restart': fault('state-restart', { atS: Seconds, downS: Type.Optional(Seconds) }),
  /** `count` nodes die at once; each is replaced after `downS`, by default 5. */
  'node-crash': fault('node-crash', { atS: Seconds, count: Positive, downS: Type.Optional(Seconds) }),
  /** `count` nodes pause and then continue as if nothing had happened. */
  'node-pause': fault('node-pause', { ...lasting, count: Positive }),
  /** Every node is drained and replaced, one after another, evenly over the time. */
  deploy: fault('deploy', lasting),
} as const

export type FaultKind = keyof typeof faultShapes
export type FaultOf<Kind extends FaultKind> = Static<(typeof faultShapes)[Kind]>
export type Fault = { [Kind in FaultKind]: FaultOf<Kind> }[FaultKind]

const RESTART_S = 1
const REPLACED_S = 5
const SECOND_MS = 1000

/** Start and end of a fault. A fault without `forS` and `untilS` has no length. */
export function spanOf(fault: Fault): { readonly fromMs: number; readonly toMs: number } {
  return { fromMs: fault.atS * SECOND_MS, toMs: endS(fault) * SECOND_MS }
}

function endS(fault: Fault): number {
  switch (fault.kind) {
    case 'state-restart':
      return fault.atS + (fault.downS ?? RESTART_S)
    case 'node-crash':
      return fault.atS + (fault.downS ?? REPLACED_S)
    default:
      return fault.untilS ?? fault.atS + (fault.forS ?? 0)
  }
}
