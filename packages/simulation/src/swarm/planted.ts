// Three bugs that the swarm must find, each in a store that does slightly too much or too little. They exist only in
// simulated stores, and prove that the invariants detect bugs.
import type { Budgets } from '@mangaassist/server/ports/budgets/port'

export const PLANTED_BUGS = ['leaked-probe', 'double-settle', 'old-epoch'] as const
/**
 * leaked-probe: the lease of a probe never ends, so a dead node still holds it. double-settle: a repeated settlement is
 * charged again. old-epoch: a log accepts writes of an owner that has lost the turn.
 */
export type PlantedBug = (typeof PLANTED_BUGS)[number]

type Argument = string | number

interface Script {
  readonly name: string
  readonly key: string
  readonly args: readonly Argument[]
  /** Carries it out with these arguments. */
  readonly run: (args: readonly Argument[]) => unknown
}

interface Known {
  readonly lanes: { gateOf(key: string): string }
  readonly turns: { turnOf(key: string): { readonly epoch: number; readonly end: unknown } | undefined }
}

const FOR_EVER_MS = 1e9

export function plantedRun(bug: PlantedBug, { args, key, name, run }: Script, known: Known): unknown {
  if (bug === 'leaked-probe' && name === 'lane-permit' && known.lanes.gateOf(key) === 'probing') {
    return run([...args.slice(0, 3), FOR_EVER_MS, FOR_EVER_MS])
  }
  if (bug === 'old-epoch' && (name === 'turn-log.extend' || name === 'turn-log.rewrite')) {
    const turn = known.turns.turnOf(key)
    if (turn !== undefined && turn.end === undefined && Number(args[1]) < turn.epoch) {
      return run([args[0] ?? '', turn.epoch, ...args.slice(2)])
    }
  }
  return run(args)
}

export function doubleSettling(budgets: Budgets): Budgets {
  let repeats = 0
  return new Proxy(budgets, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (name !== 'settle') return member.bind(target) as unknown
      return async (...[hold, used, terms]: Parameters<Budgets['settle']>) => {
        const result = await target.settle(hold, used, terms)
        if (result.charged) return result
        repeats += 1
        await target.settle({ ...hold, id: `${hold.id} ${repeats}` }, used)
        return result
      }
    },
  })
}
