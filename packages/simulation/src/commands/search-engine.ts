// `mangaassist search-engine`: runs the stand-in for OpenSearch on this machine until a signal.
import { systemClock } from '@mangaassist/server/adapters/system/clock'
import { parseFlags, UsageError } from '@mangaassist/server/cli/command'
import type { Command } from '@mangaassist/server/cli/command'

const PORT_DEFAULT = 9200
const PORT_MAX = 65_535

export const searchEngine: Command = {
  summary: 'Run a local stand-in for OpenSearch that fails on request',
  usage: `Usage: mangaassist search-engine [--port n] [--json]

Speaks the part of OpenSearch's API that the server uses, over plain HTTP on 127.0.0.1, until SIGINT
or SIGTERM. Everything is in memory. It refuses what OpenSearch would refuse; Japanese is analysed
roughly, so it says little about relevance.

  --port n   port to listen on (default ${PORT_DEFAULT}; 0 for any free one)
  --json     the address as a JSON line

While it runs: POST /_sim/faults, GET /_sim/faults, DELETE /_sim/faults. docs/opensearch.md
lists the faults.`,

  async run(args, terminal) {
    const { json, port = String(PORT_DEFAULT) } = parseFlags(args, {
      port: { type: 'string' },
      json: { type: 'boolean' },
    })
    if (!/^\d+$/.test(port) || Number(port) > PORT_MAX)
      throw new UsageError(`--port takes a whole number from 0 to ${PORT_MAX}, not ${JSON.stringify(port)}.`)
    const { startSearchEngine } = await import('../search-engine/start-search-engine.ts')
    // Listens before the line is printed, so that a signal right after it is not lost.
    const stopped = Promise.withResolvers<void>()
    terminal.onSignal(() => stopped.resolve())
    await using engine = await startSearchEngine({ clock: systemClock(), port: Number(port) })
    const line =
      json === true
        ? JSON.stringify({ ready: true, url: engine.url })
        : `The stand-in for OpenSearch is at ${engine.url}`
    terminal.stdout.write(`${line}\n`)
    await stopped.promise
    return 0
  },
}
