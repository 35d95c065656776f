// The longest tasks of a page's main thread in a trace of Chromium. The time of the processor is separate from the
// clock's, because on a busy machine a short task may wait long for its processor.

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

const MICROS = 1000

export function longestTasks(trace: Buffer): { cpuMs: number; wallMs: number } {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] }
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const isMain = (event: TraceEvent) => event.name === 'thread_name' && event.args.name === 'CrRendererMain'
  const mains = new Set(traceEvents.filter(isMain).map(thread))
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && mains.has(thread(event)))
  const longest = (figure: 'dur' | 'tdur') => Math.max(0, ...tasks.map((task) => task[figure] ?? 0)) / MICROS
  if (tasks.length === 0) throw new Error('the trace has no tasks of a page')
  return { cpuMs: longest('tdur'), wallMs: longest('dur') }
}
