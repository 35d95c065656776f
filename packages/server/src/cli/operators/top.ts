// `mangaassist top`: the whole cluster in one screen that refreshes itself, or once.
import type { OverviewView } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { parseFlags } from '../command.ts'
import type { Command } from '../command.ts'
import { printFound } from '../output/print-found.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { usualUrl } from '../server/find-server.ts'
import { table, thousands, usd } from '../usage/print.ts'
import { laneState, laneTitle, rejectedText } from './lane-words.ts'

const flags = { json: { type: 'boolean' }, once: { type: 'boolean' }, url: { type: 'string' } } as const

const REFRESH_MS = 2000
const CLEAR = '\u001B[H\u001B[2J\u001B[3J'

export const top: Command = {
  summary: 'Watch a running cluster: questions, first words, lanes, spending, refusals, by node and in sum',
  usage: `Usage: mangaassist top [--once] [--json]

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}. Refreshes every two seconds until Ctrl-C; the figures are those of the last
minute that has ended. Where the output is no terminal, once.

  --once       prints once
  --json       prints once as JSON, with half an hour of history by minute
  --url URL    the server to ask`,

  async run(args, terminal) {
    const values = parseFlags(args, flags)
    const clock = systemClock()
    const { server } = await loadConfig({ ...terminal, clock })
    const api = adminApi(values.url ?? usualUrl(server), terminal.env)
    const { stdout } = terminal
    const isJson = values.json === true
    if (isJson || values.once === true || stdout.isTTY !== true) {
      printFound({ stdout, isJson }, await api.overview(), described)
      return 0
    }
    const stopped = new AbortController()
    using _signals = terminal.onSignal(() => stopped.abort())
    while (!stopped.signal.aborted) {
      const seen = await api.overview()
      stdout.write(CLEAR)
      printFound({ stdout, isJson }, seen, described)
      await clock.sleep(REFRESH_MS, stopped.signal).catch(() => undefined)
    }
    return 0
  },
}

type Load = OverviewView['sum']

const HEADER = [
  'node',
  'state',
  'running',
  'waiting',
  'conns',
  'questions',
  'ended',
  'refused',
  'first p50',
  'p95',
  'USD',
]
const TEXTS = 2

function described({ at, halfHour, lanes, mode, nodes, spending, sum }: OverviewView): string {
  const rows = nodes.map((node) => cells([`${node.host} ${node.id}`, stateOf(node)], node))
  const all = nodes.length > 1 ? [cells(['all', ''], sum)] : []
  return [
    `${at}  mode ${mode}  last minute`,
    '',
    table(HEADER, [...rows, ...all], TEXTS),
    ...refusalsIn(sum),
    ...longerIn(halfHour),
    '',
    table(LANE_HEADER, lanes.map(laneCells), LANE_TEXTS),
    ...lanes.flatMap(({ rejected }) => rejected.map(rejectedText)),
    '',
    ...spending.map(ceiling),
  ].join('\n')
}

function stateOf({ draining, leader, self }: OverviewView['nodes'][number]): string {
  return [draining ? 'draining' : 'serving', ...(leader ? ['leader'] : []), ...(self ? ['this'] : [])].join(' ')
}

function cells(named: readonly string[], load: Load): string[] {
  const { connections, costMicroUsd, firstWordsP50Ms, firstWordsP95Ms, questions, refused, running, turns, waiting } =
    load
  const figures = [running, waiting, connections, questions, turns, refused].map(thousands)
  return [...named, ...figures, inMs(firstWordsP50Ms), inMs(firstWordsP95Ms), usd(costMicroUsd)]
}

function inMs(value: number | null): string {
  return value === null ? '–' : `${thousands(value)} ms`
}

function refusalsIn({ refusals }: Load): string[] {
  const listed = Object.entries(refusals).map(([code, count]) => `${code} ${thousands(count)}`)
  return listed.length === 0 ? [] : ['', `refused: ${listed.join(', ')}`]
}

const MINUTE_MS = 60_000

function longerIn(halfHour: OverviewView['halfHour']): string[] {
  if (halfHour === null) return []
  const { costMicroUsd, coveredMs, degraded, firstWordsP50Ms, firstWordsP95Ms, refused, turns } = halfHour
  const figures = [
    `${thousands(turns)} ended`,
    `${thousands(degraded)} degraded`,
    `${thousands(refused)} refused`,
    `first words p50 ${inMs(firstWordsP50Ms)}, p95 ${inMs(firstWordsP95Ms)}`,
    `${usd(costMicroUsd)} USD`,
  ]
  return ['', `last ${Math.max(1, Math.round(coveredMs / MINUTE_MS))} min: ${figures.join('; ')}`]
}

const LANE_HEADER = ['model or dependency', 'state', 'in flight', 'limit', '10 s: calls', 'failed']
const LANE_TEXTS = 2

function laneCells(seen: OverviewView['lanes'][number]) {
  const { calls, failures, inFlight, limit } = seen
  return [laneTitle(seen), laneState(seen), ...[inFlight, limit ?? '–', calls, failures].map(String)]
}

function ceiling({ account, day, limitMicroUsd, reservedMicroUsd }: OverviewView['spending'][number]): string {
  const used = reservedMicroUsd === null ? 'unknown' : usd(reservedMicroUsd)
  const share = reservedMicroUsd === null ? '' : ` (${Math.round((reservedMicroUsd * 100) / limitMicroUsd)} %)`
  return `${account} ${day}: ${used} of ${usd(limitMicroUsd)} USD spent or leased ahead by nodes${share}`
}
