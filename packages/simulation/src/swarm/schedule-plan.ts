// Applies the acts of a plan that a scenario cannot express: operators, clocks, joining nodes, an unavailable session
// store. Heals afterwards: from then on nothing is wrong, whatever the plan did.
import { CLEAR_NETWORK } from '../network/store-network.ts'
import type { FleetWorld } from '../world/fleet-world.ts'
import type { SwarmPlan } from './plan.ts'
import type { SwarmAct, SwarmFault } from './swarm-fault.ts'

const SECOND_MS = 1000
const AUTHOR = { by: 'operator', reason: 'swarm' }
const TRIES_MAX = 60
const ACTS: ReadonlySet<SwarmFault['kind']> = new Set<SwarmAct['kind']>([
  'sessions-away',
  'node-join',
  'clock-set',
  'operate',
  'maintenance',
])

export function isAct(fault: SwarmFault): fault is SwarmAct {
  return ACTS.has(fault.kind)
}

export function schedulePlan(world: FleetWorld, { faults, safetyS }: SwarmPlan): void {
  for (const act of faults.filter(isAct)) world.time.after(act.atS * SECOND_MS, () => begin(world, act))
  world.time.after(safetyS * SECOND_MS, () => heal(world, faults))
}

function begin(world: FleetWorld, act: SwarmAct): void {
  world.addMoment(act.kind)
  switch (act.kind) {
    case 'sessions-away':
      world.networks.sessions.goDown()
      world.time.after(act.forS * SECOND_MS, () => world.networks.sessions.comeUp())
      return
    case 'node-join':
      world.boot()
      return
    case 'clock-set': {
      const [node] = world.nodes
      if (node !== undefined) node.clock.aheadMs = act.aheadMs
      return
    }
    case 'operate':
      operate(world, act.lane, act.action)
      world.time.after(act.forS * SECOND_MS, () => operate(world, act.lane, 'reset'))
      return
    case 'maintenance':
      maintain(world, true)
      world.time.after(act.forS * SECOND_MS, () => maintain(world, false))
  }
}

function heal(world: FleetWorld, faults: readonly SwarmFault[]): void {
  world.addMoment('heal')
  world.networkQuality = CLEAR_NETWORK
  world.searchMs = 0
  for (const network of Object.values(world.networks)) {
    if (network.isPaused) network.resume()
    if (network.isDown) network.comeUp()
  }
  for (const node of world.nodes) {
    world.reconnect(node)
    if (node.clock.isPaused) node.clock.resume()
  }
  if (world.ready.length === 0) world.boot()
  for (const fault of faults) {
    if (fault.kind === 'operate') untilDone(world, () => operateOn(world, fault.lane, 'reset'))
    if (fault.kind === 'maintenance') untilDone(world, () => setMaintenance(world, false))
  }
}

function operate(world: FleetWorld, lane: string, action: 'force-open' | 'disable' | 'reset'): void {
  world.see(`operator ${action}`)
  void operateOn(world, lane, action).catch(() => world.see('operator refused'))
}

function maintain(world: FleetWorld, isOn: boolean): void {
  world.see('maintenance')
  void setMaintenance(world, isOn).catch(() => world.see('operator refused'))
}

async function operateOn(world: FleetWorld, lane: string, action: 'force-open' | 'disable' | 'reset'): Promise<void> {
  await anyNode(world).app.admin.operateLane(lane, action, AUTHOR)
}

async function setMaintenance(world: FleetWorld, isOn: boolean): Promise<void> {
  await anyNode(world).app.admin.setMaintenance(isOn, AUTHOR)
}

function anyNode(world: FleetWorld) {
  const [node] = world.ready
  if (node === undefined) throw new Error('no node is ready')
  return node
}

/** Retries, as an operator does after an error. */
function untilDone(world: FleetWorld, act: () => Promise<void>, tries = 1): void {
  act().catch(() => {
    if (tries < TRIES_MAX) world.time.after(SECOND_MS, () => untilDone(world, act, tries + 1))
    else world.breach('an operator was refused for a minute')
  })
}
