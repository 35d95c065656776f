// The alarm for a Redis that cannot be reached, which docs/operations.md recommends, against a real one that is killed. Waits
// are bounded by what they wait for; nothing that is asserted depends on how long it took.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { openRedis } from '#adapters/redis/client/connection.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { MetricsRegistry } from '#adapters/system/metrics.ts'
import { metricsSink } from '#adapters/system/metrics-sink.ts'
import { recommendedRules, Recording } from '#fixtures/edge/alarm-rules.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

/** Bounds a hang, and no more. */
const PATIENT_MS = 30_000

test('RedisUnreachable is silent while Redis answers, and fires when it is gone', async () => {
  await using server = await startRedis()
  const clock = systemClock()
  const metrics = new MetricsRegistry()
  const telemetry = memoryTelemetry({ sinks: [metricsSink(metrics)] })
  const parts = { clock, random: systemRandom(), telemetry, callMs: PATIENT_MS, connectMs: PATIENT_MS }
  await using redis = await openRedis({ url: server.url, ...parts })
  const rule = recommendedRules().find(({ alert }) => alert === 'RedisUnreachable')
  assert.ok(rule !== undefined)
  const recording = new Recording()
  const scrape = () => recording.add(clock.now(), metrics.text())
  for (let calls = 0; calls < 20; calls += 1) {
    assert.equal(await redis.command(undefined, 'PING'), 'PONG')
    scrape()
  }
  assert.equal(recording.fires(rule), false)
  server.process.kill('SIGKILL')
  await waitUntil('the alarm fires', () => {
    scrape()
    return recording.fires(rule)
  })
})
