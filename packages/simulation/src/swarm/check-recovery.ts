// Checks that every lane returns to normal after its model answers again. A lane without calls cannot find out, so this
// makes a few successful calls per second on it.
import type { FleetWorld } from '../world/fleet-world.ts'

export interface RecoveryParts {
  readonly lanes: readonly string[]
  readonly runTo: (until: number, stop?: () => boolean) => Promise<void>
  readonly breach: (kind: string, detail: string) => void
}

const ASK_EVERY_MS = 200
const CALL_MS = 50
const SERVED_LEASE_MS = 10_000
/** Long enough for the leases of lost probes, all recovery stages, and the removal of a limit. */
const BACK_WITHIN_MS = 90_000

export async function checkRecovery(world: FleetWorld, { breach, lanes, runTo }: RecoveryParts): Promise<void> {
  const unrecovered = new Set(lanes)
  let calls = 0
  const ask = (lane: string): void => {
    const [node] = world.ready
    if (node?.lane(lane).level === 'normal') return void unrecovered.delete(lane)
    calls += 1
    if (node !== undefined) void callOnce(world, node.lanes, { lane, id: `swarm-${calls}` })
    world.time.after(ASK_EVERY_MS, () => ask(lane))
  }
  for (const lane of lanes) ask(lane)
  if (unrecovered.size > 0) await runTo(world.time.now() + BACK_WITHIN_MS, () => unrecovered.size === 0)
  for (const lane of unrecovered) {
    const [node] = world.ready
    const { level, limit, phase } = node?.lane(lane) ?? { level: 'unknown', limit: null, phase: 'unknown' }
    breach('a lane does not recover', `${lane}: ${level}, ${phase}, limit ${limit}`)
  }
}

async function callOnce(
  world: FleetWorld,
  lanes: FleetWorld['nodes'][number]['lanes'],
  { id, lane }: { readonly id: string; readonly lane: string },
): Promise<void> {
  const answer = await lanes.permit(lane, { id, ask: { kind: 'first' } })
  if (answer.kind !== 'permit') return
  await world.clock.sleep(CALL_MS)
  await lanes.served(lane, id, SERVED_LEASE_MS)
  await lanes.report(lane, id, 'success')
}
