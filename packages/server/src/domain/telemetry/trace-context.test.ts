// The headers of W3C trace context and of AWS X-Ray: what is accepted, what is ignored, and what is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_SPAN_ID, readTraceContext, traceparentOf, xRayHeaderOf } from './trace-context.ts'

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

const ROOT = `Root=1-${TRACE_ID.slice(0, 8)}-${TRACE_ID.slice(8)}`
const xRay = (header: unknown) => readTraceContext({ 'x-amzn-trace-id': header as string })

test('the header of X-Ray is read, in any order and with what proxies add', () => {
  const read = { traceId: TRACE_ID, spanId: SPAN_ID, sampled: true }
  assert.deepEqual(xRay(`${ROOT};Parent=${SPAN_ID};Sampled=1`), read)
  assert.deepEqual(
    xRay(`Self=1-67891234-12456789abcdef012345678; ${ROOT} ;Sampled=?; Parent=${SPAN_ID};Lineage=a:0`),
    read,
  )
  assert.equal(xRay(`${ROOT};Parent=${SPAN_ID};Sampled=0`)?.sampled, false)
})

test('a load balancer names only the trace, and no span', () => {
  assert.deepEqual(xRay(ROOT), { traceId: TRACE_ID, spanId: NO_SPAN_ID, sampled: true })
  assert.equal(xRay(`${ROOT};Parent=nothing`)?.spanId, NO_SPAN_ID)
})

test('a header of X-Ray that is not well formed is ignored', () => {
  const zeros = `Root=1-${'0'.repeat(8)}-${'0'.repeat(24)}`
  for (const header of ['', 'Root=', `Parent=${SPAN_ID}`, ROOT.replace('1-', '2-'), ROOT.toUpperCase(), zeros, [ROOT]])
    assert.equal(xRay(header), undefined, String(header))
  assert.equal(xRay(`${ROOT};Padding=${'x'.repeat(600)}`), undefined)
})

test('W3C wins over X-Ray, unless it is not valid', () => {
  const other = { 'x-amzn-trace-id': 'Root=1-5759e988-bd862e3fe1be46a994272793' }
  assert.equal(readTraceContext({ traceparent, ...other })?.traceId, TRACE_ID)
  assert.equal(readTraceContext({ traceparent: 'nothing', ...other })?.traceId, '5759e988bd862e3fe1be46a994272793')
})

test('what is sent is read back, without the state of the caller', () => {
  for (const sampled of [true, false]) {
    const context = { traceId: TRACE_ID, spanId: SPAN_ID, sampled }
    assert.deepEqual(readTraceContext({ traceparent: traceparentOf({ ...context, state: 'a=b' }) }), context)
    assert.deepEqual(xRay(xRayHeaderOf({ ...context, state: 'a=b' })), context)
  }
})
