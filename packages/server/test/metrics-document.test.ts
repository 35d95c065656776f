// The catalogue of metrics and log events: the server uses every name, and documents name no other. Each rule also finds the
// violation that is planted for it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { MetricsRegistry } from '#adapters/system/metrics.ts'
import { alarmTable } from '#domain/alarms/alarm-table.ts'
import { metricsOf } from '#domain/alarms/alarm.ts'
import { PREFIX } from '#domain/telemetry/catalogue.ts'
import { counter, event, histogram } from '#domain/telemetry/entry.ts'
import { knownSeries } from '#domain/telemetry/series.ts'
import { readSources } from './tidy/source-file.ts'
import { catalogue, unknownMetrics, unusedNames } from './tidy/telemetry-table.ts'

const workspaceRoot = resolve(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(workspaceRoot, path), 'utf8')

test('every name of the catalogue is used by the server', () => {
  assert.deepEqual(unusedNames(readSources(workspaceRoot, ['packages/server']), catalogue), [])
})

test('documents and benches name no metric that does not exist', () => {
  const documents = readdirSync(join(workspaceRoot, 'docs')).filter((name) => name.endsWith('.md'))
  const benches = readdirSync(join(workspaceRoot, 'bench')).filter((name) => /\.(ts|md)$/.test(name))
  const paths = ['README.md', ...documents.map((name) => `docs/${name}`), ...benches.map((name) => `bench/${name}`)]
  for (const path of paths) assert.deepEqual(unknownMetrics(read(path), catalogue), [], path)
})

test('the counters that alarms are made of are exported as 0 from the start', () => {
  const text = new MetricsRegistry().text()
  const counted = alarmTable
    .flatMap(({ condition }) => metricsOf(condition))
    // The names of models and lanes are not known before they are used.
    .filter((name) => {
      const entry = catalogue.metrics[name]
      return entry?.kind === 'counter' && knownSeries(entry).length > 0
    })
  assert.ok(counted.length > 10)
  for (const name of counted) assert.match(text, new RegExp(`^${PREFIX}${name}(\\{.*\\})? 0$`, 'm'), name)
})

const SMALL = {
  metrics: {
    turn_lost_total: counter('Lost turns.', { door: ['ws', 'sse'], model: { valuesMax: 9, because: 'models' } }),
    turn_wait_seconds: histogram('Waits.', { unit: 'seconds', buckets: [1] }),
  },
  events: { 'turn.lost': event('warn', 'A turn was lost.', ['turnId']) },
}
test('a metric that does not exist is found, and the series of a histogram are accepted', () => {
  const text = 'mangaassist_turn_lost_total mangaassist_turn_wait_seconds_bucket mangaassist_turn_lost_count'
  assert.deepEqual(unknownMetrics(text, SMALL), ['mangaassist_turn_lost_count'])
})

test('a name that only tests and the catalogue use is unused', () => {
  const file = (path: string, source: string) => ({ path: `packages/server/src/${path}`, source })
  const everywhere = [
    file('turn/a.ts', "telemetry.count('turn_lost_total')\ntelemetry.log('warn', 'turn.lost')"),
    file('turn/a.test.ts', "assert(name === 'turn_wait_seconds')"),
    file('domain/telemetry/turn-names.ts', "'turn_wait_seconds'"),
  ]
  assert.deepEqual(unusedNames(everywhere, SMALL), ['turn_wait_seconds'])
})
