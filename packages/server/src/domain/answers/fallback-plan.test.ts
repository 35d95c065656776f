// The steps that follow when no model has answered, for every cause and every combination of possible sources.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { causeOf, planFallback, SIMPLIFIED } from './fallback-plan.ts'
import type { FallbackCause, FallbackMeans } from './fallback-plan.ts'

const EVERYTHING: FallbackMeans = {
  hasStale: true,
  embedded: 'sure',
  faq: 'sure',
  canSimplify: true,
  canDefer: true,
}
const NOTHING: FallbackMeans = {
  hasStale: false,
  embedded: 'none',
  faq: 'none',
  canSimplify: false,
  canDefer: false,
}
const kinds = (cause: FallbackCause, means: FallbackMeans) => planFallback(cause, means).map(({ kind }) => kind)

test('with every circuit open, a cached answer comes first', () => {
  assert.deepEqual(kinds('circuits-open', EVERYTHING), ['cached', 'embedded', 'faq', 'message'])
})

test('a silent model is followed by a simplified try within five seconds', () => {
  assert.deepEqual(kinds('timeout', EVERYTHING), ['simplified', 'cached', 'embedded', 'faq', 'message'])
  assert.deepEqual(kinds('timeout', { ...EVERYTHING, canSimplify: false }), ['cached', 'embedded', 'faq', 'message'])
  assert.deepEqual(planFallback('timeout', EVERYTHING)[0], { kind: 'simplified', attempt: SIMPLIFIED })
  assert.equal(SIMPLIFIED.deadlineMs, 5000)
})

test('a blocked question gets the redirect, and no other source is tried', () => {
  assert.deepEqual(kinds('blocked', EVERYTHING), ['redirect'])
  assert.deepEqual(kinds('blocked', NOTHING), ['redirect'])
})

test('if every model is throttled the question is deferred, unless there is a good answer now', () => {
  assert.deepEqual(kinds('throttled', { ...NOTHING, canDefer: true }), ['defer', 'message'])
  assert.deepEqual(kinds('throttled', { ...NOTHING, canDefer: true, faq: 'likely' }), ['defer', 'faq', 'message'])
  assert.deepEqual(kinds('throttled', EVERYTHING), ['cached', 'embedded', 'faq', 'defer', 'message'])
  assert.deepEqual(kinds('throttled', { ...EVERYTHING, canDefer: false }), ['cached', 'embedded', 'faq', 'message'])
})

test('any other cause ends with the message', () => {
  assert.deepEqual(kinds('other', EVERYTHING), ['cached', 'embedded', 'faq', 'message'])
  assert.deepEqual(planFallback('other', NOTHING), [{ kind: 'message' }])
})

test('for every cause and all sources the last step always works, no step comes twice, and every step is possible', () => {
  const anyCause = fc.constantFrom<FallbackCause>('circuits-open', 'timeout', 'blocked', 'throttled', 'other')
  const anyMeans = fc.record({
    hasStale: fc.boolean(),
    embedded: fc.constantFrom<FallbackMeans['embedded']>('none', 'likely', 'sure'),
    faq: fc.constantFrom<FallbackMeans['faq']>('none', 'likely', 'sure'),
    canSimplify: fc.boolean(),
    canDefer: fc.boolean(),
  })
  fc.assert(
    fc.property(anyCause, anyMeans, (cause, means) => {
      const steps = kinds(cause, means)
      assert.equal(new Set(steps).size, steps.length)
      assert.ok(steps.at(-1) === 'message' || steps.at(-1) === 'redirect')
      if (!means.hasStale) assert.ok(!steps.includes('cached'))
      if (means.embedded === 'none') assert.ok(!steps.includes('embedded'))
      if (means.faq === 'none') assert.ok(!steps.includes('faq'))
      if (!means.canDefer) assert.ok(!steps.includes('defer'))
      if (!means.canSimplify) assert.ok(!steps.includes('simplified'))
      if (steps.includes('cached') && steps.includes('faq')) assert.ok(steps.indexOf('cached') < steps.indexOf('faq'))
    }),
  )
})

test('the cause follows from how all rungs of the ladder failed', () => {
  assert.equal(causeOf(['circuit-open', 'circuit-open']), 'circuits-open')
  assert.equal(causeOf(['throttled', 'throttled']), 'throttled')
  assert.equal(causeOf(['throttled', 'circuit-open']), 'throttled')
  assert.equal(causeOf(['saturated', 'circuit-open']), 'throttled')
  assert.equal(causeOf(['timeout', 'throttled']), 'timeout')
  assert.equal(causeOf(['internal', 'timeout']), 'timeout')
  assert.equal(causeOf(['timeout', 'blocked']), 'blocked')
  assert.equal(causeOf(['throttled', 'internal']), 'other')
  assert.equal(causeOf(['unavailable', 'circuit-open']), 'other')
  assert.equal(causeOf(['budget']), 'other')
  assert.equal(causeOf([]), 'other')
})
