// `mangaassist lanes`: shows the lanes of a running server, and lets an operator control a lane or the whole service.
// Every change needs a reason and is in the server's audit.
import type { LaneAction, LaneView, Maintenance } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { printFound } from '../output/print-found.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { usualUrl } from '../server/find-server.ts'
import { auditedChange, requiredReason } from '../operators/audited-change.ts'
import type { AdminRun } from '../operators/audited-change.ts'
import { laneState, laneTitle, rejectedText } from '../operators/lane-words.ts'
import { table } from '../usage/print.ts'

const flags = {
  json: { type: 'boolean' },
  reason: { type: 'string' },
  url: { type: 'string' },
} as const

const ACTIONS: readonly LaneAction['action'][] = ['force-open', 'reset', 'disable']

export const lanes: Command = {
  summary: 'Show and control the circuits of a running server, and switch maintenance',
  usage: `Usage: mangaassist lanes [--json]
       mangaassist lanes force-open|disable|reset LANE --reason WHY
       mangaassist lanes maintenance on|off --reason WHY

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}. An action on a model's lane takes effect on every node of a cluster within
a second. The lanes search, catalogue, sessions and redis belong to one node: the list shows that
node's, and an action on one of them takes effect there until the node is restarted. Give --url the
node's own address.

  --reason WHY   goes to the audit, with the name of the token
  --json         as JSON: the lanes and who switched maintenance on; after a change, its line in the
                 audit
  --url URL      the server to ask

LANE is a name from the list, or the configured name of a model that uses the lane.

force-open     lets no call through until the next action: questions go to the next model of the
               ladder. search: answers are given without looking anything up; catalogue: without
               what shoppers said about themselves; sessions: without the conversation so far
               (answers are still stored); redis: the node works as if Redis were down, which is
               refused where there is no Redis
disable        removes circuit and limit until the next action: every call goes through, the retry
               budget stays
reset          returns the lane to its controller, closed and without a limit
maintenance    on: new questions are refused, answers in flight continue; off: new questions are
               accepted again`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const run = planned(positionals, values.reason)
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    const api = adminApi(values.url ?? usualUrl(server), terminal.env)
    return run(api, { stdout: terminal.stdout, isJson: values.json === true })
  },
}

/** Mistakes in the command are reported before the server is asked. */
function planned([word, object, ...more]: readonly string[], reason: string | undefined): AdminRun {
  if (word === undefined) {
    if (reason !== undefined) throw new UsageError('--reason needs an action.')
    return show
  }
  const action = ACTIONS.find((known) => known === word)
  if (word !== 'maintenance' && action === undefined) throw new UsageError(`Unknown argument ${JSON.stringify(word)}.`)
  if (more.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(more[0])}.`)
  if (word === 'maintenance' && object !== 'on' && object !== 'off')
    throw new UsageError('maintenance needs on or off.')
  if (object === undefined) throw new UsageError('LANE is missing.')
  const why = requiredReason(reason)
  if (action === undefined) return auditedChange((api) => api.setMaintenance({ on: object === 'on', reason: why }))
  return auditedChange((api) => api.operateLane(object, { action, reason: why }))
}

const show: AdminRun = async (api, output) => {
  const all = await api.lanes()
  const maintenance = await api.maintenance()
  printFound(output, { lanes: all, maintenance }, () => described(all, maintenance))
  return 0
}

const HEADER = [
  'model or dependency',
  'state',
  'in flight',
  'limit',
  'pace',
  'retries left',
  '10 s: calls',
  'failed',
  'retried',
  'sent to others',
]
const TEXTS = 2

function described(all: readonly LaneView[], maintenance: Maintenance): string {
  const shown = table(HEADER, all.map(cellsOf), TEXTS)
  const names = all.filter(({ scope }) => scope === 'fleet').map(({ lane, models }) => `${models.join(', ')}: ${lane}`)
  const own = all.filter(({ scope }) => scope === 'node').map(({ lane }) => lane)
  const ofNode = own.length === 0 ? [] : [`${own.join(', ')}: of this node only`]
  const marks = all.flatMap(({ lane, operator }) =>
    operator === null ? [] : [`${operator.action} of ${lane} by ${operator.by} at ${operator.at}`],
  )
  const rejected = all.flatMap((seen) => seen.rejected.map((one) => rejectedText(one)))
  const closed = maintenance === null ? [] : [`MAINTENANCE since ${maintenance.at}, by ${maintenance.by}`]
  return [shown, '', ...rejected, ...names, ...ofNode, ...marks, ...closed].join('\n')
}

function cellsOf(seen: LaneView) {
  const { bucket, bucketMax, inFlight, limit, pace, probes, recent, scope } = seen
  const state = laneState(seen)
  // Only calls to models are retried.
  const retries = scope === 'node' ? '–' : `${Math.floor(bucket)}/${Math.floor(bucketMax)}`
  const perSecond = pace === null ? '–' : `${pace}/s`
  const { calls, failures, retries: retried, shed } = recent
  const figures = [inFlight, limit ?? '–', perSecond, retries, calls, failures, retried, shed]
  return [
    laneTitle(seen),
    probes === null ? state : `${state}, ${probes.passed} of ${probes.probesMax} passed`,
    ...figures.map(String),
  ]
}
