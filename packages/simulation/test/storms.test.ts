// The bundled scenarios in small: few nodes and short, with the same seed each time. Virtual time has no noise, so their
// figures are assertions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSimulation } from '../src/commands/fleet/open-simulation.ts'
import type { FleetRun, PolicyName } from '../src/fleet/fleet-run.ts'
import { bundledScenarioNames, loadFleetScenario } from '../src/scenario/bundled.ts'
import type { FleetScenario } from '../src/scenario/scenario.ts'

const simulate = await openSimulation()
const NODES = 3
/** People who send twice, leave or press stop are not what these figures are about. */
const CALM = { doubleTapShare: 0, disconnectShare: 0, deviceSwitchShare: 0, stopShare: 0 }

function run(scenario: FleetScenario, policy: PolicyName): Promise<FleetRun> {
  const people = { ...scenario.people, ...CALM }
  return simulate({ scenario: { ...scenario, nodes: NODES, people }, policy, seed: 1 })
}

const QUIET_S = 30

// Before its faults a scenario is its arrivals, its models and its settings: one run is enough for all that share them.
const quiet = Map.groupBy(bundledScenarioNames(), (name) => {
  const { arrivals, ladder, settings } = loadFleetScenario(name)
  return JSON.stringify([arrivals.perSecond, ladder, settings])
})
for (const names of quiet.values()) {
  test(`without faults at least 99 % are served in time: ${names.join(', ')}`, async () => {
    const { arrivals, ...scenario } = loadFleetScenario(names[0] ?? '')
    const { breaches, figures } = await run(
      { ...scenario, arrivals: { ...arrivals, shape: [] }, durationS: QUIET_S, faults: [] },
      'ours',
    )
    assert.deepEqual(breaches, [])
    assert.ok(figures.goodput >= 0.99, `${figures.goodput}`)
    assert.ok(figures.attempts <= figures.arrivals * 1.1, `${figures.attempts} calls, ${figures.arrivals} arrivals`)
  })
}

/** The capacity of the hint in place of the scenario's. */
function withHint(scenario: FleetScenario, { models, nodes }: FleetRun['hint']): FleetScenario {
  const ladder = scenario.ladder.map(({ size, ...model }) => {
    const { callsInFlight: slots = 0, tokensPerMinute = 0 } = models.find(({ name }) => name === model.name) ?? {}
    return { ...model, size: { ...size, slots, tokensPerMinute } }
  })
  return { ...scenario, nodes, ladder }
}

test('a small release hour serves 99 % with the capacity that the run without it asks for', async () => {
  const whole = loadFleetScenario('release-hour')
  const shape = [
    { atS: 8, factor: 5, newVolumeShare: 0.333 },
    { atS: 22, factor: 1 },
  ]
  const small = { ...scaled(whole, 3), arrivals: { perSecond: 3, shape }, durationS: 30 }
  const short = await run(small, 'ours')
  const hinted = await run(withHint(small, short.hint), 'ours')
  assert.ok(short.figures.goodput < 0.9, `${short.figures.goodput} without the hint`)
  assert.ok(hinted.figures.goodput >= 0.99, `${hinted.figures.goodput} with the hint`)
  assert.deepEqual(hinted.hint, short.hint)
})

/** Arrivals a second, to which the models are scaled. */
const PER_SECOND = 8
/** The fault begins after some healthy seconds; what follows it is recovery. */
const FAULT_S = { fromS: 8, forS: 12, durationS: 40 }

interface Floor {
  readonly served: number
  /** Calls an arrival: one, those that the fault makes fail, and a tenth, with hedges. */
  readonly callsMax: number
  readonly recoveryMsMax: number
  /** What repeating calls (`naive`) makes of it: how far we may stay behind, and what it needs at least. Absent: it is not run. */
  readonly naive?: {
    readonly aheadMax: number
    readonly callsMin?: number
    readonly recoveryMsMin?: number
  }
  /** Where the times of the fault, the arrivals or the faults differ. */
  readonly times?: Partial<typeof FAULT_S>
  readonly arrivals?: FleetScenario['arrivals']
  readonly faults?: FleetScenario['faults']
}

const ALL: Floor = { served: 0.98, callsMax: 1.1, recoveryMsMax: 0 }

