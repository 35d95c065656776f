// What scopes cost without a listening sink: no spans unless a sink wants them, and nothing at all without sinks; and which scope or span
// a call of a store belongs to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memorySink, memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { asyncContext } from '#adapters/system/async-context.ts'
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

const OPENING = { door: 'ws', name: 'chat' } as const
const CALL = { dbSystem: 'redis', dbOperation: 'GET' } as const
const observed = () => memoryTelemetry({ context: asyncContext })
const tick = () => new Promise<void>((resolve) => void setImmediate(resolve))

test('a call of a store is a child of the scope or span within which it is made, across awaits and callbacks', async () => {
  const telemetry = observed()
  const call = async (awaited: () => Promise<void>) => {
    await awaited()
    telemetry.currentSpan()?.storeCall(CALL).end()
  }
  const scope = telemetry.scope(OPENING)
  const [context, delivery] = [scope.span('context'), scope.span('delivery')]
  await scope.within(async () => {
    // Two stages at once, and one that calls back into the other.
    await Promise.all([
      context.within(() => call(tick)),
      delivery.within(() => context.within(() => delivery.within(() => call(() => Promise.resolve())))),
    ])
    await call(tick)
  })
  await call(tick)
  const parents = telemetry.spans.filter(({ name }) => name === 'store-call').map(({ parentSpanId }) => parentSpanId)
  assert.deepEqual(new Set(parents), new Set([context.trace?.spanId, delivery.trace?.spanId, scope.trace?.spanId]))
  assert.equal(parents.length, 3)
})

test('what outlives its span or scope belongs to none', async () => {
  const telemetry = observed()
  const scope = telemetry.scope(OPENING)
  const span = scope.span('admission')
  const isEnded = Promise.withResolvers<void>()
  const outliving = scope.within(async () => {
    const ofSpan = span.within(async () => {
      await isEnded.promise
      return telemetry.currentSpan()
    })
    await isEnded.promise
    return [await ofSpan, telemetry.currentSpan()]
  })
  span.end()
  scope.end('completed')
  isEnded.resolve()
  assert.deepEqual(await outliving, [undefined, undefined])
})

test('a turn that continues after its request keeps its own scope current', () => {
  const telemetry = observed()
  const door = telemetry.scope(OPENING)
  door.end('disconnected')
  const turn = door.becomeTurn('turn_1')
  assert.equal(
    door.within(() => telemetry.currentSpan()),
    undefined,
  )
  assert.equal(
    turn.within(() => telemetry.currentSpan()),
    turn,
  )
})

test('the calls of a parent are bounded, and its span says how many were left out', () => {
  const telemetry = observed()
  const scope = telemetry.scope(OPENING)
  const stage = scope.span('delivery')
  for (const [parent, calls] of [
    [stage, 20],
    [scope, 17],
  ] as const)
    parent.within(() => {
      for (let made = 0; made < calls; made += 1) telemetry.currentSpan()?.storeCall(CALL).end()
    })
  stage.end()
  scope.end('completed')
  const calls = telemetry.spans.filter(({ name }) => name === 'store-call')
  assert.equal(calls.length, 32)
  const leftOut = telemetry.spans.slice(-2).map(({ attributes, name }) => [name, attributes['storeCallsLeftOut']])
  assert.deepEqual(leftOut, [
    ['delivery', 4],
    ['ws chat', 1],
  ])
})

test('without a sink that wants spans no context is made or entered, and no call of a store has a span', () => {
  let contexts = 0
  const context = () => {
    contexts += 1
    return { run: () => assert.fail('a context was entered'), held: () => assert.fail('a context was read') }
  }
  const sink = { ...memorySink(), wantsSpans: false }
  const telemetry = telemetryTo({ clock: { now: () => 0 }, random: { hex: () => 'ab' }, sinks: [sink], context })
  const scope = telemetry.scope(OPENING)
  const found = [scope, scope.span('context'), NO_SCOPE, NO_SPAN].map((parent) =>
    parent.within(() => telemetry.currentSpan()),
  )
  scope.end('completed')
  assert.deepEqual([found, contexts, sink.spans], [[undefined, undefined, undefined, undefined], 0, []])
  assert.equal(NO_TELEMETRY.currentSpan(), undefined)
})
