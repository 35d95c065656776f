// The figures as a scraper reads them, and their bounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counter, gauge, histogram } from '#domain/telemetry/entry.ts'
import { MetricsRegistry } from './metrics.ts'
import { processMetrics, sampleEventLoop } from './process-metrics.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

const ANY = { valuesMax: 100, because: 'a test' }
const SMALL = {
  calls_total: counter('Calls.', { route: ANY, status: ANY }),
  plain_total: counter('Without labels.'),
  spend_total: counter('Known labels.', { account: ['store', 'guests'], percent: [50, 100] }),
  bounded_total: counter('Labels that somebody invents.', { value: ANY }),
  wait_seconds: histogram('Waits.', { unit: 'seconds', buckets: [0.1, 1, 10] }, { tier: ['faq'] }),
  lane_level: gauge('Levels.', 'count', { lane: ANY }),
  metric_updates_dropped_total: counter('Dropped.'),
}
/** The catalogue of production, or a small one whose names say what a test is about. */
const small = () => new MetricsRegistry(SMALL)

test('occurrences become counters by their labels, with HELP and TYPE of the catalogue', () => {
  const metrics = small()
  metrics.count('calls_total', { status: 200, route: '/api/chat' })
  metrics.count('calls_total', { route: '/api/chat', status: 200 })
  metrics.count('calls_total', { route: '/a"b\\c\n', status: 404 })
  metrics.count('plain_total')
  const text = metrics.text()
  assert.match(text, /^# HELP mangaassist_calls_total Calls\.\n# TYPE mangaassist_calls_total counter$/m)
  assert.ok(text.includes('\nmangaassist_calls_total{route="/api/chat",status="200"} 2\n'))
  assert.ok(text.includes('\nmangaassist_calls_total{route="/a\\"b\\\\c\\n",status="404"} 1\n'))
  assert.ok(text.includes('\nmangaassist_plain_total 1\n'))
  assert.ok(text.endsWith('\n'))
})

test('values become cumulative histograms in the buckets of the catalogue', () => {
  const metrics = small()
  for (const seconds of [0.04, 0.1, 0.5, 500]) metrics.observe('wait_seconds', seconds, { tier: 'faq' })
  const lines = metrics.text().split('\n')
  const shown = lines.filter((line) => line.startsWith('mangaassist_wait_seconds'))
  assert.deepEqual(shown, [
    'mangaassist_wait_seconds_bucket{tier="faq",le="0.1"} 2',
    'mangaassist_wait_seconds_bucket{tier="faq",le="1"} 3',
    'mangaassist_wait_seconds_bucket{tier="faq",le="10"} 3',
    'mangaassist_wait_seconds_bucket{tier="faq",le="+Inf"} 4',
    'mangaassist_wait_seconds_sum{tier="faq"} 500.64',
    'mangaassist_wait_seconds_count{tier="faq"} 4',
  ])
  assert.ok(lines.includes('# TYPE mangaassist_wait_seconds histogram'))
})

test('what the catalogue does not list is neither a label nor a metric', () => {
  const metrics = small()
  metrics.count('plain_total', { turnId: 'turn_1', principalId: 'guest_1' })
  metrics.count('calls_total', { route: '/', status: 200, sessionId: 'sess_1', none: undefined })
  metrics.count('unknown_total')
  metrics.observe('unknown_seconds', 1)
  metrics.observe('plain_total', 1)
  const text = metrics.text()
  assert.match(text, /^mangaassist_plain_total 1$/m)
  assert.match(text, /^mangaassist_calls_total\{route="\/",status="200"\} 1$/m)
  assert.doesNotMatch(text, /unknown|turn_1|guest_1|sess_1/)
  assert.match(text, /^mangaassist_metric_updates_dropped_total 3$/m)
})

test('series are bounded for each metric, and what is dropped is counted', () => {
  const metrics = small()
  for (let index = 0; index < 150; index += 1) metrics.count('bounded_total', { value: index })
  metrics.count('bounded_total', { value: 0 })
  const lines = metrics.text().split('\n')
  assert.equal(lines.filter((line) => line.startsWith('mangaassist_bounded_total{')).length, 100)
  assert.ok(lines.includes('mangaassist_bounded_total{value="0"} 2'))
  assert.ok(lines.includes('mangaassist_metric_updates_dropped_total 50'))
})

test('a counter whose labels are known is 0 from the start, one with open labels has no series', () => {
  const lines = small().text().split('\n')
  assert.deepEqual(
    lines.filter((line) => line.startsWith('mangaassist_spend_total')),
    ['store', 'guests'].flatMap((account) =>
      [50, 100].map((percent) => `mangaassist_spend_total{account="${account}",percent="${percent}"} 0`),
    ),
  )
  assert.ok(lines.includes('mangaassist_plain_total 0'))
  assert.ok(!lines.some((line) => line.includes('calls_total') || line.includes('wait_seconds')))
})

test('a gauge is read when the text is; the process has its own', () => {
  const metrics = processMetrics({ version: '1.2.3', dataDir: '.' })
  let open = 1
  metrics.gauge('websocket_connections', () => open)
  assert.match(metrics.text(), /^mangaassist_websocket_connections 1$/m)
  open = 2
  assert.match(metrics.text(), /^# TYPE mangaassist_websocket_connections gauge\nmangaassist_websocket_connections 2$/m)
  assert.match(metrics.text(), /^mangaassist_process_heap_used_bytes \d+$/m)
})

test('a gauge has a series for each set of labels, once, and none where there is nothing to report', () => {
  const metrics = small()
  const read = [
    { fields: { lane: 'a' }, value: 1 },
    { fields: { lane: 'b' }, value: 0.5 },
    { fields: { lane: 'a' }, value: 2 },
  ]
  metrics.gauge('lane_level', () => read)
  assert.deepEqual(metrics.text().split('\n').slice(0, 4), [
    '# HELP mangaassist_lane_level Levels.',
    '# TYPE mangaassist_lane_level gauge',
    'mangaassist_lane_level{lane="a"} 2',
    'mangaassist_lane_level{lane="b"} 0.5',
  ])
  const empty = small()
  empty.gauge('lane_level', () => [])
  assert.ok(!empty.text().includes('lane_level'))
})

test('money is exported to the last micro-dollar, however much was counted', () => {
  const metrics = new MetricsRegistry()
  for (let call = 0; call < 100_000; call += 1) {
    metrics.count('model_cost_usd_total', { model: 'big', payer: 'user' }, 100_001)
  }
  metrics.count('model_cost_usd_total', { model: 'big', payer: 'shop' }, 5)
  metrics.count('model_cost_usd_total', { model: 'small', payer: 'key' }, 3_000_000)
  const lines = metrics.text().split('\n')
  assert.ok(lines.includes('mangaassist_model_cost_usd_total{model="big",payer="user"} 10000.1'))
  assert.ok(lines.includes('mangaassist_model_cost_usd_total{model="big",payer="shop"} 0.000005'))
  assert.ok(lines.includes('mangaassist_model_cost_usd_total{model="small",payer="key"} 3'))
})

test('the process reports its build, CPU, event loop, handles and disk', () => {
  const text = processMetrics({ version: '1.2.3', dataDir: '.' }).text()
  assert.match(text, /^mangaassist_build_info\{version="1\.2\.3",node_version="v\d+\.\d+\.\d+"\} 1$/m)
  assert.match(text, /^# TYPE mangaassist_process_cpu_seconds_total counter$/m)
  assert.match(text, /^mangaassist_process_cpu_seconds_total\{mode="user"\} \d/m)
  for (const name of ['process_start_time_seconds', 'process_open_handles', 'data_dir_free_bytes']) {
    assert.match(text, new RegExp(`^mangaassist_${name} [1-9]`, 'm'), name)
  }
  const missing = processMetrics({ version: '1', dataDir: '/no/such/folder' }).text()
  assert.doesNotMatch(missing, /data_dir/)
})

test('how late the event loop is, is sampled until it is stopped', async () => {
  const observed: string[] = []
  const sampling = sampleEventLoop({ observe: (name) => void observed.push(name) })
  await waitUntil('two samples', () => observed.length >= 2)
  sampling[Symbol.dispose]()
  assert.ok(observed.every((name) => name === 'process_event_loop_delay_seconds'))
})
