// Holds the telemetry for operators to the contract of its port, and looks at its lines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { telemetryContract } from '#ports/telemetry/contract.ts'
import { pinoTelemetry } from './telemetry.ts'

function recorded(level: 'debug' | 'warn' | 'silent') {
  const lines: string[] = []
  const telemetry = pinoTelemetry({ level, destination: { write: (line) => void lines.push(line) } })
  return { telemetry, lines, written: () => lines.join('') }
}

telemetryContract('pino telemetry', () => recorded('debug'))

test('pino telemetry: every event is one line of JSON with its time', () => {
  const { telemetry, lines } = recorded('debug')
  telemetry.log('info', 'turn.ended', { turnId: 'turn\n1' }, new Error('why'))
  assert.equal(lines.length, 1)
  assert.equal(lines[0]?.indexOf('\n'), lines[0]?.length === undefined ? -1 : lines[0].length - 1)
  const line = JSON.parse(lines[0] ?? '')
  assert.deepEqual([line.level, line.event, line.turnId, line.error.message], ['info', 'turn.ended', 'turn\n1', 'why'])
  assert.match(line.time, /^\d{4}-\d\d-\d\dT.*Z$/)
})

test('pino telemetry: what is below the level is not written', () => {
  const warn = recorded('warn')
  warn.telemetry.log('info', 'turn.ended')
  warn.telemetry.count('turn_unread_total')
  const silent = recorded('silent')
  silent.telemetry.log('error', 'turn.failed')
  assert.deepEqual([warn.lines, silent.lines], [[], []])
})
