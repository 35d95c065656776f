// The contract of telemetry and of each of its sinks: they accept anything at any level, never throw into the code that
// reports, and end each scope and each span exactly once. `written` returns what an operator would see of the sink, as
// text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EndedSpan, Telemetry, TelemetrySink } from './port.ts'
import { telemetryTo } from './telemetry-to.ts'

export interface SinkUnderTest {
  readonly sink: TelemetrySink
  readonly written: () => string | Promise<string>
}

interface Observed {
  readonly telemetry: Telemetry
  readonly written: () => string | Promise<string>
  /** What a second sink received beside the one under test. */
  readonly ended: readonly EndedSpan[]
  /** Moves time. */
  readonly wait: (ms: number) => void
}

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = { traceId: TRACE_ID, spanId: '00f067aa0ba902b7', sampled: true }
const OPENING = { door: 'ws', name: 'chat', requestId: 'r1' } as const

/**
 * `isFigures`: metrics, where names and values are written, but neither log lines nor the ids of scopes. `sendsWords`: an
 * exporter, to which the shop lets the words of calls.
 */
export function telemetryContract(
  name: string,
  make: () => SinkUnderTest,
  { isFigures = false, sendsWords = false }: { readonly isFigures?: boolean; readonly sendsWords?: boolean } = {},
): void {
  const open = (): Observed => observed(make())
  if (!isFigures) logContract(name, open)
  if (!sendsWords) wordsContract(name, open)

  test(`${name}: occurrences are counted by name`, async () => {
    const { telemetry, written } = open()
    telemetry.count('turn_unread_total')
    telemetry.count('reader_resumed_total', { door: 'sse' })
    for (const part of ['turn_unread_total', 'reader_resumed_total', 'sse'])
      assert.ok((await written()).includes(part), part)
  })

  test(`${name}: a value is reported with its name`, async () => {
    const { telemetry, written } = open()
    telemetry.observe('turn_frame_deltas', 13)
    telemetry.observe('turn_first_word_seconds', 0.417, { tier: 'faq', model: 'none' })
    for (const part of ['turn_frame_deltas', '13', 'turn_first_word_seconds', '0.417', 'faq'])
      assert.ok((await written()).includes(part), part)
  })

  test(`${name}: figures of a scope are reported, and its ids are no labels`, async () => {
    const { telemetry, written } = open()
    const scope = telemetry.scope(OPENING).becomeTurn('turn_1')
    scope.count('reader_resumed_total', { door: 'sse' })
    scope.observe('turn_frame_deltas', 13)
    for (const part of ['reader_resumed_total', 'sse']) assert.ok((await written()).includes(part), part)
    if (isFigures) assert.doesNotMatch(await written(), /turn_1|r1|[0-9a-f]{32}/)
  })

  scopeContract(name, open)
  spanContract(name, open)

  test(`${name}: a sink that throws harms neither the program nor the other sinks`, async () => {
    const { sink, written } = make()
    const fail = () => {
      throw new Error('the sink is broken')
    }
    const broken = { wantsSpans: true, log: fail, count: fail, observe: fail, spanEnded: fail }
    const { ended, telemetry } = observed({ sink, written }, [broken])
    const scope = telemetry.scope(OPENING)
    scope.log('warn', 'turn.taken-over')
    telemetry.count('turn_unread_total')
    scope.observe('turn_frame_deltas', 13)
    scope.span('context').end()
    scope.end('completed')
    assert.match(await written(), /turn_unread_total/)
    assert.deepEqual(
      ended.map((span) => span.name),
      ['context', 'ws chat'],
    )
  })
}

