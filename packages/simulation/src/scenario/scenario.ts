// A scenario of the fleet simulator: who comes, which models there are, and what goes wrong when. Here is its shape as it is
// written in a file, and as a run uses it: everything that was left out is filled in, from the stated rate of arrivals.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Positive, section } from '@mangaassist/server/config/schema/section'
import { USUAL_OUTPUT_TOKENS } from '../provider/answer-text.ts'
import { USUAL_HABITS } from '../provider/habits.ts'
import type { Capacity } from '../provider/habits.ts'
import type { Fault } from './fault-shapes.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })
const Rate = Type.Number({ exclusiveMinimum: 0, maximum: 10_000 })
const Pace = Type.Number({ exclusiveMinimum: 0, maximum: 1000 })

const Rung = section({
  /** The id that the price list knows. Default: the reference design's, for `primary` and `economy`. */
  model: Type.Optional(Type.String({ minLength: 1 })),
  /** Usual calls that it can take in a second: its slots and its quota are made for them, unless they are given. */
  callsPerSecond: Type.Optional(Rate),
  slots: Type.Optional(Positive),
  tokensPerMinute: Type.Optional(Positive),
  /** Half of the answers begin sooner. */
  firstTokenMs: Type.Optional(Positive),
  /** The slowest and the fastest. */
  tokensPerSecond: Type.Optional(Type.Array(Pace, { minItems: 2, maxItems: 2 })),
})

const People = section({
  /** How long one waits for the first word before the answer counts as late. */
  patienceMs: Type.Optional(Positive),
  /** Of those whose patience ran out: asks again, once. The rest go on waiting. */
  resubmitShare: Type.Optional(Share),
  /** Of all: sends twice; loses the connection and comes back; goes on at another device; presses stop; is hostile. */
  doubleTapShare: Type.Optional(Share),
  disconnectShare: Type.Optional(Share),
  deviceSwitchShare: Type.Optional(Share),
  stopShare: Type.Optional(Share),
  hostileShare: Type.Optional(Share),
})

export const ScenarioShape = section({
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  /** One sentence. */
  about: Type.String({ minLength: 1 }),
  nodes: Type.Integer({ minimum: 1, maximum: 1000 }),
  arrivals: section({
    perSecond: Rate,
    /** Steps: from `atS` on, `factor` times as many come. */
    shape: Type.Optional(
      Type.Array(
        section({
          atS: Type.Number({ minimum: 0, maximum: 86_400 }),
          factor: Type.Number({ minimum: 0, maximum: 1000 }),
        }),
      ),
    ),
  }),
  durationS: Type.Integer({ minimum: 1, maximum: 86_400 }),
  /** Models in the order they are asked. Default: `primary` with a quarter to spare, `economy` for half of those who come. */
  ladder: Type.Optional(Type.Record(Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9-]*$' }), Rung)),
  /** Each is held against the shape of its kind. */
  faults: Type.Optional(Type.Array(Type.Unknown())),
  people: Type.Optional(People),
  /** Settings of the server by their path, such as `deadlines.firstTokenMs`. */
  settings: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9-]*(\\.[a-zA-Z][a-zA-Z0-9-]*)*$' }), Type.Unknown()),
  ),
})

type Written = Omit<Static<typeof ScenarioShape>, 'faults'> & { readonly faults?: readonly Fault[] }

interface ScenarioModel {
  /** Its name in the ladder, which is that of its lane. */
  readonly name: string
  readonly model: string
  readonly capacity: Capacity
}

export type ScenarioPeople = Readonly<Required<Static<typeof People>>>

export interface FleetScenario {
  readonly name: string
  readonly about: string
  readonly nodes: number
  readonly arrivals: {
    readonly perSecond: number
    readonly shape: readonly { readonly atS: number; readonly factor: number }[]
  }
  readonly durationS: number
  /** At least one. */
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
}

/** Capacity for each that comes: what keeps a model well, and what a smaller account is good for. */
const HEADROOM = { first: 1.25, other: 0.5 }
/** A provider that is well refuses by the quota before its line grows. */
const SLOTS_SPARE = 1.1
/** What the prompts of the crowd's questions take on average, as the region counts them. */
const USUAL_INPUT_TOKENS = 190
const SECOND_MS = 1000

const REFERENCE: Readonly<Record<string, { readonly model: string; readonly firstTokenMs: number }>> = {
  primary: { model: 'anthropic.claude-3-sonnet-20240229-v1:0', firstTokenMs: 700 },
  economy: { model: 'anthropic.claude-3-haiku-20240307-v1:0', firstTokenMs: 350 },
}
const FIRST_TOKEN_MS = 700
const TOKENS_PER_SECOND = [40, 80] as const

/** The file's value, which is known to be of the shape, with everything that it leaves out. */
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
  const firstTokenMs = rung.firstTokenMs ?? reference?.firstTokenMs ?? FIRST_TOKEN_MS
  const [slowest, fastest] = (rung.tokensPerSecond as [number, number] | undefined) ?? TOKENS_PER_SECOND
  const callsPerSecond = rung.callsPerSecond ?? usualCallsPerSecond
  const serviceMs = usualServiceMs(firstTokenMs, slowest, fastest)
  return {
    name,
    model: rung.model ?? reference?.model ?? name,
    capacity: {
      slots: rung.slots ?? Math.ceil((callsPerSecond * SLOTS_SPARE * serviceMs) / SECOND_MS),
      tokensPerMinute:
        rung.tokensPerMinute ?? Math.ceil(callsPerSecond * 60 * (USUAL_INPUT_TOKENS + USUAL_OUTPUT_TOKENS)),
      firstTokenMs,
      tokensPerSecond: [slowest, fastest],
    },
  }
}

/** How long a slot is held on average: the mean of the log-normal, and of tokens at a pace between the two. */
function usualServiceMs(firstTokenMs: number, slowest: number, fastest: number): number {
  const meanFirstMs = firstTokenMs * Math.exp(USUAL_HABITS.firstTokenSigma ** 2 / 2)
  const secondsPerToken = fastest === slowest ? 1 / slowest : Math.log(fastest / slowest) / (fastest - slowest)
  return meanFirstMs + USUAL_OUTPUT_TOKENS * secondsPerToken * SECOND_MS
}
