// Metrics of the process itself: its build, its CPU and memory, its event loop, the disk of its data.
import { counter, counterOf, gauge, histogram } from './entry.ts'
import { FRAME_SECONDS } from './label-bounds.ts'
import type { OpenBound } from './entry.ts'

const ONE: OpenBound = { valuesMax: 1, because: 'one value in a process' }

export const processMetricNames = {
  build_info: gauge('Always 1; its labels say which version runs on which Node.', 'count', {
    version: ONE,
    node_version: ONE,
  }),
  process_start_time_seconds: gauge('When the process started, in seconds since the epoch.', 'seconds'),
  process_cpu_seconds_total: counterOf(
    'CPU time of the process, in the program and in the system.',
    { unit: 'seconds' },
    { mode: ['user', 'system'] },
  ),
  process_event_loop_delay_seconds: histogram(
    'How late the timers of the event loop are, sampled four times a second.',
    FRAME_SECONDS,
  ),
  process_event_loop_active_seconds_total: {
    ...counter('Time in which the event loop was busy; its rate is the utilisation of the one thread that serves.'),
    unit: 'seconds',
  },
  process_resident_memory_bytes: gauge('Resident memory of the process.', 'bytes'),
  process_heap_used_bytes: gauge('Used part of the JavaScript heap.', 'bytes'),
  process_external_memory_bytes: gauge('Memory of buffers outside the JavaScript heap.', 'bytes'),
  process_open_handles: gauge('Sockets, timers and files that keep the event loop alive.', 'count'),
  process_open_fds: gauge('Open file descriptors of the process; absent where the system does not say it.', 'count'),
  data_dir_free_bytes: gauge('Free space of the disk that has the data folder.', 'bytes'),
  data_dir_capacity_bytes: gauge('Size of the disk that has the data folder.', 'bytes'),
  metric_updates_dropped_total: counter(
    'Updates of metrics that were dropped because their metric has too many series.',
  ),
} as const