function logContract(name: string, open: () => Observed): void {
  test(`${name}: an event is logged with its level, name and fields`, async () => {
    const { telemetry, written } = open()
    telemetry.log('warn', 'turn.taken-over', { turnId: 'turn_1', epoch: 2, continued: true, textLength: undefined })
    for (const part of ['warn', 'turn.taken-over', 'turn_1', '2', 'true'])
      assert.ok((await written()).includes(part), part)
  })

  test(`${name}: a cause is logged, whatever was thrown`, async () => {
    const { telemetry, written } = open()
    telemetry.log('error', 'turn.failed', {}, new Error('the disk is full'))
    telemetry.log('error', 'turn.failed', undefined, 'a thrown string')
    assert.match(await written(), /the disk is full/)
    assert.match(await written(), /a thrown string/)
  })

  test(`${name}: a log line of a scope carries its request, its trace, and its turn once there is one`, async () => {
    const { telemetry, written } = open()
    const scope = telemetry.scope({ ...OPENING, parent: PARENT, fields: { connectionId: 'conn_1' } })
    scope.log('warn', 'turn.taken-over')
    for (const part of ['turn.taken-over', '"r1"', TRACE_ID, 'conn_1'])
      assert.ok((await written()).includes(part), part)
    assert.doesNotMatch(await written(), /turn_1/)
    scope.becomeTurn('turn_1').log('warn', 'turn.taken-over')
    assert.match(await written(), /turn_1/)
  })

  test(`${name}: only names, labels and fields of the catalogue compile`, () => {
    const { telemetry } = open()
    // @ts-expect-error: no such event
    telemetry.log('warn', 'turn.unheard-of')
    // @ts-expect-error: the event is an error
    telemetry.log('debug', 'turn.failed')
    // @ts-expect-error: the event has no such field
    telemetry.log('error', 'turn.failed', { principalId: 'guest_1' })
    // @ts-expect-error: no such counter
    telemetry.count('turn_unheard_of_total')
    // @ts-expect-error: the counter has no label
    telemetry.count('turn_unread_total', { model: 'primary' })
    // @ts-expect-error: the label is missing
    telemetry.count('reader_resumed_total')
    // @ts-expect-error: no such value of the label
    telemetry.count('reader_resumed_total', { door: 'window' })
    // @ts-expect-error: a counter is no distribution
    telemetry.observe('turn_unread_total', 1)
  })
}

function wordsContract(name: string, open: () => Observed): void {
  test(`${name}: the words of a call are no attributes, and are not written`, async () => {
    const { ended, telemetry, written } = open()
    const content = { system: 'a secret prompt', input: [{ role: 'user', text: 'a secret' }], output: 'a secret too' }
    telemetry.scope(OPENING).span('attempt').end('completed', { model: 'model-1' }, content)
    assert.deepEqual(ended[0]?.content, content)
    assert.doesNotMatch(await written(), /secret/)
  })
}

