// A scenario of the fleet simulator: arrivals, models and faults. Defines its shape in a file and the complete form
// that a run uses; omitted fields are derived from the arrival rate.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Positive, section } from '@mangaassist/server/config/schema/section'
import type { RegionSize } from '../provider/capacity.ts'
import type { Habits } from '../provider/habits.ts'
import type { Fault } from './fault-shapes.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })
const Rate = Type.Number({ exclusiveMinimum: 0, maximum: 10_000 })
const Pace = Type.Number({ exclusiveMinimum: 0, maximum: 1000 })

const Quota = section({
  /** Whether a minute's tokens are granted at once, when the minute begins, or steadily, up to five seconds' worth. */
  grant: Type.Optional(Type.Enum(['minute', 'steady'])),
  /** A call that is refused costs this share of the tokens that it asked for, which later grants have to pay. */
  refusedShare: Type.Optional(Share),
  /** Share of the refusals with a Retry-After. */
  retryAfterShare: Type.Optional(Share),
})

const Rung = section({
  /** Model id in the price list. Default: the reference design's model, for `primary` and `economy`. */
  model: Type.Optional(Type.String({ minLength: 1 })),
  /** Calls of usual size per second that it can handle; slots and quota follow from it unless given. */
  callsPerSecond: Type.Optional(Rate),
  slots: Type.Optional(Positive),
  tokensPerMinute: Type.Optional(Positive),
  /** A quota that does not forget. Default: it refills steadily, and refusals are free. */
  quota: Type.Optional(Quota),
  /** Median time to the first token. */
  firstTokenMs: Type.Optional(Positive),
  /** The slowest and the fastest pace. */
  tokensPerSecond: Type.Optional(Type.Array(Pace, { minItems: 2, maxItems: 2 })),
})

const People = section({
  /** How long a shopper waits for the first word before the answer counts as late. */
  patienceMs: Type.Optional(Positive),
  /** Share of shoppers whose patience ran out that ask again, once. The rest keep waiting. */
  resubmitShare: Type.Optional(Share),
  /**
   * Shares of all shoppers that send twice, lose the connection and reconnect, continue on another device, press stop,
   * or are hostile.
   */
  doubleTapShare: Type.Optional(Share),
  disconnectShare: Type.Optional(Share),
  deviceSwitchShare: Type.Optional(Share),
  stopShare: Type.Optional(Share),
  hostileShare: Type.Optional(Share),
  /**
   * Share of shoppers whose client is not ours: it ignores pauses and retry-after, and asks again at a fixed interval, a
   * bounded number of times.
   */
  foreignShare: Type.Optional(Share),
})

export const ScenarioShape = section({
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  /** One sentence of description. */
  about: Type.String({ minLength: 1 }),
  nodes: Type.Integer({ minimum: 1, maximum: 1000 }),
  arrivals: section({
    perSecond: Rate,
    /** Steps: from `atS` on, the arrival rate is multiplied by `factor`. */
    shape: Type.Optional(
      Type.Array(
        section({
          atS: Type.Number({ minimum: 0, maximum: 86_400 }),
          factor: Type.Number({ minimum: 0, maximum: 1000 }),
          /** From then on this share of the shoppers asks about the volume that comes out. Default: none. */
          newVolumeShare: Type.Optional(Share),
        }),
      ),
    ),
  }),
  durationS: Type.Integer({ minimum: 1, maximum: 86_400 }),
  /**
   * Models in the order in which they are asked. Default: `primary` with a quarter to spare, `economy` for half of the
   * arrivals.
   */
  ladder: Type.Optional(Type.Record(Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9-]*$' }), Rung)),
  /** Each fault is checked against the schema of its kind. */
  faults: Type.Optional(Type.Array(Type.Unknown())),
  people: Type.Optional(People),
  /** Settings of the server by their path, such as `deadlines.firstTokenMs`. */
  settings: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9-]*(\\.[a-zA-Z][a-zA-Z0-9-]*)*$' }), Type.Unknown()),
  ),
})

