// What is done when no model has answered, for every cause and whatever there is.
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

test('with every circuit open, an answer of before comes first', () => {
  assert.deepEqual(kinds('circuits-open', EVERYTHING), ['cached', 'embedded', 'faq', 'message'])
})

test('after a model’s silence comes a simplified try within five seconds', () => {
  assert.deepEqual(kinds('timeout', EVERYTHING), ['simplified', 'cached', 'embedded', 'faq', 'message'])
  assert.deepEqual(kinds('timeout', { ...EVERYTHING, canSimplify: false }), ['cached', 'embedded', 'faq', 'message'])
  assert.deepEqual(planFallback('timeout', EVERYTHING)[0], { kind: 'simplified', attempt: SIMPLIFIED })
  assert.equal(SIMPLIFIED.deadlineMs, 5000)
})

test('what was blocked is redirected, and nothing is tried around it', () => {
  assert.deepEqual(kinds('blocked', EVERYTHING), ['redirect'])
  assert.deepEqual(kinds('blocked', NOTHING), ['redirect'])
})

test('throttled throughout, the question is kept, unless there is a good answer now', () => {
  assert.deepEqual(kinds('throttled', { ...NOTHING, canDefer: true }), ['defer', 'message'])
  assert.deepEqual(kinds('throttled', { ...NOTHING, canDefer: true, faq: 'likely' }), ['defer', 'faq', 'message'])
  assert.deepEqual(kinds('throttled', EVERYTHING), ['cached', 'embedded', 'faq', 'defer', 'message'])
  assert.deepEqual(kinds('throttled', { ...EVERYTHING, canDefer: false }), ['cached', 'embedded', 'faq', 'message'])
})

test('anything else ends with the message', () => {
  assert.deepEqual(kinds('other', EVERYTHING), ['cached', 'embedded', 'faq', 'message'])
  assert.deepEqual(planFallback('other', NOTHING), [{ kind: 'message' }])
})

test('whatever the cause and the means, the last step always works, none comes twice, and none is out of reach', () => {
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

test('the cause is what the whole ladder says', () => {
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
