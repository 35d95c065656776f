// `mangaassist models`: what the models of a running server did in some hours, what their vendors said about failures, and when their circuits changed.
import type { LanePhasesView, ModelsQuery, ModelsView } from '@mangaassist/protocol/admin'
import { MODEL_HOURS_MAX } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { durationText } from '#domain/alarms/message.ts'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { parseFlags, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { dayOrTime } from '../day-words.ts'
import { printFound } from '../output/print-found.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { usualUrl } from '../server/find-server.ts'
import { table, thousands, usd } from '../usage/print.ts'
import { phaseText, rejectedText } from './lane-words.ts'

const flags = {
  hours: { type: 'string' },
  json: { type: 'boolean' },
  to: { type: 'string' },
  url: { type: 'string' },
} as const

export const models: Command = {
  summary: 'Show what the models did: calls, latency, cost, share, errors in the vendor’s words, and circuits',
  usage: `Usage: mangaassist models [--hours N] [--to TIME] [--json]

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}. Calls are those of turns, counted by quarters of an hour on all nodes and
kept for eight days. How well input tokens are estimated is as of now. An error names the last turn
that met it: see mangaassist turn ID.

  --hours N    the hours before --to, at most ${MODEL_HOURS_MAX}; default 24
  --to TIME    a time with its zone (2026-11-17T06:00+09:00), or a day of the shop (2026-11-17,
               today or yesterday), whose end is meant; default now
  --json       as JSON, with the figures of every step and the probes of open circuits
  --url URL    the server to ask`,

  async run(args, terminal) {
    const values = parseFlags(args, flags)
    const { server, store } = await loadConfig({ ...terminal, clock: systemClock() })
    const to = values.to === undefined ? {} : { to: dayOrTime('to', values.to, store.timeZone) }
    const query = { ...hoursOf(values.hours), ...to }
    const report = await adminApi(values.url ?? usualUrl(server), terminal.env).models(query)
    printFound({ stdout: terminal.stdout, isJson: values.json === true }, report, described)
    return 0
  },
}

function hoursOf(given: string | undefined): Pick<ModelsQuery, 'hours'> {
  if (given === undefined) return {}
  const hours = Number(given)
  if (!Number.isInteger(hours) || hours < 1 || hours > MODEL_HOURS_MAX)
    throw new UsageError(`--hours needs a whole number from 1 to ${MODEL_HOURS_MAX}.`)
  return { hours }
}

const HEADER = ['model', 'answers', 'share', 'calls', 'failed', 'first p50', 'p95', 'total p50', 'p95', 'USD']
const ESTIMATOR_HEADER = ['tokens of', 'bias', 'error', 'within 10 %', 'calls', 'calibrated']
const FAULT_HEADER = ['model', 'error', 'status', 'count', 'last turn', 'what the vendor said']
const OUTAGE_HEADER = ['model or dependency', 'down from', 'to', 'lasted', 'why', 'probes failed']
const CHANGE_HEADER = ['model or dependency', 'time', 'change', 'why']

function described({ from, lanes, models: all, tiers, to, turns }: ModelsView): string {
  const faults = all.flatMap(({ faults: said, model }) =>
    said.map(({ code, count, message, outcome, status, turnId }) => {
      const words = [code, message].filter((text) => text !== undefined).join(': ')
      return [model, outcome, status === undefined ? '–' : String(status), thousands(count), turnId, words || '–']
    }),
  )
  const estimators = all.flatMap(estimatorOf)
  const outages = lanes.flatMap((lane) => outagesOf(lane, to))
  const changes = lanes.flatMap(changesOf)
  const rejected = all.flatMap((model) => (model.rejected === null ? [] : [rejectedText(model.rejected)]))
  const byTier = Object.entries(tiers).map(([tier, count]) => `${tier} ${thousands(count)}`)
  return [
    `${from} to ${to}: ${thousands(turns)} turns${byTier.length === 0 ? '' : ` (${byTier.join(', ')})`}`,
    '',
    table(HEADER, all.map(cellsOf), 1),
    ...(rejected.length === 0 ? [] : ['', ...rejected]),
    ...(estimators.length === 0 ? [] : ['', table(ESTIMATOR_HEADER, estimators, 1)]),
    ...(faults.length === 0 ? [] : ['', table(FAULT_HEADER, faults, FAULT_HEADER.length)]),
    ...(outages.length === 0 ? [] : ['', table(OUTAGE_HEADER, outages, OUTAGE_HEADER.length)]),
    ...(changes.length === 0 ? [] : ['', table(CHANGE_HEADER, changes, CHANGE_HEADER.length)]),
  ].join('\n')
}

function cellsOf(model: ModelsView['models'][number]): string[] {
  const { answers, calls, costMicroUsd, failures, share } = model
  const { firstWordsP50Ms, firstWordsP95Ms, totalP50Ms, totalP95Ms } = model
  const ms = (value: number | null) => (value === null ? '–' : `${thousands(value)} ms`)
  return [
    model.model,
    thousands(answers),
    share === null ? '–' : `${Math.round(share * 100)} %`,
    thousands(calls),
    thousands(failures),
    ...[firstWordsP50Ms, firstWordsP95Ms, totalP50Ms, totalP95Ms].map(ms),
    usd(costMicroUsd),
  ]
}

/** How good the estimates of input tokens are now. */
function estimatorOf({ estimator, model }: ModelsView['models'][number]): string[][] {
  if (estimator === null) return []
  const { bias, confidence, error, family, isCalibrated, method, observations } = estimator
  const percent = (value: number | null, sign = '') => (value === null ? '–' : `${sign}${(value * 100).toFixed(1)} %`)
  return [
    [
      model,
      percent(bias, bias !== null && bias > 0 ? '+' : ''),
      percent(error),
      percent(confidence),
      thousands(observations),
      isCalibrated ? 'yes' : `no, ${method === 'generic' ? 'generic costs' : `costs of ${family}`}`,
    ],
  ]
}

/** When calls were refused: from the first time that its circuit opened until it was closed again, probes included. Newest first. */
function outagesOf(lane: LanePhasesView, end: string): string[][] {
  const found: { from: string; to: string; probes: number }[] = []
  let isDown = false
  for (const { from, phase, to } of lane.spans) {
    const last = found.at(-1)
    if (phase !== 'open' && phase !== 'half-open') isDown = false
    else if (isDown && last !== undefined) {
      last.to = to
      if (phase === 'open') last.probes += 1
    } else {
      found.push({ from, to, probes: 0 })
      isDown = true
    }
  }
  return found.toReversed().map(({ from, probes, to }) => {
    const opened = lane.changes.find(({ at }) => at === from)
    return [
      nameOf(lane),
      from,
      to === end ? 'still' : to,
      durationText((fromIsoTime(to) ?? 0) - (fromIsoTime(from) ?? 0)),
      opened === undefined ? '–' : reasonOf(opened),
      thousands(probes),
    ]
  })
}

/** Every change but those of probes, which the outages count. */
function changesOf(lane: LanePhasesView): string[][] {
  return lane.changes
    .filter(({ why }) => why !== 'probing' && why !== 'probe-failed')
    .map((change) => [
      nameOf(lane),
      change.at,
      `${change.from === null ? '?' : phaseText(change.from)} → ${phaseText(change.to)}`,
      reasonOf(change),
    ])
}

function reasonOf({ by, calls, failures, why }: LanePhasesView['changes'][number]): string {
  if (why === 'failures') return `${failures} of ${calls} calls failed`
  return by === undefined ? why : `${why} by ${by}`
}

function nameOf({ lane, models: names, node }: LanePhasesView): string {
  return names.length > 0 ? names.join(', ') : node === undefined ? lane : `${lane} of ${node}`
}
