// Makes a plan that breaks an invariant smaller while a breach of the same kind remains: fewer faults, nodes and
// habits, a shorter and milder run. Greedy, bounded and deterministic: the same plan always shrinks to the same one.
import { CLEAR_NETWORK } from '../network/store-network.ts'
import { breachKind } from './breach-kind.ts'
import type { SwarmPlan } from './plan.ts'
import type { SwarmFault } from './swarm-fault.ts'
import type { SeedRun } from './run-seed.ts'

export interface Shrunk {
  readonly run: SeedRun
  /** Number of plans that were run. */
  readonly tries: number
}

type Change = (plan: SwarmPlan) => readonly SwarmPlan[]

const TRIES_MAX = 80
const HABITS = [
  'hostileShare',
  'deviceSwitchShare',
  'stopShare',
  'doubleTapShare',
  'disconnectShare',
  'resubmitShare',
  'secondShare',
  'repeatShare',
  'sendAgainShare',
] as const

export async function shrink(
  failed: SeedRun,
  run: (plan: SwarmPlan) => Promise<SeedRun>,
  triesMax = TRIES_MAX,
): Promise<Shrunk> {
  const kinds = new Set(failed.breaches.map(breachKind))
  const remains = ({ breaches }: SeedRun) => breaches.some((breach) => kinds.has(breachKind(breach)))
  let smallest = failed
  let tries = 0
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const change of CHANGES) {
      for (const plan of change(smallest.plan)) {
        if (tries === triesMax) return { run: smallest, tries }
        tries += 1
        const tried = await run(plan)
        if (!remains(tried)) continue
        smallest = tried
        isSmaller = true
        break
      }
    }
  }
  return { run: smallest, tries }
}

const CHANGES: readonly Change[] = [
  // Halves first: most of the faults have nothing to do with the breach.
  ({ faults, ...plan }) => {
    if (faults.length < 2) return []
    const half = Math.ceil(faults.length / 2)
    return [
      { ...plan, faults: faults.slice(half) },
      { ...plan, faults: faults.slice(0, half) },
    ]
  },
  ({ faults, ...plan }) => faults.map((_, index) => ({ ...plan, faults: faults.toSpliced(index, 1) })),
  (plan) => (plan.way.oneWayMs + plan.way.lostAfter + plan.way.lostBefore > 0 ? [{ ...plan, way: CLEAR_NETWORK }] : []),
  (plan) => (plan.aheadMs.some((ms) => ms !== 0) ? [{ ...plan, aheadMs: plan.aheadMs.map(() => 0) }] : []),
  (plan) => (plan.nodes > 1 ? [1, plan.nodes - 1].map((nodes) => ({ ...plan, nodes })) : []),
  (plan) => (plan.budget === null ? [] : [{ ...plan, budget: null }]),
  (plan) => (plan.regulars === 0 ? [] : [{ ...plan, regulars: 0 }]),
  (plan) => (Object.keys(plan.settings).length === 0 ? [] : [{ ...plan, settings: {} }]),
  (plan) => (Object.keys(plan.provider).length === 0 ? [] : [{ ...plan, provider: {} }]),
  (plan) =>
    HABITS.flatMap((habit) => (plan.people[habit] === 0 ? [] : [{ ...plan, people: { ...plan.people, [habit]: 0 } }])),
  ({ faults, ...plan }) =>
    faults.flatMap((fault, index) => {
      const shorter = shortened(fault)
      return shorter === undefined ? [] : [{ ...plan, faults: faults.with(index, shorter) }]
    }),
  (plan) => {
    const { livenessS, safetyS } = plan
    const lastS = Math.max(2, ...plan.faults.map((fault) => endS(fault)))
    return [
      ...(lastS < safetyS ? [{ ...plan, safetyS: Math.ceil(lastS) }] : []),
      ...(livenessS > 1 ? [{ ...plan, livenessS: Math.floor(livenessS / 2) }] : []),
    ]
  },
  (plan) => {
    const { arrivalsPerSecond } = plan
    return arrivalsPerSecond > 0.2 ? [{ ...plan, arrivalsPerSecond: arrivalsPerSecond / 2 }] : []
  },
]

function shortened(fault: SwarmFault): SwarmFault | undefined {
  if ('forS' in fault && fault.forS !== undefined && fault.forS > 1)
    return { ...fault, forS: Math.floor(fault.forS / 2) }
  return 'count' in fault && fault.count > 1 ? { ...fault, count: 1 } : undefined
}

function endS(fault: SwarmFault): number {
  const lasts = 'forS' in fault ? fault.forS : 'downS' in fault ? fault.downS : 0
  return fault.atS + (lasts ?? 0)
}
