// A message about an alarm, as every sender sends it: what, since when, the figures that show it, where, and what to do. It has
// labels of metrics and names of nodes, and nothing of a person. Pure.
import { isoTime } from '#lib/time/iso-time.ts'
import type { Unit } from '../telemetry/entry.ts'
import type { Alarm, AlarmGroup, Severity } from './alarm.ts'
import type { SeriesLabels } from './figures.ts'
import type { Incident, NoticeKind } from './incidents.ts'

export interface AlarmEvidence {
  readonly labels: SeriesLabels
  readonly value: number
  readonly above: number
  readonly unit: Unit
  readonly hosts: readonly string[]
}

export interface AlarmMessage {
  /** The same for every try of one message. */
  readonly key: string
  readonly kind: NoticeKind | 'test'
  readonly alarm: string
  readonly severity: Severity
  readonly group: AlarmGroup
  readonly title: { readonly ja: string; readonly en: string }
  readonly since: string
  readonly at: string
  readonly evidence: readonly AlarmEvidence[]
  /** How many more series fire. */
  readonly more: number
  /** Where to read what to do. */
  readonly runbook: string
  /** Set by a node that reports by itself, because the shared state is unavailable: other nodes may send the same. */
  readonly standaloneHost?: string
  /** All of it in a few lines. */
  readonly text: string
}

export interface MessageParts {
  readonly key: string
  readonly kind: AlarmMessage['kind']
  readonly at: number
  readonly alarm: Alarm
  readonly incident: Pick<Incident, 'since' | 'series' | 'more'>
  readonly runbookUrl: string
  readonly language: 'ja' | 'en'
  readonly standaloneHost?: string
}

export function messageOf(parts: MessageParts): AlarmMessage {
  const { alarm, at, incident, key, kind, runbookUrl, standaloneHost } = parts
  const { condition, group, id, severity, title, unit } = alarm
  const message = {
    key,
    kind,
    alarm: id,
    severity,
    group,
    title,
    since: isoTime(incident.since),
    at: isoTime(at),
    evidence: incident.series.map(({ hosts, labels, value }) => ({
      labels,
      value,
      above: condition.above,
      unit,
      hosts,
    })),
    more: incident.more,
    runbook: runbookOf(runbookUrl, id),
    ...(standaloneHost === undefined ? {} : { standaloneHost }),
  }
  return { ...message, text: textOf(message, parts) }
}

export function runbookOf(runbookUrl: string, id: string): string {
  return `${runbookUrl}${runbookUrl.endsWith('/') ? '' : '/'}${id}.md`
}

const WORDS = {
  en: {
    fired: 'ALARM',
    spread: 'ALARM, now also elsewhere',
    resolved: 'RESOLVED',
    test: 'TEST',
    since: 'since',
    lasted: 'lasted',
    over: 'threshold',
    on: 'on',
    more: 'more',
    standalone: 'sent by this node alone, because the nodes cannot agree now:',
    runbook: 'What to do:',
  },
  ja: {
    fired: '【警報】',
    spread: '【警報・拡大】',
    resolved: '【復旧】',
    test: '【テスト】',
    since: '発生',
    lasted: '継続時間',
    over: 'しきい値',
    on: 'ノード',
    more: '件、ほか',
    standalone: '共有の状態を使えないため、このノードが単独で送信しました:',
    runbook: '対応手順:',
  },
} as const

function textOf(message: Omit<AlarmMessage, 'text'>, { at, incident, language }: MessageParts): string {
  const words = WORDS[language]
  const { evidence, kind, more, runbook, severity, since, standaloneHost, title } = message
  const lasted = kind === 'resolved' ? `, ${words.lasted} ${durationText(at - incident.since)}` : ''
  return [
    `${words[kind]} [${severity}] ${title[language]} (${message.alarm})`,
    `${words.since} ${since}${lasted}`,
    ...evidence.map(({ above, hosts, labels, unit, value }) => {
      const where = Object.entries(labels).map(([name, label]) => `${name}=${label}`)
      const figure = `${figureText(value, unit)} (${words.over} ${figureText(above, unit)})`
      return `- ${[...where, figure].join(' ')}${hosts.length === 0 ? '' : `, ${words.on} ${hosts.join(', ')}`}`
    }),
    ...(more > 0 ? [`- ${more} ${words.more}`] : []),
    ...(standaloneHost === undefined ? [] : [`${words.standalone} ${standaloneHost}`]),
    `${words.runbook} ${runbook}`,
  ].join('\n')
}

/** A figure with its unit, for people: `62 s`, `7.5 %`, `12`. */
export function figureText(value: number, unit: Unit): string {
  const rounded = (number: number) => String(Math.round(number * 100) / 100)
  if (unit === 'ratio') return `${rounded(value * 100)} %`
  if (unit === 'seconds') return `${rounded(value)} s`
  if (unit === 'usd') return `${rounded(value)} USD`
  return unit === 'count' ? rounded(value) : `${rounded(value)} ${unit}`
}

const STEPS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const

/** The two largest units: `1 h 20 min`. */
export function durationText(ms: number): string {
  const parts: string[] = []
  let rest = Math.max(0, ms)
  for (const [step, name] of STEPS) {
    const count = Math.floor(rest / step)
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}`)
    rest -= count * step
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}
