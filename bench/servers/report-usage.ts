// Reports to the parent of a measured process: its address, and on request its resource usage.

export interface Usage {
  readonly cpuMicros: number
  readonly rssBytes: number
  readonly heapBytes: number
}

export function reportUsage(address: string): void {
  process.on('message', () => {
    globalThis.gc?.()
    const cpu = process.cpuUsage()
    const memory = process.memoryUsage()
    process.send?.({
      cpuMicros: cpu.user + cpu.system,
      rssBytes: memory.rss,
      heapBytes: memory.heapUsed,
    } satisfies Usage)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ address })
}