type Written = Omit<Static<typeof ScenarioShape>, 'faults'> & { readonly faults?: readonly Fault[] }

interface ScenarioModel {
  /** Its name in the ladder, which is also the name of its lane. */
  readonly name: string
  readonly model: string
  readonly size: RegionSize
  /** What differs from the usual habits. */
  readonly habits: Partial<Habits>
}

export type ScenarioPeople = Readonly<Required<Static<typeof People>>>

export interface FleetScenario {
  readonly name: string
  readonly about: string
  readonly nodes: number
  readonly arrivals: {
    readonly perSecond: number
    readonly shape: readonly { readonly atS: number; readonly factor: number; readonly newVolumeShare?: number }[]
  }
  readonly durationS: number
  /** At least one model. */
  readonly ladder: readonly ScenarioModel[]
  readonly faults: readonly Fault[]
  readonly people: ScenarioPeople
  readonly settings: Readonly<Record<string, unknown>>
}

const PEOPLE: ScenarioPeople = {
  patienceMs: 4000,
  resubmitShare: 0.5,
  doubleTapShare: 0.01,
  disconnectShare: 0.02,
  deviceSwitchShare: 0.005,
  stopShare: 0.01,
  hostileShare: 0,
  foreignShare: 0,
}

/**
 * Capacity as a multiple of the arrival rate: headroom that keeps the first model healthy, and the size of a smaller
 * account.
 */
const HEADROOM = { first: 1.25, other: 0.5 }

const REFERENCE: Readonly<Record<string, { readonly model: string; readonly firstTokenMs: number }>> = {
  primary: { model: 'anthropic.claude-3-sonnet-20240229-v1:0', firstTokenMs: 700 },
  economy: { model: 'anthropic.claude-3-haiku-20240307-v1:0', firstTokenMs: 350 },
}
/** A quota that does not forget, where its part of the scenario says nothing else. */
const QUOTA = { grant: 'minute', refusedShare: 1, retryAfterShare: 0 } as const
const FIRST_TOKEN_MS = 700
const TOKENS_PER_SECOND = [40, 80] as const

/** Fills in every omitted field of a value that passed the schema. */
export function completeScenario(written: Written): FleetScenario {
  const { perSecond, shape = [] } = written.arrivals
  const ladder = written.ladder ?? {}
  const rungs = Object.keys(ladder).length === 0 ? { primary: {}, economy: {} } : ladder
  return {
    name: written.name,
    about: written.about,
    nodes: written.nodes,
    arrivals: { perSecond, shape },
    durationS: written.durationS,
    ladder: Object.entries(rungs).map(([name, rung], index) =>
      scenarioModel(name, rung, perSecond * (index === 0 ? HEADROOM.first : HEADROOM.other)),
    ),
    faults: written.faults ?? [],
    people: { ...PEOPLE, ...written.people },
    settings: written.settings ?? {},
  }
}

function scenarioModel(name: string, rung: Static<typeof Rung>, usualCallsPerSecond: number): ScenarioModel {
  const reference = REFERENCE[name]
  const { callsPerSecond = usualCallsPerSecond, model, slots, tokensPerMinute } = rung
  return {
    name,
    model: model ?? reference?.model ?? name,
    size: {
      callsPerSecond,
      ...(slots === undefined ? {} : { slots }),
      ...(tokensPerMinute === undefined ? {} : { tokensPerMinute }),
      firstTokenMs: rung.firstTokenMs ?? reference?.firstTokenMs ?? FIRST_TOKEN_MS,
      tokensPerSecond: (rung.tokensPerSecond as [number, number] | undefined) ?? TOKENS_PER_SECOND,
    },
    habits: rung.quota === undefined ? {} : quotaHabits(rung.quota),
  }
}

function quotaHabits(written: Static<typeof Quota>): Partial<Habits> {
  const { grant, refusedShare, retryAfterShare } = { ...QUOTA, ...written }
  return { quotaGrant: grant, quotaRefusedShare: refusedShare, retryAfterShare }
}
