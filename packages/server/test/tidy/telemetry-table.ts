// The catalogue of metrics and log events beside what names them: documents may name only existing metrics, and the sources
// must use every name.
import { eventCatalogue, metricCatalogue, PREFIX } from '#domain/telemetry/catalogue.ts'
import type { EventEntry, MetricEntry } from '#domain/telemetry/entry.ts'
import { isTestCode, SERVER } from './source-file.ts'
import type { SourceFile } from './source-file.ts'

export interface Catalogue {
  readonly metrics: Readonly<Record<string, MetricEntry>>
  readonly events: Readonly<Record<string, EventEntry>>
}

export const catalogue: Catalogue = { metrics: metricCatalogue, events: eventCatalogue }

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
