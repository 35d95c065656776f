// The figures as a scraper reads them, and their bounds. A metered telemetry is held to the contract of its port.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { telemetryContract } from '#ports/telemetry/contract.ts'
import { metered, MetricsRegistry, processMetrics } from './metrics.ts'
import { pinoTelemetry } from './telemetry.ts'

telemetryContract('metered telemetry', () => {
  const lines: string[] = []
  const inner = pinoTelemetry({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  return { telemetry: metered(inner, new MetricsRegistry()), written: () => lines.join('') }
})

test('occurrences become counters by their labels', () => {
  const metrics = new MetricsRegistry()
  metrics.count('http-requests', { route: '/api/chat', status: 200 })
  metrics.count('http-requests', { route: '/api/chat', status: 200 })
  metrics.count('http-requests', { route: '/a"b\\c\n', status: 404 })
  metrics.count('delivery.gap')
  const text = metrics.text()
  assert.match(text, /^# HELP mangaassist_http_requests_total \S/m)
  assert.match(text, /^# TYPE mangaassist_http_requests_total counter$/m)
  assert.ok(text.includes('\nmangaassist_http_requests_total{route="/api/chat",status="200"} 2\n'))
  assert.ok(text.includes('\nmangaassist_http_requests_total{route="/a\\"b\\\\c\\n",status="404"} 1\n'))
  assert.ok(text.includes('\nmangaassist_delivery_gap_total 1\n'))
  assert.ok(text.endsWith('\n'))
})

test('values become cumulative histograms in buckets that fit their unit', () => {
  const metrics = new MetricsRegistry()
  for (const ms of [0.4, 1, 3, 500_000]) metrics.observe('delivery.first-word-ms', ms, { tier: 'faq' })
  metrics.observe('delivery.frame-bytes', 40_000)
  const lines = metrics.text().split('\n')
  const valueOf = (series: string) =>
    Number(
      lines
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    )
  const bucket = (limit: string) => valueOf(`mangaassist_delivery_first_word_ms_bucket{tier="faq",le="${limit}"}`)
  assert.deepEqual(['1', '2', '5', '120000', '+Inf'].map(bucket), [2, 2, 3, 3, 4])
  assert.equal(valueOf('mangaassist_delivery_first_word_ms_sum{tier="faq"}'), 500_004.4)
  assert.equal(valueOf('mangaassist_delivery_first_word_ms_count{tier="faq"}'), 4)
  assert.equal(valueOf('mangaassist_delivery_frame_bytes_bucket{le="32768"}'), 0)
  assert.equal(valueOf('mangaassist_delivery_frame_bytes_bucket{le="65536"}'), 1)
})

test('what names one of endlessly many is no label, and nothing personal is told', () => {
  const metrics = new MetricsRegistry()
  metrics.count('turns', {
    turnId: 'turn_1',
    sessionId: 'sess_1',
    principalId: 'guest_1',
    tier: 'faq',
    none: undefined,
  })
  assert.match(metrics.text(), /^mangaassist_turns_total\{tier="faq"\} 1$/m)
})

test('series are bounded for each name, names too, and what is not kept is counted', () => {
  const metrics = new MetricsRegistry()
  for (let index = 0; index < 150; index += 1) metrics.count('by-value', { value: index })
  for (let index = 0; index < 300; index += 1) metrics.observe(`name-${index}-ms`, 1)
  metrics.count('by-value', { value: 0 })
  const lines = metrics.text().split('\n')
  assert.equal(lines.filter((line) => line.startsWith('mangaassist_by_value_total{')).length, 100)
  assert.ok(lines.includes('mangaassist_by_value_total{value="0"} 2'))
  assert.ok(lines.includes(`mangaassist_metrics_dropped_total ${50 + 44}`))
})

test('a gauge is looked up when it is read; the process knows its own', () => {
  const metrics = processMetrics()
  let open = 1
  metrics.gauge('connections', 'Open connections.', () => open)
  assert.match(metrics.text(), /^mangaassist_connections 1$/m)
  open = 2
  assert.match(metrics.text(), /^# TYPE mangaassist_connections gauge\nmangaassist_connections 2$/m)
  assert.match(metrics.text(), /^mangaassist_process_heap_used_bytes \d+$/m)
})

test('a gauge has a series for each set of labels, once, and none where there is nothing to tell', () => {
  const metrics = new MetricsRegistry()
  const told = [
    { fields: { lane: 'a@x' }, value: 1 },
    { fields: { lane: 'b@x' }, value: 0.5 },
    { fields: { lane: 'a@x' }, value: 2 },
  ]
  metrics.gauge('lane_limit', 'How many may be.', () => told)
  metrics.gauge('lane_operated', 'By a person.', () => [])
  const lines = metrics.text().split('\n')
  assert.deepEqual(lines.slice(0, 4), [
    '# HELP mangaassist_lane_limit How many may be.',
    '# TYPE mangaassist_lane_limit gauge',
    'mangaassist_lane_limit{lane="a@x"} 2',
    'mangaassist_lane_limit{lane="b@x"} 0.5',
  ])
  assert.ok(!metrics.text().includes('lane_operated'))
})

test('a declared counter is 0 until something is counted, and declaring it again takes nothing away', () => {
  const metrics = new MetricsRegistry()
  metrics.declare('alarm.rare', { account: 'store' })
  assert.match(metrics.text(), /^mangaassist_alarm_rare_total\{account="store"\} 0$/m)
  metrics.count('alarm.rare', { account: 'store' })
  metrics.declare('alarm.rare', { account: 'store' })
  assert.match(metrics.text(), /^mangaassist_alarm_rare_total\{account="store"\} 1$/m)
})
