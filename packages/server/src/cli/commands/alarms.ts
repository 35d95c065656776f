// `mangaassist alarms`: shows the alarms of a running server, silences one, tests the senders; and prints the table of alarms as rules
// for Prometheus or definitions for CloudWatch, for which no server is asked.
import type { AdminClient } from '@mangaassist/client/admin'
import type { AlarmsView } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import type { Config } from '#config/config.ts'
import { loadConfig } from '#config/load-config.ts'
import { alarmsWith } from '#domain/alarms/alarm.ts'
import { alarmTable } from '#domain/alarms/alarm-table.ts'
import { durationText, figureText } from '#domain/alarms/message.ts'
import { DASHBOARDS } from '#domain/alarms/export/dashboard-panels.ts'
import { grafanaDashboard } from '#domain/alarms/export/dashboards.ts'
import { cloudWatchTemplate } from '#domain/alarms/export/cloudwatch.ts'
import { prometheusRules } from '#domain/alarms/export/prometheus.ts'
import type { Unit } from '#domain/telemetry/entry.ts'
import { oneLine } from '#lib/text/readable.ts'
import { printFound } from '../output/print-found.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { msOf } from '../duration.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { usualUrl } from '../server/find-server.ts'
import { requiredReason } from '../operators/audited-change.ts'

const flags = {
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  prometheus: { type: 'boolean' },
  cloudwatch: { type: 'boolean' },
  grafana: { type: 'string' },
  for: { type: 'string' },
  reason: { type: 'string' },
  url: { type: 'string' },
} as const

export const alarms: Command = {
  summary: 'Show alarms, silence one, test the senders, export rules for Prometheus and CloudWatch',
  usage: `Usage: mangaassist alarms [--all] [--json]
       mangaassist alarms silence ID --for 2h --reason WHY
       mangaassist alarms unsilence ID --reason WHY
       mangaassist alarms test --reason WHY
       mangaassist alarms --prometheus | --cloudwatch | --grafana NAME

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}. The exit code is 1 while an alarm fires that wakes people, or when a
sender does not take its test message.

  --all          all alarms with their conditions, not only those that fire
  --for TIME     how long no messages are sent: 30m, 2h, 1d; a week at most
  --reason WHY   goes to the audit, with the name of the token
  --json         as JSON
  --url URL      the server to ask
  --prometheus   prints all alarms as rules for Prometheus, as this configuration sets them
  --cloudwatch   prints them as a CloudFormation template of CloudWatch alarms
  --grafana NAME prints a dashboard for Grafana: ${DASHBOARDS.join(', ')}

silence      the alarm is still evaluated; if it still fires when the silence ends, people are
             notified then
test         sends a test message through every sender of the configuration`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const run = planned(positionals, values)
    const config = await loadConfig({ ...terminal, clock: systemClock() })
    return run(config, {
      stdout: terminal.stdout,
      isJson: values.json === true,
      api: () => adminApi(values.url ?? usualUrl(config.server), terminal.env),
    })
  },
}

interface Output {
  readonly stdout: Terminal['stdout']
  readonly isJson: boolean
  readonly api: () => AdminClient
}

type Run = (config: Config, output: Output) => Promise<number>

interface Given {
  readonly all?: boolean
  readonly prometheus?: boolean
  readonly cloudwatch?: boolean
  readonly grafana?: string
  readonly for?: string
  readonly reason?: string
}