/** A change that moves a figure says so in its commit. */
const FLOORS: Readonly<Record<string, Floor>> = {
  blip: { served: 0.98, callsMax: 2.2, recoveryMsMax: 0, naive: { aheadMax: 0 }, times: { forS: 4 } },
  brownout: { served: 0.68, callsMax: 1.3, recoveryMsMax: 4000, naive: { aheadMax: -0.1 } },
  'errors-20': { ...ALL, callsMax: 1.3 },
  'errors-50': { ...ALL, callsMax: 1.6, naive: { aheadMax: 0 } },
  flapping: { served: 0.95, callsMax: 1.8, recoveryMsMax: 4000, naive: { aheadMax: 0.02, callsMin: 2.5 } },
  // Nothing can answer; the clients that obey come back at the end of their pause.
  'foreign-clients': { served: 0, callsMax: 1.7, recoveryMsMax: 12_000, naive: { aheadMax: 0.05, callsMin: 8 } },
  'half-silent': { served: 0.93, callsMax: 1.6, recoveryMsMax: 4000, naive: { aheadMax: 0.06 } },
  'node-deaths': {
    ...ALL,
    callsMax: 1.2,
    faults: [
      { kind: 'node-crash', atS: 8, count: 1, downS: 5 },
      { kind: 'node-crash', atS: 15, count: 1, downS: 5 },
    ],
  },
  // Repeated calls use the whole burst of the second model's quota at once; we let its provider's slots set the pace.
  outage: { served: 0.56, callsMax: 1.7, recoveryMsMax: 8000, naive: { aheadMax: 0.1, callsMin: 4 } },
  'release-hour': {
    served: 0.26,
    callsMax: 0.5,
    recoveryMsMax: 4000,
    naive: { aheadMax: -0.1, callsMin: 2 },
    arrivals: {
      perSecond: PER_SECOND,
      shape: [
        { atS: 8, factor: 5, newVolumeShare: 0.333 },
        { atS: 20, factor: 1 },
      ],
    },
  },
  // Over a whole minute of the quota, so that what is refused in one is missing in the next.
  'retry-storm': {
    served: 0.7,
    callsMax: 1.1,
    recoveryMsMax: 20_000,
    naive: { aheadMax: -0.15, callsMin: 2.8, recoveryMsMin: 25_000 },
    times: { forS: 72, durationS: 105 },
  },
  'rolling-deploy': ALL,
  'search-slow': { ...ALL, callsMax: 1.5 },
  'slow-words': ALL,
  'state-pause': { ...ALL, recoveryMsMax: 5000 },
  'throttle-20': { served: 0.95, callsMax: 1.3, recoveryMsMax: 15_000, naive: { aheadMax: 0.02 } },
  'throttle-80': ALL,
}
/** Too long, and the headline, which is `throttle-20` on fifty nodes. */
const LARGE_ONLY = ['day', 'throttle']

test('every bundled scenario has a small version, but for two', () => {
  const names = bundledScenarioNames().filter((name) => !LARGE_ONLY.includes(name))
  assert.deepEqual(Object.keys(FLOORS), names)
})

function smallOf(name: string, floor: Floor): FleetScenario {
  const { durationS, forS, fromS } = { ...FAULT_S, ...floor.times }
  const whole = scaled(loadFleetScenario(name), PER_SECOND)
  const faults = floor.faults ?? whole.faults.map((fault) => ({ ...fault, atS: fromS, forS }) as typeof fault)
  return { ...whole, arrivals: floor.arrivals ?? whole.arrivals, durationS, faults }
}

for (const [name, floor] of Object.entries(FLOORS)) {
  test(`a small ${name} keeps to its floors of served, calls and recovery`, async () => {
    const small = smallOf(name, floor)
    const ours = await run(small, 'ours')
    const { amplification, goodput, recoveryMs, unanswered } = ours.figures
    const found = `served ${goodput}, calls ${amplification.mean}, recovery ${recoveryMs}`
    assert.deepEqual(ours.breaches, [])
    assert.equal(unanswered, 0)
    assert.ok(goodput >= floor.served, found)
    assert.ok(amplification.mean <= floor.callsMax, found)
    assert.ok(recoveryMs !== null && recoveryMs <= floor.recoveryMsMax, found)
    if (floor.naive === undefined) return
    const { aheadMax, callsMin = 0, recoveryMsMin = 0 } = floor.naive
    const { figures: naive } = await run(small, 'naive')
    assert.ok(goodput >= naive.goodput - aheadMax, `${found}; naive ${naive.goodput}`)
    assert.ok(naive.amplification.mean >= callsMin, `naive: ${naive.amplification.mean} calls`)
    assert.ok((naive.recoveryMs ?? Infinity) >= recoveryMsMin, `naive: recovery ${naive.recoveryMs}`)
  })
}

function scaled({ arrivals, ladder, ...scenario }: FleetScenario, perSecond: number): FleetScenario {
  const factor = perSecond / arrivals.perSecond
  const models = ladder.map(({ size, ...model }) => ({
    ...model,
    size: { ...size, callsPerSecond: size.callsPerSecond * factor },
  }))
  return { ...scenario, arrivals: { ...arrivals, perSecond }, ladder: models }
}
