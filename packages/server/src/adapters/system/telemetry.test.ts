// Runs the contract of telemetry on the log sink, and checks its lines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TelemetrySink } from '#ports/telemetry/port.ts'
import { telemetryContract } from '#ports/telemetry/contract.ts'
import { telemetryTo } from '#ports/telemetry/telemetry-to.ts'
import { systemRandom } from './random.ts'
import { pinoSink } from './telemetry.ts'

function recorded(level: 'debug' | 'warn' | 'silent') {
  const lines: string[] = []
  const now = { ms: 0 }
  const after = () => ({ [Symbol.dispose]() {} })
  const sink = pinoSink({ level, now: () => now.ms, after, destination: { write: (line) => void lines.push(line) } })
  const telemetry = telemetryTo({ clock: { now: () => 0 }, random: systemRandom(), sinks: [sink] })
  return { sink, telemetry, lines, now, written: () => lines.join('') }
}

telemetryContract('pino sink', () => {
  const made = recorded('debug')
  // Each line is a second after the one before: none is left out.
  const log: TelemetrySink['log'] = (line) => {
    made.now.ms += 1000
    made.sink.log(line)
  }
  return { ...made, sink: { ...made.sink, log } }
})

test('pino sink: every event is one line of JSON with its time', () => {
  const { telemetry, lines } = recorded('debug')
  telemetry.log('info', 'turn.ended', { turnId: 'turn\n1' }, new Error('why'))
  assert.equal(lines.length, 1)
  assert.equal(lines[0]?.indexOf('\n'), lines[0]?.length === undefined ? -1 : lines[0].length - 1)
  const line = JSON.parse(lines[0] ?? '')
  assert.deepEqual([line.level, line.event, line.turnId, line.error.message], ['info', 'turn.ended', 'turn\n1', 'why'])
  assert.match(line.time, /^\d{4}-\d\d-\d\dT.*Z$/)
})

test('pino sink: lines below the level are not written', () => {
  const warn = recorded('warn')
  warn.telemetry.log('info', 'turn.ended')
  warn.telemetry.count('turn_unread_total')
  const silent = recorded('silent')
  silent.telemetry.log('error', 'turn.failed')
  silent.telemetry.scope({ door: 'http', name: '/' }).end('failed')
  assert.deepEqual([warn.lines, silent.lines], [[], []])
})

test('pino sink: a warning that repeats is summed, and so is a refusal; other information is not', () => {
  const { telemetry, lines, sink } = recorded('debug')
  for (const turnId of ['turn_1', 'turn_2', 'turn_3']) {
    telemetry.log('warn', 'redis.connection-failed')
    telemetry.log('info', 'request.refused', { turnId, code: 'RATE_LIMITED', scope: 'minute' })
    telemetry.log('info', 'turn.ended', { turnId })
  }
  sink.flush()
  const written = lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    written.map(({ event, leftOut, turnId }) => [event, leftOut, turnId]),
    [
      ['redis.connection-failed', undefined, undefined],
      ['request.refused', undefined, 'turn_1'],
      ['turn.ended', undefined, 'turn_1'],
      ['turn.ended', undefined, 'turn_2'],
      ['turn.ended', undefined, 'turn_3'],
      ['redis.connection-failed', 1, undefined],
      ['request.refused', 1, 'turn_3'],
    ],
  )
  assert.match(written.at(-1).occurredAt, /^1970-01-01T/)
})

test('pino sink: at level debug a span is a line with its ids, its outcome and its duration', () => {
  const { telemetry, lines } = recorded('debug')
  const link = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true }
  const scope = telemetry.scope({ door: 'takeover', name: 'turn', turnId: 'turn_1', links: [link] })
  scope.span('settlement').end()
  scope.end('completed')
  const [span, root] = lines.map((line) => JSON.parse(line))
  assert.deepEqual([span.event, span.span, span.outcome, span.durationMs], ['span', 'settlement', 'completed', 0])
  assert.deepEqual([span.traceId, span.parentSpanId], [root.traceId, root.spanId])
  assert.deepEqual(
    [root.span, root.turnId, root.links],
    ['takeover turn', 'turn_1', [`${link.traceId}-${link.spanId}`]],
  )
})

test('pino sink: above level debug no spans are wanted', () => {
  assert.deepEqual([recorded('debug').sink.wantsSpans, recorded('warn').sink.wantsSpans], [true, false])
})
