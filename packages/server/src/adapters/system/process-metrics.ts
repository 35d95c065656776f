// The figures of the process itself, read when `/metrics` is: its build, memory, CPU, handles, and the disk of its data. The delay of
// the event loop is sampled, because a scrape only sees the moment in which it is answered.
import { readdirSync, statfsSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { MetricsRegistry } from './metrics.ts'

const SAMPLE_MS = 250
const MICROSECONDS = 1_000_000

export interface ProcessFacts {
  readonly version: string
  /** The folder whose disk is watched. */
  readonly dataDir: string
}

/** A registry that knows what the process itself uses. */
export function processMetrics({ dataDir, version }: ProcessFacts): MetricsRegistry {
  const metrics = new MetricsRegistry()
  metrics.gauge('build_info', () => [{ fields: { version, node_version: process.version }, value: 1 }])
  metrics.gauge('process_start_time_seconds', () => performance.timeOrigin / 1000)
  metrics.gauge('process_resident_memory_bytes', () => process.memoryUsage.rss())
  metrics.gauge('process_heap_used_bytes', () => process.memoryUsage().heapUsed)
  metrics.gauge('process_external_memory_bytes', () => process.memoryUsage().external)
  metrics.gauge('process_open_handles', () => process.getActiveResourcesInfo().length)
  metrics.gauge('process_open_fds', openFiles)
  metrics.gauge('data_dir_free_bytes', () => diskOf(dataDir, ({ bavail, bsize }) => bavail * bsize))
  metrics.gauge('data_dir_capacity_bytes', () => diskOf(dataDir, ({ blocks, bsize }) => blocks * bsize))
  metrics.cumulative('process_cpu_seconds_total', () => {
    const { system, user } = process.cpuUsage()
    return [
      { fields: { mode: 'user' }, value: user / MICROSECONDS },
      { fields: { mode: 'system' }, value: system / MICROSECONDS },
    ]
  })
  metrics.cumulative('process_event_loop_active_seconds_total', () => performance.eventLoopUtilization().active / 1000)
  return metrics
}

/** Observes how late the timers of the event loop are, until it is disposed of. It does not keep the process alive. */
export function sampleEventLoop(metrics: Pick<MetricsRegistry, 'observe'>): Disposable {
  let dueAt = performance.now() + SAMPLE_MS
  const timer = setInterval(() => {
    const now = performance.now()
    metrics.observe('process_event_loop_delay_seconds', Math.max(0, now - dueAt) / 1000)
    dueAt = now + SAMPLE_MS
  }, SAMPLE_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** No series where the system does not say it. */
function openFiles() {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return []
  }
}

/** No series while the folder cannot be read. */
function diskOf(dataDir: string, read: (disk: { bavail: number; blocks: number; bsize: number }) => number) {
  try {
    return read(statfsSync(dataDir))
  } catch {
    return []
  }
}
