// Which scopes are exported, and what happens at every bound.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TailSampler } from './tail-sampler.ts'
import type { SampledSpan, SamplerSettings } from './tail-sampler.ts'

const SETTINGS: SamplerSettings = {
  perSecond: 0,
  share: 0,
  slowMs: 15_000,
  slowRequestMs: 1000,
  callerPerSecond: 0,
  openMax: 100,
  spansMax: 8,
  bytesMax: 1_000_000,
}

interface TestSpan extends SampledSpan {
  readonly trace: { readonly spanId: string; readonly sampled: boolean }
}

const span = (scopeSpanId: string, over: Partial<TestSpan> = {}): TestSpan => ({
  kind: 'span',
  name: 'attempt',
  trace: { spanId: `${scopeSpanId}-child`, sampled: true },
  scopeSpanId,
  parentSpanId: scopeSpanId,
  durationMs: 10,
  outcome: 'completed',
  attributes: {},
  events: [],
  links: [],
  ...over,
})
const scope = (id: string, over: Partial<TestSpan> = {}): TestSpan =>
  span(id, {
    kind: 'scope',
    name: 'ws chat',
    trace: { spanId: id, sampled: true },
    parentSpanId: undefined,
    attributes: { door: 'ws', turnId: 'turn_1', finishReason: 'stop' },
    ...over,
  })

function sampler(over: Partial<SamplerSettings> = {}, drawn = 0.99) {
  const seen = { kept: [] as string[], reasons: [] as string[], dropped: {} as Record<string, number>, now: 0 }
  const tail = new TailSampler<TestSpan>({
    settings: { ...SETTINGS, ...over },
    now: () => seen.now,
    float: () => drawn,
    keep: (spans) => seen.kept.push(...spans.map(({ name, scopeSpanId }) => `${scopeSpanId} ${name}`)),
    onKept: (reason) => seen.reasons.push(reason),
    onDropped: (reason, spans) => (seen.dropped[reason] = (seen.dropped[reason] ?? 0) + spans),
  })
  return { seen, tail }
}

const turn = (attributes: Record<string, unknown>) => ({ attributes: { ...scope('a').attributes, ...attributes } })

test('the spans of a scope are held until it ends, and exported together', () => {
  const { seen, tail } = sampler({ share: 1 })
  tail.add(span('a'))
  tail.add(span('b'))
  assert.deepEqual([seen.kept, tail.open], [[], 2])
  tail.add(scope('a'))
  assert.deepEqual([seen.kept, tail.open, seen.reasons], [['a attempt', 'a ws chat'], 1, ['share']])
})

for (const [why, reason, spans] of [
  ['failed', 'error', [scope('a', { outcome: 'failed' })]],
  ['has a call that failed', 'error', [span('a', { outcome: 'failed' }), scope('a')]],
  ['was slow', 'slow', [scope('a', { durationMs: 15_001 })]],
  ['was degraded', 'degraded', [scope('a', turn({ isDegraded: true }))]],
  ['ended because of a failure', 'degraded', [scope('a', turn({ failure: 'misfit' }))]],
  ['has estimated usage', 'flagged', [scope('a', turn({ isEstimated: true }))]],
  ['was taken over', 'flagged', [scope('a', { events: [{ name: 'turn.taken-over', attributes: {} }] })]],
  ['has a seam', 'flagged', [span('a', { events: [{ name: 'turn.continued', attributes: {} }] }), scope('a')]],
  ['used more than was reserved', 'flagged', [scope('a', { events: [{ name: 'budget.overage', attributes: {} }] })]],
] as const) {
  test(`a turn that ${why} is always exported`, () => {
    const { seen, tail } = sampler()
    for (const one of spans) tail.add(one)
    assert.deepEqual([seen.reasons, seen.kept.length], [[reason], spans.length])
  })
}

for (const [why, over] of [
  ['completed', {}],
  ['was refused', { outcome: 'refused' }],
  ['lost its client', { outcome: 'disconnected' }],
  ['queued and got its permit', { events: [{ name: 'lane.queue-left', attributes: {} }] }],
  ['is a stream that was read for an hour', { durationMs: 3_600_000, attributes: { door: 'sse' } }],
] as const) {
  test(`a scope that ${why} is not exported for that`, () => {
    const { seen, tail } = sampler()
    tail.add(scope('a', over))
    assert.deepEqual([seen.kept, seen.dropped], [[], { 'not-sampled': 1 }])
  })
}

test('a plain request is slow sooner than a turn', () => {
  const { seen, tail } = sampler()
  tail.add(scope('a', { durationMs: 1001, attributes: { door: 'http' } }))
  assert.deepEqual(seen.reasons, ['slow'])
})

