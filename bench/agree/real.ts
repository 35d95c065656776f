// Plays a storm on real processes: nodes, Redis, the load balancer, and the vendor simulator with regions of the same capacity. The
// arrivals come at the times of a simulated run.
import { cpus, loadavg } from 'node:os'
import type { LaneView } from '../../packages/protocol/src/admin/index.ts'
import { seededFloats } from '../../packages/server/src/lib/collections/seeded-floats.ts'
import type { Capacity } from '../../packages/simulation/src/provider/habits.ts'
import { timelineOf } from '../../packages/simulation/src/scenario/timeline.ts'
import type { FleetScenario } from '../../packages/simulation/src/scenario/scenario.ts'
import { OWN_QUESTIONS } from '../../packages/simulation/src/world/crowd.ts'
import { sleep } from '../chaos/reader.ts'
import { startCluster } from '../cluster/cluster.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { crowd } from '../servers/crowd.ts'
import { CIRCUIT_POLL_MS, CircuitWatch } from './circuits.ts'
import type { Played, Visited } from './played.ts'
import { Shopper } from './shopper.ts'

export interface RealStorm {
  readonly storm: FleetScenario
  readonly capacities: ReadonlyMap<string, Capacity>
  readonly arrivalsAtMs: readonly number[]
}

/** What the machine did during the storm. */
export interface MachineUse {
  readonly busyShare: number
  readonly loadMax: number
  /** How late a shopper came at most: for so long these processes had no CPU. */
  readonly lateMsMax: number
}

export interface PlayedReal extends Played {
  readonly machine: MachineUse
}

const WARM_UP = { questions: 30, everyMs: 200 }
/** Between the warm-up and the storm: answers end, and the lanes come to rest. */
const QUIET_MS = 5000

export async function playReal({ arrivalsAtMs, capacities, storm }: RealStorm): Promise<PlayedReal> {
  // The ids of the simulation: a region's answer, and so its length, follows from the question and the id.
  const modelOf = new Map(storm.ladder.map(({ model, name }) => [name, model]))
  const ids = [...modelOf].map(([name, model]) => [`MANGA_MODELS__${name.toUpperCase()}__ID`, model])
  const cluster = await startCluster({
    nodes: storm.nodes,
    balancer: 'built-in',
    answers: 'plain',
    regions: Object.fromEntries([...capacities].map(([name, capacity]) => [modelOf.get(name), capacity])),
    durable: 'redis',
    settings: { ...crowd, ...Object.fromEntries(ids), MANGA_SERVER__LOGLEVEL: 'warn' },
  })
  try {
    const float = seededFloats(storm.name)
    const ask = (name: string, nowMs: () => number): Promise<Visited> => {
      const question = OWN_QUESTIONS[Math.floor(float() * OWN_QUESTIONS.length)] ?? ''
      const { patienceMs, resubmitShare } = storm.people
      const isImpatient = float() < resubmitShare
      const patience = isImpatient ? patienceMs : undefined
      return new Shopper({ address: cluster.address, name, question, patienceMs: patience, float, nowMs }).visit()
    }
    await warmUp((number) => ask(`warm-up-${number}`, () => performance.now()))
    const [startedAt, from] = [Date.now(), performance.now()]
    const nowMs = () => performance.now() - from
    const until = (atMs: number) => sleep(Math.max(0, atMs - nowMs()))
    const machine = new MachineWatch()
    const circuits = new CircuitWatch()
    const following = followCircuits(cluster, { storm, circuits, nowMs, machine })
    const playing = playTimeline(cluster, storm, until)
    const visiting: Promise<Visited>[] = []
    for (const [number, atMs] of arrivalsAtMs.entries()) {
      await until(atMs)
      machine.sawLate(nowMs() - atMs)
      visiting.push(ask(`shopper-${number}`, nowMs))
    }
    const visits = await Promise.all(visiting)
    await Promise.all([following, playing])
    const calls = Array.from({ length: storm.durationS }, () => 0)
    for (const at of await callsSince(cluster, startedAt)) {
      const second = Math.floor((at - startedAt) / 1000)
      if (second < calls.length) calls[second] = (calls[second] ?? 0) + 1
    }
    return { visits, calls, openedAtMs: circuits.openedAtMs, machine: machine.seen() }
  } finally {
    await cluster.close()
  }
}

async function warmUp(ask: (number: number) => Promise<Visited>): Promise<void> {
  const asked: Promise<Visited>[] = []
  for (let number = 0; number < WARM_UP.questions; number += 1) {
    asked.push(ask(number))
    await sleep(WARM_UP.everyMs)
  }
  await Promise.all(asked)
  await sleep(QUIET_MS)
}

async function playTimeline(
  { models }: Cluster,
  storm: FleetScenario,
  until: (atMs: number) => Promise<void>,
): Promise<void> {
  for (const { atMs, conditions } of timelineOf(storm)) {
    await until(atMs)
    for (const { model, name } of storm.ladder) {
      const body = JSON.stringify({ model, ...conditions.lanes[name] })
      const response = await fetch(`${models.address}/_sim/health`, { method: 'POST', body })
      if (!response.ok) throw new Error(await response.text())
    }
  }
}

async function followCircuits(
  { adminToken, nodes }: Cluster,
  parts: {
    readonly storm: FleetScenario
    readonly circuits: CircuitWatch
    readonly nowMs: () => number
    readonly machine: MachineWatch
  },
): Promise<void> {
  const { circuits, machine, nowMs, storm } = parts
  const headers = { authorization: `Bearer ${adminToken}` }
  for (let polls = 1; nowMs() < storm.durationS * 1000; polls += 1) {
    const response = await fetch(`${nodes[0]?.service.address}/api/admin/lanes`, { headers })
    const { data } = (await response.json()) as { data: readonly LaneView[] }
    for (const { name } of storm.ladder) {
      const lane = data.find(({ models }) => models.includes(name))
      if (lane !== undefined) circuits.saw(name, lane.phase, nowMs())
    }
    machine.poll()
    await sleep(Math.max(0, polls * CIRCUIT_POLL_MS - nowMs()))
  }
}

/** When each began. */
async function callsSince({ models }: Cluster, startedAt: number): Promise<readonly number[]> {
  const response = await fetch(`${models.address}/_sim/attempts`)
  const { attempts } = (await response.json()) as { attempts: readonly { readonly at: number }[] }
  return attempts.map(({ at }) => at).filter((at) => at >= startedAt)
}

class MachineWatch {
  readonly #before = cpuTimes()
  #loadMax = 0
  #lateMsMax = 0

  sawLate(ms: number): void {
    this.#lateMsMax = Math.max(this.#lateMsMax, ms)
  }

  poll(): void {
    this.#loadMax = Math.max(this.#loadMax, loadavg()[0] ?? 0)
  }

  seen(): MachineUse {
    const now = cpuTimes()
    const [idle, all] = [now.idle - this.#before.idle, now.all - this.#before.all]
    return { busyShare: 1 - idle / all, loadMax: this.#loadMax, lateMsMax: this.#lateMsMax }
  }
}

function cpuTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map(({ times: of }) => of)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((of) => Object.values(of))) }
}
