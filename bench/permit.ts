// Cost of a permit, its first words and its report: in one process, ticks included, and on a real Redis compared with
// bare PINGs, alternately over the same connection. Counts round trips and reads Redis's own CPU time. `npm run bench
// -- permit`.
import { memoryTelemetry } from '../packages/server/src/adapters/memory/telemetry.ts'
import { openRedis } from '../packages/server/src/adapters/redis/client/connection.ts'
import type { Redis } from '../packages/server/src/adapters/redis/client/connection.ts'
import { redisLanes } from '../packages/server/src/adapters/redis/lanes/lanes.ts'
import { systemRandom } from '../packages/server/src/adapters/system/random.ts'
import { systemClock } from '../packages/server/src/adapters/system/clock.ts'
import { adaptivePolicy } from '../packages/server/src/domain/lane/adaptive-policy.ts'
import { LocalLane } from '../packages/server/src/domain/lane/local-lane.ts'
import { laneDefaults } from '../packages/server/src/domain/lane/settings.ts'
import type { Lanes } from '../packages/server/src/ports/lanes/port.ts'
import { startRedis } from '../packages/server/test/fixtures/stores/redis-server.ts'

const CALLS = Number(process.env['CALLS'] ?? 200_000)
const SHARED_CALLS = Number(process.env['SHARED_CALLS'] ?? 10_000)
const IN_FLIGHT = [10, 1000]
const LANE = 'primary@home'
const FIRST = { kind: 'first' } as const

function microsPerCall(inFlight: number): number {
  const lane = new LocalLane({ policy: adaptivePolicy(laneDefaults), float: () => 0.5, now: 0 })
  const startedAt = process.cpuUsage()
  for (let call = 0; call < CALLS; call += 1) {
    // A hundred calls a second, as on the busiest lane of a cluster.
    const now = call * 10
    lane.take({ id: `${call}`, ask: FIRST, leaseMs: 1_000_000_000 }, now)
    lane.served(`${call}`, { now, leaseMs: 1_000_000_000 })
    lane.report(`${call - inFlight}`, call % 50 === 0 ? 'overload' : 'success', now)
  }
  return cpuMicros(startedAt) / CALLS
}

function cpuMicros(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return user + system
}

microsPerCall(10)
for (const inFlight of IN_FLIGHT)
  console.log(`in process, ${inFlight} in flight: ${microsPerCall(inFlight).toFixed(1)} µs a call`)

await using server = await startRedis()
const [clock, telemetry] = [systemClock(), memoryTelemetry()]
// A hundred calls a second here too, so that the lane has a whole minute of cells.
let virtualNow = clock.now()
const now = () => virtualNow
await using redis = await openRedis({
  url: server.url,
  random: systemRandom(),
  clock,
  telemetry,
  callMs: 5000,
  connectMs: 5000,
  now,
})
let roundTrips = 0
const counted: Pick<Redis, 'run' | 'command'> = {
  run: (script, keys, args) => ((roundTrips += 1), redis.run(script, keys, args)),
  command: (key, ...args) => ((roundTrips += 1), redis.command(key, ...args)),
}

async function redisCpuMicros(): Promise<number> {
  const about = String(await redis.command(undefined, 'INFO', 'cpu'))
  const seconds = ['user', 'sys'].map((kind) => Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(about)?.[1]))
  return seconds.reduce((sum, one) => sum + one, 0) * 1e6
}

interface Cost {
  readonly redisMicros: number
  readonly nodeMicros: number
  readonly p50Ms: number
  readonly p99Ms: number
}

async function costOf(work: (call: number) => Promise<unknown>): Promise<Cost> {
  const times: number[] = []
  const [redisBefore, nodeBefore] = [await redisCpuMicros(), process.cpuUsage()]
  for (let call = 0; call < SHARED_CALLS; call += 1) {
    const began = performance.now()
    await work(call)
    times.push(performance.now() - began)
  }
  const [nodeMicros, redisMicros] = [cpuMicros(nodeBefore), (await redisCpuMicros()) - redisBefore]
  const at = (share: number) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0
  const perCall = { redisMicros: redisMicros / SHARED_CALLS, nodeMicros: nodeMicros / SHARED_CALLS }
  return { ...perCall, p50Ms: at(0.5), p99Ms: at(0.99) }
}

function show(name: string, { redisMicros, nodeMicros, p50Ms, p99Ms }: Cost, trips: string): void {
  const cpu = `Redis ${redisMicros.toFixed(0)} µs, node ${nodeMicros.toFixed(0)} µs of CPU`
  console.log(`${name.padEnd(34)} ${trips} · ${cpu} · p50 ${p50Ms.toFixed(3)} ms, p99 ${p99Ms.toFixed(3)} ms`)
}

const tripsEach = (since: number) => `${((roundTrips - since) / SHARED_CALLS).toFixed(2)} round trips`
function newLanes(lane: string): Lanes {
  const common = { clock, random: { float: () => 0.5 }, telemetry, nodeId: 'bench', leaseMs: 600_000 }
  return redisLanes({ ...common, redis: counted, policies: new Map([[lane, adaptivePolicy(laneDefaults)]]) })
}

for (let call = 0; call < 2000; call += 1) await redis.command(undefined, 'PING')
show(
  'three PINGs',
  await costOf(async () => {
    for (let ping = 0; ping < 3; ping += 1) await redis.command(undefined, 'PING')
  }),
  '3.00 round trips',
)
for (const inFlight of IN_FLIGHT) {
  const lane = `${LANE}-${inFlight}`
  const lanes = newLanes(lane)
  await lanes.tick()
  const permit = (call: number) => lanes.permit(lane, { id: `${call}`, ask: FIRST })
  for (let call = -inFlight; call < 0; call += 1) await permit(call)
  const before = roundTrips
  const cost = await costOf(async (call) => {
    virtualNow += 10
    await permit(call)
    await lanes.served(lane, `${call}`, 600_000)
    await lanes.report(lane, `${call - inFlight}`, 'success')
  })
  show(`permit to report, ${inFlight} in flight`, cost, tripsEach(before))
  const ticked = roundTrips
  show('a tick by the node that holds it', await costOf(() => lanes.tick()), tripsEach(ticked))
}