test('one turn a second is guaranteed, whatever other requests there are', () => {
  const { seen, tail } = sampler({ perSecond: 1 })
  for (let second = 0; second < 3; second += 1) {
    seen.now = second * 1000
    for (let request = 0; request < 50; request += 1)
      tail.add(scope(`http-${second}-${request}`, { attributes: { door: 'http' } }))
    for (let asked = 0; asked < 5; asked += 1) tail.add(scope(`${second}-${asked}`))
  }
  assert.equal(seen.kept.filter((name) => name.startsWith('http')).length, 3)
  assert.deepEqual(
    seen.kept.filter((name) => !name.startsWith('http')),
    ['0-0 ws chat', '1-0 ws chat', '2-0 ws chat'],
  )
})

test('the share decides about the rest', () => {
  const low = sampler({ share: 0.05 }, 0.049)
  low.tail.add(scope('a'))
  assert.deepEqual(low.seen.reasons, ['share'])
  const high = sampler({ share: 0.05 }, 0.05)
  high.tail.add(scope('a'))
  assert.deepEqual(high.seen.reasons, [])
})

const called = (id: string, sampled: boolean) => scope(id, { parentSpanId: 'caller', trace: { spanId: id, sampled } })

test('a caller whose trace is sampled gets its spans, up to a rate', () => {
  const { seen, tail } = sampler({ callerPerSecond: 2 })
  for (const id of ['a', 'b', 'c']) tail.add(called(id, true))
  assert.deepEqual([seen.kept.length, seen.reasons], [2, ['caller', 'caller']])
})

test('a caller whose trace is not sampled gets only what is always exported', () => {
  const { seen, tail } = sampler({ callerPerSecond: 2, perSecond: 10, share: 1 })
  tail.add(called('a', false))
  assert.deepEqual(seen.reasons, [])
  tail.add({ ...called('b', false), outcome: 'failed' })
  assert.deepEqual(seen.reasons, ['error'])
})

test('a span that ends after its scope follows the decision', () => {
  const { seen, tail } = sampler()
  tail.add(scope('a', { outcome: 'failed' }))
  tail.add(scope('b'))
  tail.add(span('a'))
  tail.add(span('b'))
  assert.deepEqual(seen.kept, ['a ws chat', 'a attempt'])
  assert.deepEqual([tail.open, seen.dropped], [0, { 'not-sampled': 2 }])
})

test('a turn that outlived its request is exported with it', () => {
  const { seen, tail } = sampler()
  tail.add(scope('a', { outcome: 'failed' }))
  tail.add(scope('b', { parentSpanId: 'a' }))
  assert.deepEqual(seen.kept, ['a ws chat', 'b ws chat'])
})

test('past a bound the oldest scope loses its spans, its own end is still decided, and the loss is reported', () => {
  const { seen, tail } = sampler({ openMax: 2, spansMax: 8 })
  for (const id of ['a', 'b', 'c']) tail.add(span(id, { outcome: 'failed' }))
  assert.deepEqual([tail.open, seen.dropped], [2, { 'open-scopes': 1 }])
  for (let more = 0; more < 10; more += 1) tail.add(span('c'))
  assert.equal(seen.dropped['spans'], 3)
  tail.add(scope('a', { outcome: 'failed' }))
  tail.add(scope('c'))
  assert.equal(seen.kept.filter((name) => name.startsWith('c')).length, 9)
  assert.deepEqual(seen.kept[0], 'a ws chat')
})

test('a huge span cannot fill the memory', () => {
  const { seen, tail } = sampler({ bytesMax: 100_000 })
  const content = { system: 'x'.repeat(40_000), input: [], output: '' }
  tail.add(span('a'))
  tail.add(span('b', { content }))
  assert.deepEqual([tail.open, tail.bytes, seen.dropped], [0, 0, { bytes: 2 }])
})

test('at shutdown what is open is decided as it is', () => {
  const { seen, tail } = sampler()
  tail.add(span('a', { outcome: 'failed' }))
  tail.add(span('b'))
  tail.flush()
  assert.deepEqual([seen.kept, seen.dropped, tail.open, tail.bytes], [['a attempt'], { 'not-sampled': 1 }, 0, 0])
})

test('whatever ends in whatever order, no bound is exceeded and every span is exported or counted', () => {
  const step = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    isScope: fc.boolean(),
    isFailed: fc.boolean(),
    length: fc.nat(5000),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { seen, tail } = sampler({ openMax: 3, spansMax: 8, bytesMax: 20_000, perSecond: 1 })
      for (const { id, isFailed, isScope, length } of steps) {
        const over = { outcome: isFailed ? 'failed' : 'completed', attributes: { reason: 'x'.repeat(length) } }
        tail.add(isScope ? scope(id, over) : span(id, over))
        assert.ok(tail.open <= 3 && tail.bytes <= 20_000 && tail.bytes >= 0)
      }
      tail.flush()
      const dropped = Object.values(seen.dropped).reduce((sum, count) => sum + count, 0)
      assert.equal(seen.kept.length + dropped, steps.length)
      assert.deepEqual([tail.open, tail.bytes], [0, 0])
    }),
  )
})
