// Compares docs/metrics.md with the catalogue of metrics and log events, in both directions: a row begins with the text of
// the catalogue, and may add to it. The other documents may name only existing metrics, and the sources must use every
// name.
import { eventCatalogue, metricCatalogue, PREFIX } from '#domain/telemetry/catalogue.ts'
import type { EventEntry, LabelBounds, MetricEntry } from '#domain/telemetry/entry.ts'
import { isTestCode, SERVER } from './source-file.ts'
import type { SourceFile } from './source-file.ts'

export interface Catalogue {
  readonly metrics: Readonly<Record<string, MetricEntry>>
  readonly events: Readonly<Record<string, EventEntry>>
}

export const catalogue: Catalogue = { metrics: metricCatalogue, events: eventCatalogue }

const code = (word: unknown) => `\`${String(word)}\``
const list = (cells: readonly string[]) => (cells.length === 0 ? '–' : cells.join(', '))

/** `door`: `ws`/`sse`, or only the name of a label that the table of labels explains. */
function labelCell([label, bound]: readonly [string, LabelBounds[string]]): string {
  return 'valuesMax' in bound ? code(label) : `${code(label)}: ${bound.map(code).join('/')}`
}

export function metricRow(name: string, { help, kind, labels, unit }: MetricEntry): string {
  const labelCells = list(Object.entries(labels).map(labelCell))
  return `| ${code(PREFIX + name)} | ${kind} | ${unit === 'count' ? '–' : unit} | ${labelCells} | ${help}`
}

export function eventRow(name: string, { fields, help, levels }: EventEntry): string {
  return `| ${code(name)} | ${levels.join(', ')} | ${list(fields.map(code))} | ${help}`
}

/** The rows of labels without a list of values: each says what bounds the values. */
export function labelRows({ metrics }: Catalogue): readonly string[] {
  const labels = Object.values(metrics).flatMap((entry) => Object.entries(entry.labels))
  const rows = labels.flatMap(([label, bound]) =>
    'valuesMax' in bound ? [`| ${code(label)} | ${bound.valuesMax} | ${bound.because} |`] : [],
  )
  return [...new Set(rows)].toSorted()
}

export function telemetryTableProblems(markdown: string, { metrics, events }: Catalogue): string[] {
  const lines = markdown.split('\n')
  const wanted = [
    ...Object.entries(metrics).map(([name, entry]) => metricRow(name, entry)),
    ...Object.entries(events).map(([name, entry]) => eventRow(name, entry)),
    ...labelRows({ metrics, events }),
  ]
  const missing = wanted.filter((row) => lines.filter((line) => line.startsWith(row)).length !== 1)
  const known = new Set([...Object.keys(metrics).map((name) => PREFIX + name), ...Object.keys(events)])
  const rows = lines.flatMap((line) => /^\| `((?:mangaassist_[^`]*|[a-z-]+\.[a-z-]+))` \|/.exec(line)?.[1] ?? [])
  return [
    ...missing.map((row) => `no row, or more than one: ${row} |`),
    ...rows.filter((name) => !known.has(name)).map((name) => `${name} is documented and does not exist`),
  ]
}

/**
 * Metrics that a text names and that do not exist. The series of a histogram have three endings: `_bucket`, `_sum` and
 * `_count`.
 */
export function unknownMetrics(text: string, { metrics }: Catalogue): string[] {
  const named = [...text.matchAll(/mangaassist_[a-z0-9_]*[a-z0-9]/g)].map(([name]) => name.slice(PREFIX.length))
  const exists = (name: string) =>
    name in metrics || metrics[name.replace(/_(bucket|sum|count)$/, '')]?.kind === 'histogram'
  return [...new Set(named.filter((name) => !exists(name)))].map((name) => PREFIX + name)
}

/** Names of the catalogue that no source of the server uses. */
export function unusedNames(files: readonly SourceFile[], { metrics, events }: Catalogue): string[] {
  const sources = files.filter(
    ({ path }) => path.startsWith(SERVER) && !path.startsWith(`${SERVER}domain/telemetry/`) && !isTestCode(path),
  )
  const words = sources.flatMap(({ source }) => [...source.matchAll(/'([a-z][a-z0-9._-]*)'/g)])
  const used = new Set(words.map(([, word]) => word))
  return [...Object.keys(metrics), ...Object.keys(events)].filter((name) => !used.has(name))
}
