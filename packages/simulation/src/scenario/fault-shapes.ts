// Everything that can go wrong in a simulated fleet, as data: what a scenario file may ask for. The types are taken from the
// schemas, so what is checked is what is used. Times count from the start of the run, in seconds.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Positive, section } from '@mangaassist/server/config/schema/section'

const Seconds = Type.Number({ minimum: 0, maximum: 86_400 })
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Ms = Type.Integer({ minimum: 1, maximum: 600_000 })

/** Lasts until, or for, so long; one of the two. */
const lasting = { atS: Seconds, forS: Type.Optional(Seconds), untilS: Type.Optional(Seconds) }
/** A name of the ladder, or `all`. Default: the first of the ladder. */
const aimed = { ...lasting, target: Type.Optional(Type.String({ minLength: 1 })) }

const fault = <const Kind extends string, const Fields extends Type.TProperties>(kind: Kind, fields: Fields) =>
  section({ kind: Type.Literal(kind), ...fields })

export const faultShapes = {
  /** The quota of tokens is cut to this share. */
  throttle: fault('throttle', { ...aimed, share: Share }),
  /** Every call fails at once with a 5xx. */
  outage: fault('outage', aimed),
  /** This share of calls does. */
  errors: fault('errors', { ...aimed, share: Share }),
  /** The slots are cut to this share. */
  brownout: fault('brownout', { ...aimed, share: Share }),
  /** This share of calls never hears a word. Default: all. */
  silence: fault('silence', { ...aimed, share: Type.Optional(Share) }),
  /** This share of calls says its first word so much later. */
  'slow-words': fault('slow-words', { ...aimed, share: Share, delayMs: Ms }),
  /** This share of streams breaks off. */
  cuts: fault('cuts', { ...aimed, share: Share }),
  /** This share of streams falls silent. */
  stalls: fault('stalls', { ...aimed, share: Share }),
  /** An outage that comes and goes: `share` of each period, by default half. */
  flapping: fault('flapping', {
    ...aimed,
    periodS: Type.Number({ minimum: 0.1, maximum: 3600 }),
    share: Type.Optional(Share),
  }),
  /** Every search takes this much longer. */
  'search-slow': fault('search-slow', { ...lasting, delayMs: Ms }),
  /** The shared state answers nothing, and then everything it was asked. */
  'state-pause': fault('state-pause', lasting),
  /** The shared state takes this much longer. */
  'state-latency': fault('state-latency', { ...lasting, delayMs: Ms }),
  /** This share of the nodes cannot reach the shared state. */
  'state-partition': fault('state-partition', { ...lasting, share: Share }),
  /** The shared state is gone for so long, by default a second, and has lost what is not written down. */
  'state-restart': fault('state-restart', { atS: Seconds, downS: Type.Optional(Seconds) }),
  /** So many nodes die at once; each is replaced after `downS`, by default 5. */
  'node-crash': fault('node-crash', { atS: Seconds, count: Positive, downS: Type.Optional(Seconds) }),
  /** So many nodes stand still and go on later, as if nothing had been. */
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

/** From when to when it lasts. One that is told neither way lasts no time at all. */
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
