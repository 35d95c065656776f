// Carries out the planned faults on a running cluster, each in its time, and repairs them.
import type { Cluster } from '../cluster/cluster.ts'
import type { Service } from '../cluster/service.ts'
import { described } from './plan.ts'
import type { PlannedFault } from './plan.ts'
import { sleep } from './reader.ts'

export interface InjectParts {
  readonly cluster: Cluster
  readonly stores: ReadonlyMap<string, Service>
  readonly startsAt: number
  readonly onFault: (line: string) => void
}

/** Resolves when the last fault is repaired. Returns how many faults of each kind there were. */
export async function injectFaults(plan: readonly PlannedFault[], parts: InjectParts): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  await Promise.all(
    plan.map(async (fault) => {
      await sleep(parts.startsAt + fault.atMs - Date.now())
      const isDone = 'store' in fault ? await onStore(fault, parts) : await onNode(fault, parts)
      const kind = 'store' in fault ? `${fault.store} ${fault.kind}` : fault.kind
      const name = isDone ? kind : `${kind} skipped`
      counts.set(name, (counts.get(name) ?? 0) + 1)
      parts.onFault(`${described(fault)}${isDone ? '' : ' (skipped: it was not running)'}`)
    }),
  )
  return counts
}

async function onStore(fault: Extract<PlannedFault, { store: string }>, { stores }: InjectParts): Promise<boolean> {
  const service = stores.get(fault.store)
  if (service?.state() !== 'running') return false
  if (fault.kind === 'pause') await service.pauseFor(fault.forMs)
  else {
    await service.kill()
    await sleep(fault.forMs)
    await service.start()
  }
  return true
}

const START_AGAIN_MS = 1000
/** Services that a fault has in hand; another fault leaves them alone. */
const inHand = new Set<Service>()

async function onNode(fault: Exclude<PlannedFault, { store: string }>, { cluster }: InjectParts): Promise<boolean> {
  const service = cluster.nodes[fault.node - 1]?.service
  if (service?.state() !== 'running' || inHand.has(service)) return false
  inHand.add(service)
  if (fault.kind === 'pause') await service.pauseFor(fault.forMs)
  else {
    await (fault.kind === 'kill' ? service.kill() : service.stop())
    await sleep(fault.forMs)
    // A node does not start while its stores are unavailable.
    while (!(await hasStarted(service))) await sleep(START_AGAIN_MS)
  }
  inHand.delete(service)
  return true
}

function hasStarted(service: Service): Promise<boolean> {
  return service.start().then(
    () => true,
    () => false,
  )
}
