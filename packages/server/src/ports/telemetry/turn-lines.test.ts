// The log lines that a record gets: those of its turn and request, bounded, redacted, and each once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { telemetryTo } from './telemetry-to.ts'
import { turnLines } from './turn-lines.ts'

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true }
const OPENING = { door: 'ws', name: 'chat', parent: TRACE } as const

function setUp() {
  const clock = manualClock()
  const lines = turnLines({ clock })
  return { lines, telemetry: telemetryTo({ clock, random: systemRandom(), sinks: [lines] }) }
}

const of = (turnId: string, requestId = 'r1') => ({ turnId, requestId, traceId: TRACE.traceId })

test('a record gets the lines of its request and its turn, once, and not those that have records of their own', () => {
  const { lines, telemetry } = setUp()
  const request = telemetry.scope({ ...OPENING, requestId: 'r1' })
  request.log('warn', 'session.unavailable', {}, new Error('no reply to "秘密の質問" from aki@shop.example'))
  const turn = request.becomeTurn('turn_1')
  turn.log('warn', 'context.failed', { source: 'history' })
  telemetry.log('error', 'ledger.rows-lost', { turnId: 'turn_1' })
  telemetry.log('warn', 'lane.opened', { lane: 'primary', laneId: 'x', recentCalls: 1, recentFailures: 1 })
  request.log('info', 'request.refused')
  assert.deepEqual(lines.take(of('turn_1')), {
    lines: [
      { at: NOON, level: 'warn', event: 'session.unavailable', error: 'Error: no reply to [text] from [email]' },
      { at: NOON, level: 'warn', event: 'context.failed', fields: { source: 'history' } },
      { at: NOON, level: 'error', event: 'ledger.rows-lost' },
    ],
  })
  assert.deepEqual(lines.take(of('turn_1')), { lines: [] })
})

test('requests of one trace have their own lines', () => {
  const { lines, telemetry } = setUp()
  for (const index of [1, 2]) {
    const scope = telemetry.scope({ ...OPENING, requestId: `r${index}` })
    scope.log('warn', 'session.unavailable')
    scope.becomeTurn(`turn_${index}`).log('warn', 'context.failed', { source: `of ${index}` })
  }
  const eventsOf = (index: number) =>
    lines.take(of(`turn_${index}`, `r${index}`)).lines?.map(({ event, fields }) => [event, fields?.['source']])
  assert.deepEqual(eventsOf(1), [
    ['session.unavailable', undefined],
    ['context.failed', 'of 1'],
  ])
  assert.equal(eventsOf(2)?.length, 2)
})

test('lines, their length and the requests that are remembered are bounded, and what is left out is counted', () => {
  const { lines, telemetry } = setUp()
  const turn = telemetry.scope({ ...OPENING, requestId: 'r1' }).becomeTurn('turn_1')
  for (let index = 0; index < 25; index += 1) turn.log('warn', 'context.failed', { source: 'x'.repeat(1000) })
  const taken = lines.take(of('turn_1'))
  assert.equal((taken.lines?.length ?? 0) + (taken.linesLeftOut ?? 0), 25)
  assert.equal(taken.lines?.length, 20)
  assert.ok(JSON.stringify(taken).length < 9000)
  telemetry.log('warn', 'turn.settle-failed', { turnId: 'turn_old' })
  for (let index = 0; index < 2000; index += 1) telemetry.log('warn', 'turn.settle-failed', { turnId: `t${index}` })
  assert.deepEqual(lines.take({ turnId: 'turn_old' }), { lines: [] })
})
