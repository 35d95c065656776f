// The bundled scenarios in small: few nodes and short, with the same seed each time. Virtual time has no noise, so their
// figures are assertions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import { defaults } from '@mangaassist/server/config/config'
import { readCatalogue, readFaq } from '@mangaassist/server/wiring/bundled-data'
import type { FleetRun, PolicyName } from '../src/fleet/fleet-run.ts'
import { policies } from '../src/policies/policies.ts'
import { bundledScenarioNames, loadFleetScenario } from '../src/scenario/bundled.ts'
import type { FleetScenario } from '../src/scenario/scenario.ts'
import { runFleet } from '../src/world/run-fleet.ts'
import { openShop } from '../src/world/shop.ts'

const [{ products }, faq] = await Promise.all([readCatalogue(), readFaq()])
const shop = await openShop(products, faq)
const NODES = 2
/** People who send twice, leave or press stop are not what these figures are about. */
const CALM = { doubleTapShare: 0, disconnectShare: 0, deviceSwitchShare: 0, stopShare: 0 }

function run(scenario: FleetScenario, policy: PolicyName): Promise<FleetRun> {
  const people = { ...scenario.people, ...CALM }
  const small = { ...scenario, nodes: NODES, people }
  return runFleet({ scenario: small, policy: policies[policy], config: defaults, seed: 1, shop, drain: promiseDrain() })
}

const QUIET_S = 20

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
  const perSecond = 3
  const ladder = whole.ladder.map(({ size, ...model }) => {
    const callsPerSecond = (size.callsPerSecond * perSecond) / whole.arrivals.perSecond
    return { ...model, size: { ...size, callsPerSecond } }
  })
  const people = { ...whole.people, ...CALM }
  const small = { ...whole, nodes: NODES, arrivals: { perSecond, shape }, durationS: 30, people, ladder }
  const options = { policy: policies.ours, config: defaults, seed: 1, shop, drain: promiseDrain() }
  const short = await runFleet({ ...options, scenario: small })
  const hinted = await runFleet({ ...options, scenario: withHint(small, short.hint) })
  assert.ok(short.figures.goodput < 0.9, `${short.figures.goodput} without the hint`)
  assert.ok(hinted.figures.goodput >= 0.99, `${hinted.figures.goodput} with the hint`)
  assert.deepEqual(hinted.hint, short.hint)
})

/** The fault begins after some healthy seconds; what follows it is recovery. */
const FAULT_S = { fromS: 8, forS: 12, durationS: 40 }

interface Floor {
  readonly served: number
  /** Calls an arrival: one, and those that the fault makes fail, and a tenth. */
  readonly callsMax: number
  readonly recoveryMsMax: number
  /** How far it may stay behind the best other policy. Default: what is noise. */
  readonly behindMax?: number
  /** Where the times of the fault differ. */
  readonly times?: Partial<typeof FAULT_S>
  /** Arrivals a second, to which the models are scaled. Default: those of the scenario. */
  readonly perSecond?: number
  /** What `naive` makes of it at least, where the scenario is there to show it. */
  readonly naive?: { readonly callsMin: number; readonly recoveryMsMin: number }
}

/** The bundled scenarios in small. A change that moves a figure says so in its commit. */
const FLOORS: Readonly<Record<string, Floor>> = {
  blip: { served: 0.9, callsMax: 2.3, recoveryMsMax: 10_000, times: { forS: 4 } },
  flapping: { served: 0.9, callsMax: 2, recoveryMsMax: 12_000 },
  // An open circuit finds the end of a short outage later than calls that are repeated in spite of it.
  outage: { served: 0.65, callsMax: 2.1, recoveryMsMax: 12_000, behindMax: 0.15 },
  brownout: { served: 0.8, callsMax: 1.6, recoveryMsMax: 20_000 },
  'throttle-20': { served: 0.85, callsMax: 1.6, recoveryMsMax: 16_000 },
  // Over a whole minute of the quota, so that what is refused in one is missing in the next.
  'retry-storm': {
    served: 0.6,
    callsMax: 1.1,
    recoveryMsMax: 12_000,
    times: { forS: 72, durationS: 105 },
    perSecond: 5,
    naive: { callsMin: 2.8, recoveryMsMin: 20_000 },
  },
}
/** The share served may differ by this much on one seed without any reason. */
const NOISE = 0.04

for (const [name, floor] of Object.entries(FLOORS)) {
  test(`in a small ${name} as many are served as by the best other policy, and within the bounds of calls and recovery`, async () => {
    const loaded = loadFleetScenario(name)
    const whole = floor.perSecond === undefined ? loaded : scaled(loaded, floor.perSecond)
    const { durationS, forS, fromS } = { ...FAULT_S, ...floor.times }
    const faults = whole.faults.map((fault) => ({ ...fault, atS: fromS, forS }))
    const small = { ...whole, durationS, faults: faults as FleetScenario['faults'] }
    const [ours, naive, sdk] = await Promise.all([run(small, 'ours'), run(small, 'naive'), run(small, 'sdk')])
    const { amplification, goodput, recoveryMs, unanswered } = ours.figures
    const best = Math.max(naive.figures.goodput, sdk.figures.goodput)
    const found = `served ${goodput}, best other ${best}, calls ${amplification.mean}, recovery ${recoveryMs}`
    assert.deepEqual(ours.breaches, [])
    assert.ok(goodput >= floor.served && goodput >= best - (floor.behindMax ?? NOISE), found)
    assert.ok(amplification.mean <= floor.callsMax, found)
    assert.ok(recoveryMs !== null && recoveryMs <= floor.recoveryMsMax, found)
    assert.equal(unanswered, 0)
    const { callsMin, recoveryMsMin } = floor.naive ?? { callsMin: 0, recoveryMsMin: 0 }
    const { amplification: ofNaive, recoveryMs: naiveMs } = naive.figures
    assert.ok(ofNaive.mean >= callsMin, `naive: calls ${ofNaive.mean}`)
    assert.ok((naiveMs ?? Infinity) >= recoveryMsMin, `naive: recovery ${naiveMs}`)
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
