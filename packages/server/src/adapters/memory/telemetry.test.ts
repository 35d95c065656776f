// Runs the contract of telemetry on memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { telemetryContract } from '#ports/telemetry/contract.ts'
import { memorySink, memoryTelemetry } from './telemetry.ts'

telemetryContract('memory sink', () => {
  const sink = memorySink()
  const written = () =>
    [
      ...sink.logged.map(
        ({ level, event, fields, cause, within }) =>
          `${level} ${event} ${JSON.stringify(fields)} ${String(cause)} ${JSON.stringify(within?.fields)} ` +
          JSON.stringify([within?.requestId, within?.turnId, within?.trace.traceId]),
      ),
      ...sink.observed.map(({ name, value, fields }) => `${name} ${value} ${JSON.stringify(fields)}`),
      ...sink.counted.map(({ name, fields }) => `${name} ${JSON.stringify(fields)}`),
    ].join('\n')
  return { sink, written }
})

test('memory telemetry lists the scopes among its spans', () => {
  const telemetry = memoryTelemetry()
  const scope = telemetry.scope({ door: 'http', name: '/api/faq' })
  scope.span('context').end()
  scope.end('completed')
  assert.deepEqual(
    [telemetry.spans.map(({ name }) => name), telemetry.ended.map(({ name }) => name)],
    [['context', 'http /api/faq'], ['http /api/faq']],
  )
})
