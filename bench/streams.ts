// Number of answers of 50 tokens a second that one process can stream: STREAMS of them at once, all read over
// WebSockets, every batch durable in SQLite (or in REDIS) before it is sent. A frame's delay counts from its oldest
// token, and so includes the 100 ms for which tokens are batched.
import type { Lateness } from './servers/stream-clients.ts'
import { askMeasured, startMeasured } from './servers/measured-process.ts'
import type { Usage } from './servers/report-usage.ts'

const MEASURED_S = 10
const SETTLE_S = 4
const RESUME_S = 1
const counts = (process.env['STREAMS'] ?? '500,1000,2000').split(',').map(Number)

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
const at = (values: readonly number[], share: number): string => {
  const sorted = Float64Array.from(values).sort()
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)
}

for (const streams of counts) {
  const seconds = MEASURED_S + RESUME_S + 2 * SETTLE_S + 6
  const server = await startMeasured('paced', { SECONDS: String(seconds) })
  const idle = await askMeasured<Usage>(server.child)
  const clients = await startMeasured('stream-clients', { ADDRESS: server.address, COUNT: String(streams) })
  await sleep(SETTLE_S)
  const before = await askMeasured<Usage>(server.child)
  // The server runs a full garbage collection for its report: frames delayed by that are not counted.
  await sleep(RESUME_S)
  await askMeasured<Lateness>(clients.child)
  await sleep(MEASURED_S)
  const { lateMs, betweenMs, bytes } = await askMeasured<Lateness>(clients.child)
  const after = await askMeasured<Usage>(server.child)
  const cpuShare = (after.cpuMicros - before.cpuMicros) / 1e6 / (RESUME_S + MEASURED_S)
  const perStream = (after.heapBytes - idle.heapBytes) / streams / 1024
  console.log(
    `${streams} streams: frame delay p50 ${at(lateMs, 0.5)} p99 ${at(lateMs, 0.99)} slowest ${at(lateMs, 1)} ms, ` +
      `between frames p50 ${at(betweenMs, 0.5)} p99 ${at(betweenMs, 0.99)} ms, ` +
      `${(lateMs.length / streams / MEASURED_S).toFixed(1)} frames/s each, ${(bytes / lateMs.length).toFixed(0)} bytes a frame, ` +
      `CPU ${(cpuShare * 100).toFixed(0)} % of a core (${((cpuShare * 1000) / streams).toFixed(2)} ms/s a stream), ` +
      `${perStream.toFixed(0)} KiB a stream`,
  )
  clients.child.kill()
  server.child.kill()
}
