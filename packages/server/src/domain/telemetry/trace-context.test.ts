// The headers of W3C trace context: what is accepted, and what is ignored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTraceContext } from './trace-context.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN_ID = '00f067aa0ba902b7'
const traceparent = `00-${TRACE_ID}-${SPAN_ID}-01`

test('a valid traceparent is read, with its sampled flag', () => {
  assert.deepEqual(readTraceContext({ traceparent }), { traceId: TRACE_ID, spanId: SPAN_ID, sampled: true })
  assert.equal(readTraceContext({ traceparent: `00-${TRACE_ID}-${SPAN_ID}-00` })?.sampled, false)
  assert.equal(readTraceContext({ traceparent: `00-${TRACE_ID}-${SPAN_ID}-03` })?.sampled, true)
})

test('a later version is read as far as this one goes', () => {
  assert.equal(readTraceContext({ traceparent: `01-${TRACE_ID}-${SPAN_ID}-01-more` })?.traceId, TRACE_ID)
})

for (const [why, value] of [
  ['is missing', undefined],
  ['is empty', ''],
  ['is not hexadecimal', `00-${TRACE_ID.replace('4', 'g')}-${SPAN_ID}-01`],
  ['has capitals', traceparent.toUpperCase()],
  ['is too short', `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`],
  ['names no trace', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
  ['names no span', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
  ['has the forbidden version', `ff-${TRACE_ID}-${SPAN_ID}-01`],
  ['has more than version 00 allows', `${traceparent}-more`],
  ['was sent twice', `${traceparent}, ${traceparent}`],
  ['is an array', [traceparent]],
] as const) {
  test(`a traceparent that ${why} is ignored`, () => {
    assert.equal(readTraceContext({ traceparent: value, tracestate: 'a=b' }), undefined)
  })
}

test('tracestate is passed along unchanged but for spaces and empty members', () => {
  const read = readTraceContext({ traceparent, tracestate: 'rojo=00f067aa0ba902b7, ,congo=t61rcWkgMzE' })
  assert.equal(read?.state, 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE')
})

test('a tracestate that is not well formed is dropped, and the trace stays', () => {
  const many = Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(',')
  for (const tracestate of ['no pair', 'UPPER=1', ' ', 'a=b\u{7f}', many, `a=${'x'.repeat(600)}`]) {
    const read = readTraceContext({ traceparent, tracestate })
    assert.deepEqual([read?.traceId, read?.state], [TRACE_ID, undefined], tracestate)
  }
})