function scopeContract(name: string, open: () => Observed): void {
  test(`${name}: a scope ends once, with its first outcome and its duration`, () => {
    const { ended, telemetry, wait } = open()
    const scope = telemetry.scope(OPENING)
    wait(40)
    scope.end('refused', { code: 'NOT_FOUND' })
    scope.end('completed')
    assert.deepEqual(
      ended.map((span) => [span.kind, span.name, span.outcome, span.durationMs, span.attributes['code']]),
      [['scope', 'ws chat', 'refused', 40, 'NOT_FOUND']],
    )
  })

  test(`${name}: a scope that became a turn’s is ended by the turn alone`, () => {
    const { ended, telemetry } = open()
    const door = telemetry.scope(OPENING)
    const turn = door.becomeTurn('turn_1')
    door.end('disconnected')
    assert.deepEqual(ended, [])
    turn.end('completed', { finishReason: 'stop' })
    turn.end('failed')
    assert.deepEqual(
      ended.map(({ attributes, outcome }) => [outcome, attributes['turnId'], attributes['requestId']]),
      [['completed', 'turn_1', 'r1']],
    )
    assert.deepEqual(turn.trace, door.trace)
  })

  test(`${name}: a scope with a response is reported with its status, whether the turn or the response ends first`, () => {
    const { ended, telemetry, wait } = open()
    const shown = () => ended.map(({ attributes, durationMs }) => [attributes['status'], durationMs])
    const answered = telemetry.scope({ ...OPENING, hasResponse: true })
    const turn = answered.becomeTurn('turn_1')
    wait(40)
    turn.end('completed')
    wait(10)
    assert.deepEqual(ended, [])
    answered.end('completed')
    answered.responded(200)
    assert.deepEqual(shown(), [[200, 40]])
    const left = telemetry.scope({ ...OPENING, hasResponse: true })
    const longer = left.becomeTurn('turn_2')
    left.end('disconnected')
    left.responded(undefined)
    assert.equal(ended.length, 1)
    wait(5)
    longer.end('completed')
    left.responded(200)
    assert.deepEqual(shown().slice(1), [[undefined, 5]])
    const refused = telemetry.scope({ ...OPENING, hasResponse: true })
    refused.end('refused', { code: 'NOT_FOUND' })
    refused.responded(404)
    assert.deepEqual(shown().slice(2), [[404, 0]])
  })

  test(`${name}: a turn whose request has already ended has a scope of its own in the same trace`, () => {
    const { ended, telemetry } = open()
    const door = telemetry.scope({ ...OPENING, hasResponse: true })
    door.end('disconnected')
    door.responded(undefined)
    const turn = door.becomeTurn('turn_1')
    turn.end('completed')
    turn.end('failed')
    const [request, own] = ended
    assert.deepEqual([request?.outcome, own?.outcome, ended.length], ['disconnected', 'completed', 2])
    assert.equal(own?.trace.traceId, request?.trace.traceId)
    assert.equal(own?.parentSpanId, request?.trace.spanId)
  })

  test(`${name}: a scope belongs to the caller’s trace, or begins one, and each has ids of its own`, () => {
    const { ended, telemetry } = open()
    const parent = { ...PARENT, sampled: false, state: 'rojo=1' }
    telemetry.scope({ ...OPENING, parent }).end('completed')
    for (let scopes = 0; scopes < 3; scopes += 1) telemetry.scope(OPENING).end('completed')
    const [called, ...others] = ended
    assert.deepEqual({ ...called?.trace, spanId: '' }, { ...parent, spanId: '' })
    assert.equal(called?.parentSpanId, PARENT.spanId)
    for (const { parentSpanId, trace } of others) {
      assert.match(trace.traceId, /^[0-9a-f]{32}$/)
      assert.match(trace.spanId, /^[0-9a-f]{16}$/)
      assert.deepEqual([trace.sampled, parentSpanId], [true, undefined])
    }
    assert.equal(new Set(ended.map(({ trace }) => trace.traceId)).size, 4)
    assert.equal(new Set(ended.map(({ trace }) => trace.spanId)).size, 4)
  })

  test(`${name}: a link names another trace without belonging to it`, () => {
    const { ended, telemetry } = open()
    telemetry.scope({ door: 'takeover', name: 'turn', links: [PARENT] }).end('completed')
    assert.deepEqual(ended[0]?.links, [PARENT])
    assert.notEqual(ended[0]?.trace.traceId, TRACE_ID)
    assert.equal(ended[0]?.parentSpanId, undefined)
  })
}

