// `mangaassist nodes`: shows the nodes of the cluster of a running server.
import type { NodesView, NodeView } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { printFound } from '../output/print-found.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { usualUrl } from '../server/find-server.ts'
import { rejectedText } from '../operators/lane-words.ts'
import { table } from '../usage/print.ts'

const flags = { json: { type: 'boolean' }, url: { type: 'string' } } as const

export const nodes: Command = {
  summary: 'Show the nodes of a running cluster: versions, load, which drains and which leads',
  usage: `Usage: mangaassist nodes [--json]

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}. A node is listed while it announces itself, every few seconds; one that is
stopped is left out at once, and one that dies after 15 seconds. On one machine there is one node.

  --json      as JSON
  --url URL   the server to ask

The leader is the node that removes expired data, prewarms answers and watches experiments for all.
Below the table are the versions in use if there are several, as during a rolling deployment.`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    if (positionals.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(positionals[0])}.`)
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    const seen = await adminApi(values.url ?? usualUrl(server), terminal.env).nodes()
    printFound({ stdout: terminal.stdout, isJson: values.json === true }, seen, described)
    return 0
  },
}

const HEADER = ['node', 'host', 'version', 'state', 'started', 'turns', 'connections', 'seen s ago']
const TEXTS = 5

function described({ at, nodes: all }: NodesView): string {
  const notes = [
    ...all.flatMap(({ id, rejected }) => rejected.map((one) => `${id}: ${rejectedText(one)}`)),
    ...counted('versions', all, ({ version }) => version),
    ...counted('catalogues', all, ({ edition }) => edition ?? 'none'),
    ...(all.some(({ leader }) => leader) ? [] : [`no leader: the nodes as they were seen at ${at}`]),
  ]
  return [table(HEADER, all.map(cellsOf), TEXTS), ...(notes.length === 0 ? [] : ['', ...notes])].join('\n')
}

function cellsOf({ announcedMsAgo, connections, draining, host, id, leader, startedAt, turns, version }: NodeView) {
  const state = draining ? 'draining' : leader ? 'leader' : 'serving'
  return [id, host, version, state, startedAt, ...[turns, connections, Math.round(announcedMsAgo / 1000)].map(String)]
}

/** One line when the nodes differ. */
function counted(what: string, all: readonly NodeView[], of: (node: NodeView) => string): readonly string[] {
  const groups = [...Map.groupBy(all, of)]
  if (groups.length < 2) return []
  return [`${what}: ${groups.map(([name, same]) => `${name} on ${same.length}`).join(', ')}`]
}
