// The steps that follow when no model has answered, for every cause and every combination of possible sources.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { causeOf, planFallback } from './fallback-plan.ts'
import type { FallbackCause, FallbackMeans } from './fallback-plan.ts'

const EVERYTHING: FallbackMeans = {
  hasStale: true,
  embedded: 'sure',
  faq: 'sure',
  canDefer: true,
}
const NOTHING: FallbackMeans = {
  hasStale: false,
  embedded: 'none',
  faq: 'none',
  canDefer: false,
}
const kinds = (cause: FallbackCause, means: FallbackMeans) => planFallback(cause, means).map(({ kind }) => kind)

test('a blocked question gets the redirect, and no other source is tried', () => {
  assert.deepEqual(kinds('blocked', EVERYTHING), ['redirect'])
  assert.deepEqual(kinds('blocked', NOTHING), ['redirect'])
})

for (const cause of ['circuits-open', 'timeout', 'throttled', 'failing'] as const) {
  test(`${cause}: a cached answer comes first, and the question is deferred, unless there is a good answer now`, () => {
    assert.deepEqual(kinds(cause, { ...NOTHING, canDefer: true }), ['defer', 'message'])
    assert.deepEqual(kinds(cause, { ...NOTHING, canDefer: true, faq: 'likely' }), ['defer', 'faq', 'message'])
    assert.deepEqual(kinds(cause, EVERYTHING), ['cached', 'embedded', 'faq', 'defer', 'message'])
    assert.deepEqual(kinds(cause, { ...EVERYTHING, canDefer: false }), ['cached', 'embedded', 'faq', 'message'])
  })
}

test('any other cause ends with the message', () => {
  assert.deepEqual(kinds('other', EVERYTHING), ['cached', 'embedded', 'faq', 'message'])
  assert.deepEqual(planFallback('other', NOTHING), [{ kind: 'message' }])
})

test('for every cause and all sources the last step always works, no step comes twice, and every step is possible', () => {
  const anyCause = fc.constantFrom<FallbackCause>(
    'circuits-open',
    'timeout',
    'blocked',
    'throttled',
    'failing',
    'other',
  )
  const anyMeans = fc.record({
    hasStale: fc.boolean(),
    embedded: fc.constantFrom<FallbackMeans['embedded']>('none', 'likely', 'sure'),
    faq: fc.constantFrom<FallbackMeans['faq']>('none', 'likely', 'sure'),
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
  assert.equal(causeOf(['throttled', 'internal']), 'failing')
  assert.equal(causeOf(['unavailable', 'circuit-open']), 'failing')
  assert.equal(causeOf(['unavailable', 'no-time']), 'timeout')
  assert.equal(causeOf(['unavailable', 'access-denied']), 'other')
  assert.equal(causeOf(['context-too-long', 'unavailable']), 'other')
  assert.equal(causeOf(['budget']), 'other')
  assert.equal(causeOf([]), 'other')
})
