// The faults of a chaos run, planned from a seed before it begins. Nodes are killed at a steady pace, and now and then drained or paused;
// the stores are paused and restarted. Unless they may overlap, no node is killed while Redis is unavailable: what such a node
// granted by itself is lost with it, which docs/degraded-mode.md says. Nodes do die while other stores are unavailable.

export type NodeFault =
  | { readonly kind: 'kill'; readonly atMs: number; readonly node: number; readonly forMs: number }
  | { readonly kind: 'stop'; readonly atMs: number; readonly node: number; readonly forMs: number }
  | { readonly kind: 'pause'; readonly atMs: number; readonly node: number; readonly forMs: number }

export interface StoreFault {
  readonly kind: 'pause' | 'restart'
  readonly store: string
  readonly atMs: number
  readonly forMs: number
}

export type PlannedFault = NodeFault | StoreFault

export interface PlanOptions {
  readonly minutes: number
  readonly nodes: number
  readonly killEveryS: number
  readonly stores: readonly string[]
  readonly mayOverlap: boolean
  /** Uniform in [0, 1), from the seed. */
  readonly float: () => number
}

/** What the nodes grant by; without it a node grants by itself. */
const REDIS = 'redis'
/** Nothing fails at the beginning; the last faults are over before the end. */
const QUIET_MS = 5000
const DOWN_MS_MIN = 1000
const DOWN_MS_MAX = 4000
const NODE_PAUSE_MS = [2000, 6000, 14_000] as const
const STORE_PAUSE_MS_MIN = 2000
const STORE_PAUSE_MS_MAX = 8000
const RESTART_MS = 1500
/** Before a fault of a store: a node that starts needs it. */
const START_MS = 8000
/** After a fault of a store: the nodes write what waited, and no turn is taken over for six seconds. */
const RECOVERY_MS = 8000
/** Where the faults of a store are in a run; stores are offset from each other. */
const STORE_FAULTS = [
  { kind: 'pause', part: 0.25 },
  { kind: 'pause', part: 0.55 },
  { kind: 'restart', part: 0.8 },
] as const
const STORE_OFFSET_PART = 0.12
/** Every third kill has a drain or a pause of another node between it and the next. */
const OTHER_EVERY = 3

export function planFaults(options: PlanOptions): readonly PlannedFault[] {
  const endMs = options.minutes * 60_000
  const stores = storeFaults(options, endMs)
  const nodes = nodeFaults(options, endMs)
  const outages = stores.filter(({ store }) => store === REDIS)
  const kept = options.mayOverlap ? nodes : outsideOutages(nodes, outages, options.killEveryS * 250)
  return [...stores, ...kept.filter(({ atMs }) => atMs < endMs - QUIET_MS)].sort((one, other) => one.atMs - other.atMs)
}

function storeFaults({ float, stores }: PlanOptions, endMs: number): StoreFault[] {
  return stores.flatMap((store, index) =>
    STORE_FAULTS.map(({ kind, part }) => ({
      kind,
      store,
      atMs: Math.round(endMs * (part + index * STORE_OFFSET_PART + (float() - 0.5) * 0.04)),
      forMs:
        kind === 'restart'
          ? RESTART_MS
          : Math.round(STORE_PAUSE_MS_MIN + float() * (STORE_PAUSE_MS_MAX - STORE_PAUSE_MS_MIN)),
    })),
  )
}

function nodeFaults({ float, killEveryS, nodes }: PlanOptions, endMs: number): NodeFault[] {
  const everyMs = killEveryS * 1000
  const anyNode = () => 1 + Math.floor(float() * nodes)
  const downMs = () => Math.round(DOWN_MS_MIN + float() * (DOWN_MS_MAX - DOWN_MS_MIN))
  const count = Math.floor((endMs - 2 * QUIET_MS) / everyMs)
  return Array.from({ length: count }, (_, index): NodeFault[] => {
    const atMs = Math.round(QUIET_MS + index * everyMs + float() * everyMs * 0.25)
    const node = anyNode()
    const kill: NodeFault = { kind: 'kill', atMs, node, forMs: downMs() }
    if (index % OTHER_EVERY !== 1) return [kill]
    const between = { atMs: Math.round(atMs + everyMs / 2), node: (node % nodes) + 1 }
    const isStop = float() < 0.5
    const pauseMs = NODE_PAUSE_MS[Math.floor(float() * NODE_PAUSE_MS.length)] ?? NODE_PAUSE_MS[0]
    return [
      kill,
      isStop ? { kind: 'stop', ...between, forMs: downMs() } : { kind: 'pause', ...between, forMs: pauseMs },
    ]
  }).flat()
}

/** Faults that would overlap an outage come after it, unless they would then be closer than `apartMs` to another one. */
function outsideOutages(faults: readonly NodeFault[], outages: readonly StoreFault[], apartMs: number): NodeFault[] {
  const inOrder = outages.toSorted((one, other) => one.atMs - other.atMs)
  const free = faults.filter((fault) => movedMs(fault, inOrder) === fault.atMs)
  const taken = [...free]
  for (const fault of faults) {
    const atMs = movedMs(fault, inOrder)
    if (atMs !== fault.atMs && taken.every((other) => Math.abs(other.atMs - atMs) >= apartMs))
      taken.push({ ...fault, atMs })
  }
  return taken
}

function movedMs(fault: NodeFault, outages: readonly StoreFault[]): number {
  let { atMs } = fault
  for (const outage of outages) {
    const [from, to] = [outage.atMs - fault.forMs - START_MS, outage.atMs + outage.forMs + RECOVERY_MS]
    if (atMs > from && atMs < to) atMs = to
  }
  return atMs
}

export function described(fault: PlannedFault): string {
  const at = `${(fault.atMs / 1000).toFixed(1)} s`
  const s = `${(fault.forMs / 1000).toFixed(1)} s`
  if ('store' in fault)
    return `${at} ${fault.store}: ${fault.kind === 'pause' ? `paused for ${s}` : `killed, and started after ${s}`}`
  const what = { kill: 'SIGKILL, started after', stop: 'SIGTERM, started again after', pause: 'SIGSTOP for' }[
    fault.kind
  ]
  return `${at} node ${fault.node}: ${what} ${s}`
}
