// The recommended alarm for an unreachable Redis (docs/operations.md), against a real Redis that is killed. Waits are
// bounded by what they wait for; no assertion depends on their duration.
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

/** Bounds only a hang. */
const PATIENT_MS = 30_000

test('RedisUnreachable does not fire while Redis answers, and fires when it is killed', async () => {
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