/** Mistakes in the command are reported before the server is asked. */
function planned([word, id, ...more]: readonly string[], given: Given): Run {
  const formats = formatsOf(given)
  if (word === undefined) {
    if (given.reason !== undefined || given.for !== undefined)
      throw new UsageError('--reason and --for need an action.')
    if (formats.length > 1) throw new UsageError('Choose one format.')
    return formats[0] ?? shown(given.all === true)
  }
  if (formats.length > 0) throw new UsageError('An export takes no action.')
  const reason = requiredReason(given.reason)
  if (word === 'test' && id === undefined) return tested(reason)
  if (word !== 'silence' && word !== 'unsilence') throw new UsageError(`Unknown argument ${JSON.stringify(word)}.`)
  if (id === undefined) throw new UsageError('ID is missing: the name of an alarm.')
  if (more.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(more[0])}.`)
  const forMs = word === 'unsilence' ? 0 : durationMs(given.for)
  return silenced(id, forMs, reason)
}

const WEEK_MS = 604_800_000

function durationMs(text = ''): number {
  const ms = msOf(text)
  if (ms > WEEK_MS) throw new UsageError('--for is a week at most.')
  return ms
}

/** The exports that were asked for. */
function formatsOf({ cloudwatch, grafana, prometheus }: Given): readonly Run[] {
  return [
    ...(prometheus === true ? [exported(prometheusRules)] : []),
    ...(cloudwatch === true ? [exported(cloudWatchTemplate)] : []),
    ...(grafana === undefined ? [] : [dashboard(grafana)]),
  ]
}

function dashboard(given: string): Run {
  const name = DASHBOARDS.find((known) => known === given)
  if (name === undefined) throw new UsageError(`--grafana needs one of ${DASHBOARDS.join(', ')}.`)
  return async (_config, { stdout }) => {
    stdout.write(grafanaDashboard(name))
    return 0
  }
}

function exported(format: typeof prometheusRules): Run {
  return async ({ alarms: { rules, runbookUrl } }, { stdout }) => {
    stdout.write(format(alarmsWith(alarmTable, rules), runbookUrl))
    return 0
  }
}

function shown(isAll: boolean): Run {
  return async (_config, { api, ...output }) => {
    const view = await api().alarms()
    printFound(output, view, () => described(view, isAll))
    return view.firing.some(({ severity, silence }) => severity === 'page' && silence === undefined) ? 1 : 0
  }
}

function silenced(id: string, forMs: number, reason: string): Run {
  return async (_config, { api, ...output }) => {
    const lasting = forMs === 0 ? '' : ` for ${durationText(forMs)}`
    printFound(output, await api().silenceAlarm(id, { forMs, reason }), ({ action, by, number }) =>
      oneLine(`${action}: ${id}${lasting}, by ${by}; line ${number} of the audit`),
    )
    return 0
  }
}

function tested(reason: string): Run {
  return async (_config, { api, ...output }) => {
    const ends = await api().testAlarms({ reason })
    const lines = ends.map(({ kind, name, outcome, reason: why }) =>
      [`${name} (${kind}): ${outcome}`, ...(why === undefined ? [] : [why])].join(', '),
    )
    const plain = lines.length === 0 ? 'No sender is configured: see docs/operations.md, alarms.' : lines.join('\n')
    printFound(output, ends, () => plain)
    return ends.every(({ outcome }) => outcome === 'delivered') && ends.length > 0 ? 0 : 1
  }
}

function described(view: AlarmsView, isAll: boolean): string {
  const alone = view.isStandalone ? ['The state that the nodes share is unavailable: only this node is shown.'] : []
  const firing = view.firing.flatMap(({ above, id, more, runbook, series, severity, silence, since, title, unit }) => [
    `${severity.toUpperCase()} ${id}: ${title.en}, since ${since}${silence === undefined ? '' : `, silenced until ${silence.until} by ${silence.by}`}`,
    ...series.map(({ hosts, labels, value }) => {
      const where = Object.entries(labels).map(([name, label]) => `${name}=${label}`)
      const figure = `${figureText(value, unit as Unit)} (threshold ${figureText(above, unit as Unit)})`
      return `  ${[...where, figure].join(' ')}, on ${hosts.join(', ')}`
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `  ${runbook}`,
  ])
  const recent = view.recent.map(({ id, resolvedAt, since }) => `  ${id} from ${since} to ${resolvedAt}`)
  const senders = view.senders.map(({ kind, name }) => `${name} (${kind})`).join(', ')
  return [
    ...alone,
    ...(firing.length === 0 ? ['No alarm fires.'] : firing),
    ...(recent.length === 0 ? [] : ['', 'Resolved:', ...recent]),
    ...(isAll ? ['', ...view.alarms.flatMap(settingLines)] : []),
    '',
    senders === '' ? 'No sender is configured: alarms are only shown here.' : `Notified: ${senders}.`,
    ...(view.undelivered > 0 ? [`${view.undelivered} messages wait to be delivered.`] : []),
  ].join('\n')
}

function settingLines({ expression, forMs, id, isEnabled, severity, silence, title }: AlarmsView['alarms'][number]) {
  const marks = [
    ...(isEnabled ? [] : ['switched off']),
    ...(forMs === 0 ? [] : [`for ${durationText(forMs)}`]),
    ...(silence === undefined ? [] : [`silenced until ${silence.until} by ${silence.by}: ${silence.reason}`]),
  ]
  return [`${id} [${severity}] ${title.en}${marks.length === 0 ? '' : ` (${marks.join('; ')})`}`, `  ${expression}`]
}
