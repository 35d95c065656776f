// The page of all metrics and log events, in Markdown, as `mangaassist metrics` prints it. It is made from the catalogue, so it
// cannot differ from it. Pure.
import { alarmEvents, alarmMetrics } from './alarm-names.ts'
import { PREFIX } from './catalogue.ts'
import { edgeEvents, edgeMetrics } from './edge-names.ts'
import type { EventEntry, LabelBounds, MetricEntry } from './entry.ts'
import { exportEvents, exportMetrics } from './export-names.ts'
import { modelEvents, modelMetrics } from './model-names.ts'
import { processMetricNames } from './process-names.ts'
import { storeEvents, storeMetrics } from './store-names.ts'
import { turnEvents, turnMetrics } from './turn-names.ts'

export interface TelemetryChapter {
  readonly title: string
  readonly metrics: Readonly<Record<string, MetricEntry>>
  readonly events: Readonly<Record<string, EventEntry>>
}

/** The catalogue in the order of the page. */
export const telemetryChapters: readonly TelemetryChapter[] = [
  { title: 'Doors, readers and sign-in', metrics: edgeMetrics, events: edgeEvents },
  { title: 'Turns and conversations', metrics: turnMetrics, events: turnEvents },
  { title: 'Models and lanes', metrics: modelMetrics, events: modelEvents },
  { title: 'Money, stores and the server', metrics: storeMetrics, events: storeEvents },
  { title: 'The process', metrics: processMetricNames, events: {} },
  { title: 'Alarms', metrics: alarmMetrics, events: alarmEvents },
  { title: 'Export to a collector', metrics: exportMetrics, events: exportEvents },
]

/** The whole page, or only the rows whose name contains `part`; empty when there is none. */
export function telemetryReference(chapters = telemetryChapters, part = ''): string {
  const found = chapters.map(({ title, metrics, events }) => ({
    title,
    metrics: Object.fromEntries(Object.entries(metrics).filter(([name]) => (PREFIX + name).includes(part))),
    events: Object.fromEntries(Object.entries(events).filter(([name]) => name.includes(part))),
  }))
  const tables = found.flatMap((chapter) => {
    const own = tablesOf(chapter)
    return own.length === 0 ? [] : [`## ${chapter.title}`, ...own]
  })
  const labels = labelRows(found)
  const bounds = labels.length === 0 ? [] : ['## Labels without a fixed list of values', table(LABEL_HEAD, labels)]
  return tables.length === 0 ? '' : `${['# Metrics and log events', ...tables, ...bounds].join('\n\n')}\n`
}

const METRIC_HEAD = ['metric', 'kind', 'unit', 'labels', 'meaning']
const EVENT_HEAD = ['event', 'level', 'fields', 'meaning']
const LABEL_HEAD = ['label', 'values at most', 'values']

function tablesOf({ events, metrics }: TelemetryChapter): readonly string[] {
  const metricRows = Object.entries(metrics).map(([name, entry]) => metricRow(name, entry))
  const eventRows = Object.entries(events).map(([name, entry]) => eventRow(name, entry))
  return [
    ...(metricRows.length === 0 ? [] : [table(METRIC_HEAD, metricRows)]),
    ...(eventRows.length === 0 ? [] : [table(EVENT_HEAD, eventRows)]),
  ]
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly string[]) =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows].join('\n')
const code = (word: unknown) => `\`${String(word)}\``
const list = (cells: readonly string[]) => (cells.length === 0 ? '–' : cells.join(', '))

function metricRow(name: string, { help, kind, labels, unit }: MetricEntry): string {
  const labelCells = list(Object.entries(labels).map(labelCell))
  return row([code(PREFIX + name), kind, unit === 'count' ? '–' : unit, labelCells, help])
}

/** `door`: `ws`/`sse`, or only the name of a label that the table of labels explains. */
function labelCell([label, bound]: readonly [string, LabelBounds[string]]): string {
  return 'valuesMax' in bound ? code(label) : `${code(label)}: ${bound.map(code).join('/')}`
}

function eventRow(name: string, { fields, help, levels }: EventEntry): string {
  return row([code(name), levels.join(', '), list(fields.map(code)), help])
}

function labelRows(chapters: readonly Pick<TelemetryChapter, 'metrics'>[]): readonly string[] {
  const labels = chapters
    .flatMap(({ metrics }) => Object.values(metrics))
    .flatMap((entry) => Object.entries(entry.labels))
  const rows = labels.flatMap(([label, bound]) =>
    'valuesMax' in bound ? [row([code(label), String(bound.valuesMax), bound.because])] : [],
  )
  return [...new Set(rows)].toSorted()
}
