// What scopes cost without a listening sink: no spans unless a sink wants them, and nothing at all without sinks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memorySink } from '#adapters/memory/telemetry.ts'
import { NO_SCOPE, NO_SPAN, NO_TELEMETRY, plainScope } from './plain-scope.ts'
import { telemetryTo } from './telemetry-to.ts'

test('without a sink that wants spans no span is made, and the ids of a scope come from one random draw', () => {
  const drawn: number[] = []
  const sink = { ...memorySink(), wantsSpans: false }
  const hex = (bytes: number) => {
    drawn.push(bytes)
    return 'ab'.repeat(bytes)
  }
  const telemetry = telemetryTo({ clock: { now: () => 0 }, random: { hex }, sinks: [sink] })
  const scope = telemetry.scope({ door: 'http', name: '/healthz' })
  assert.equal(scope.span('context'), NO_SPAN)
  assert.equal(scope.becomeTurn('turn_1').span('context').span('attempt'), NO_SPAN)
  scope.end('completed')
  assert.deepEqual([drawn, sink.spans], [[24], []])
})

test('a plain scope is the same object for every request, passes reports on, and draws no ids', () => {
  const counted: string[] = []
  const scope = plainScope({ count: (name) => void counted.push(name), observe() {}, log() {} })
  assert.equal(scope.becomeTurn('turn_1'), scope)
  assert.equal(scope.span('context'), NO_SPAN)
  assert.equal(scope.trace, undefined)
  scope.count('turn_unread_total')
  scope.end('completed')
  assert.deepEqual(counted, ['turn_unread_total'])
})

test('telemetry that reports nothing has one scope for all requests', () => {
  assert.equal(NO_TELEMETRY.scope({ door: 'ws', name: 'chat' }), NO_SCOPE)
  NO_SCOPE.log('error', 'turn.failed')
  NO_TELEMETRY.observe('turn_frame_deltas', 1)
})
