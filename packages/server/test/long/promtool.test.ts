// `/metrics` as Prometheus itself judges it: `promtool` finds nothing to complain about, neither in what a server exports after some
// traffic, nor in a text with every metric of the catalogue. Needs `promtool`; the rules are run in `prometheus.test.ts`.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { MetricsRegistry } from '#adapters/system/metrics.ts'
import { metricCatalogue, PREFIX } from '#domain/telemetry/catalogue.ts'
import type { GaugeName } from '#domain/telemetry/catalogue.ts'
import type { LabelBounds, MetricEntry } from '#domain/telemetry/entry.ts'
import { startServer, temporaryFolder } from '../e2e/server-process.ts'

const catalogue = Object.entries<MetricEntry>(metricCatalogue)

/** Returns what `promtool` prints: nothing for a text that follows its rules. */
function promtool(args: readonly string[], input = ''): string {
  const { error, status, stderr, stdout } = spawnSync('promtool', args, { input, encoding: 'utf8', timeout: 60_000 })
  assert.equal(error, undefined)
  assert.equal(status, 0, stdout + stderr)
  return stdout + stderr
}

/** One value of each label. */
function sampleLabels(labels: LabelBounds): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([label, bound]) => [label, 'valuesMax' in bound ? 'x' : String(bound[0])]),
  )
}

test('promtool finds no fault in what a server exports after traffic at every door', async () => {
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: join(folder.path, 'data') })
  const { address } = server
  const client = await server.connect()
  client.send({ type: 'chat', requestId: 'r1', message: '泣ける漫画を教えて' })
  await client.until('done')
  const post = (body: unknown, accept: string) =>
    fetch(`${address}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    }).then((response) => response.text())
  await post({ message: 'a manga to cry over, please' }, 'application/json')
  await post({ message: 'and a cheerful one' }, 'text/event-stream')
  await post({}, 'application/json')
  await fetch(`${address}/api/admin/lanes`, { headers: { authorization: 'Bearer wrong' } })
  client.socket.close(4999)
  const text = await (await fetch(`${address}/metrics`)).text()
  for (const series of [
    'turn_first_word_seconds_count{tier=',
    'turn_duration_seconds_count{tier=',
    'model_tokens_total{model="embedded",kind="output"}',
    'store_call_seconds_count{store="sessions",technology="sqlite",verb=',
    'http_request_seconds_count{route="/api/chat",status_class="4xx"}',
    'lane_state_seconds_total{lane="search",state="closed"}',
    'process_event_loop_delay_seconds_count ',
    'build_info{',
    'delivery_frame_bytes_count{door=',
    'http_requests_total{',
  ])
    assert.ok(text.includes(`\n${PREFIX}${series}`), series)
  assert.equal(promtool(['check', 'metrics'], text), '')
})

test('promtool finds no fault in any metric of the catalogue, and every one of them is exported', () => {
  const metrics = new MetricsRegistry()
  for (const [name, { kind, labels }] of catalogue) {
    if (kind === 'gauge') metrics.gauge(name as GaugeName, () => [{ fields: sampleLabels(labels), value: 1 }])
    if (kind === 'counter') metrics.count(name, sampleLabels(labels))
    if (kind === 'histogram') metrics.observe(name, 1, sampleLabels(labels))
  }
  const text = metrics.text()
  for (const [name] of catalogue) assert.ok(text.includes(`\n# TYPE ${PREFIX}${name} `), name)
  assert.equal(promtool(['check', 'metrics'], text), '')
})