function spanContract(name: string, open: () => Observed): void {
  test(`${name}: spans are children of their scope or of each other, and end once`, () => {
    const { ended, telemetry, wait } = open()
    const scope = telemetry.scope(OPENING)
    const stage = scope.span('invocation')
    wait(5)
    const call = stage.span('attempt', { model: 'model-1' })
    wait(20)
    call.end('failed', { errorClass: 'timeout' })
    call.end()
    stage.end()
    scope.end('completed')
    const [attempt, invocation, root] = ended
    assert.deepEqual(
      ended.map((span) => [span.name, span.durationMs, span.outcome]),
      [
        ['attempt', 20, 'failed'],
        ['invocation', 25, 'completed'],
        ['ws chat', 25, 'completed'],
      ],
    )
    assert.deepEqual([attempt?.attributes['model'], attempt?.attributes['errorClass']], ['model-1', 'timeout'])
    assert.equal(attempt?.parentSpanId, invocation?.trace.spanId)
    assert.equal(invocation?.parentSpanId, root?.trace.spanId)
    assert.equal(new Set(ended.map(({ trace }) => trace.traceId)).size, 1)
  })

  test(`${name}: events of a scope and of a span have their moment, and none is added after the end`, () => {
    const { ended, telemetry, wait } = open()
    const scope = telemetry.scope(OPENING)
    const stage = scope.span('invocation')
    wait(5)
    stage.event('lane.permit-granted', { model: 'model-1', laneId: 'model-1@here' })
    wait(5)
    scope.event('turn.stopped', { reason: 'stopped' })
    stage.end()
    scope.end('completed')
    stage.event('lane.permit-granted')
    scope.event('turn.stopped')
    assert.deepEqual(
      ended.map(({ events, startedAt }) => events.map(({ at, name: event }) => [event, at - startedAt])),
      [[['lane.permit-granted', 5]], [['turn.stopped', 10]]],
    )
    assert.equal(ended[0]?.events[0]?.attributes['model'], 'model-1')
  })

  test(`${name}: events and links are bounded, and what is dropped is counted`, () => {
    const { ended, telemetry } = open()
    const scope = telemetry.scope({ ...OPENING, links: [PARENT] })
    const stage = scope.span('invocation')
    for (let events = 0; events < 70; events += 1) stage.event('lane.permit-granted')
    for (let links = 0; links < 10; links += 1) scope.link(PARENT)
    stage.end()
    scope.end('completed')
    assert.deepEqual(
      ended.map(({ events, eventsDropped, links }) => [events.length, links.length, eventsDropped]),
      [
        [64, 0, 6],
        [0, 8, 3],
      ],
    )
  })

  test(`${name}: a span knows its scope, and what a call names as its parent`, () => {
    const { ended, telemetry } = open()
    const scope = telemetry.scope({ ...OPENING, parent: PARENT })
    const stage = scope.span('invocation')
    const call = stage.span('attempt')
    call.end()
    stage.end()
    scope.end('completed')
    const [attempt, , root] = ended
    assert.deepEqual([call.trace, call.trace?.traceId], [attempt?.trace, TRACE_ID])
    assert.deepEqual(new Set(ended.map(({ scopeSpanId }) => scopeSpanId)), new Set([root?.trace.spanId]))
  })

  test(`${name}: a caller that names only a trace is no parent`, () => {
    const { ended, telemetry } = open()
    telemetry.scope({ ...OPENING, parent: { ...PARENT, spanId: '0'.repeat(16) } }).end('completed')
    assert.deepEqual([ended[0]?.trace.traceId, ended[0]?.parentSpanId], [TRACE_ID, undefined])
  })

  test(`${name}: a span whose stage throws ends as failed`, () => {
    const { ended, telemetry } = open()
    const scope = telemetry.scope(OPENING)
    const stage = () => {
      using _span = scope.span('settlement')
      throw new Error('the store is down')
    }
    assert.throws(stage, /the store is down/)
    assert.deepEqual(
      ended.map((span) => [span.name, span.outcome]),
      [['settlement', 'failed']],
    )
  })
}

function observed({ sink, written }: SinkUnderTest, first: readonly TelemetrySink[] = []): Observed {
  const ended: EndedSpan[] = []
  const beside: TelemetrySink = {
    wantsSpans: true,
    log() {},
    count() {},
    observe() {},
    spanEnded: (span) => ended.push(span),
  }
  let now = 1_800_000_000_000
  let drawn = 0
  const hex = (bytes: number) => {
    drawn += 1
    return drawn
      .toString(16)
      .padStart(16, '0')
      .repeat(3)
      .slice(0, 2 * bytes)
  }
  const telemetry = telemetryTo({ clock: { now: () => now }, random: { hex }, sinks: [...first, sink, beside] })
  return { telemetry, written, ended, wait: (ms) => void (now += ms) }
}
