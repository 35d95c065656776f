// What a measured process tells its parent: where it listens, and on demand what it has used.

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
