// Whether a failed attempt is retried, and when.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ModelErrorClass } from '../model/model-part.ts'
import { controllerDelays, pressureDelays } from './delays.ts'
import { planRetry, retryDefaults } from './plan-retry.ts'
import type { FailedTry, RetryMoment } from './plan-retry.ts'
import { attemptsAfter } from './retryable.ts'

const failed = (over: Partial<FailedTry> = {}): FailedTry => ({
  failure: { class: 'unavailable' },
  attemptsOnModel: 1,
  attemptsOfTurn: 1,
  level: 'normal',
  delays: controllerDelays('none'),
  ...over,
})
const moment = (over: Partial<RetryMoment> = {}): RetryMoment => ({
  now: 0,
  firstWordBy: 20_000,
  typicalMs: 1000,
  float: 0.5,
  ...over,
})
const whyNot = (over: Partial<FailedTry>, at: Partial<RetryMoment> = {}) => {
  const plan = planRetry(failed(over), moment(at))
  return plan.kind === 'retry' ? plan.delayMs : plan.why
}

const CLASSES: readonly ModelErrorClass[] = [
  'throttled',
  'timeout',
  'unavailable',
  'internal',
  'stream-broken',
  'not-ready',
  'connection',
  'invalid',
  'access-denied',
  'not-found',
  'context-too-long',
  'blocked',
  'cancelled',
]

test('only failures that can pass are retried, and a silent model is not asked twice', () => {
  assert.deepEqual(
    CLASSES.filter((errorClass) => attemptsAfter(errorClass) > 1),
    ['throttled', 'unavailable', 'internal', 'stream-broken', 'not-ready', 'connection'],
  )
  assert.equal(whyNot({ failure: { class: 'timeout' } }), 'not-retryable')
  assert.equal(whyNot({ failure: { class: 'invalid' } }), 'not-retryable')
})

test('there are as many attempts a model and a turn as the settings allow: three and five', () => {
  assert.equal(whyNot({ attemptsOnModel: 2, attemptsOfTurn: 4 }), 200)
  assert.equal(whyNot({ attemptsOnModel: 3, attemptsOfTurn: 3 }), 'attempts')
  assert.equal(whyNot({ attemptsOnModel: 1, attemptsOfTurn: 5 }), 'attempts')
  const more = { attemptsPerModelMax: 6, attemptsPerTurnMax: 6 }
  assert.equal(planRetry(failed({ attemptsOnModel: 5, attemptsOfTurn: 5 }), moment(), more).kind, 'retry')
  assert.equal(planRetry(failed({ attemptsOnModel: 6, attemptsOfTurn: 6 }), moment(), more).kind, 'give-up')
  const fewer = { ...retryDefaults, attemptsPerModelMax: 2 }
  assert.equal(planRetry(failed({ attemptsOnModel: 2, attemptsOfTurn: 2 }), moment(), fewer).kind, 'give-up')
})

test('the provider’s Retry-After is a minimum, and callers with the same Retry-After do not retry in step', () => {
  const at = (float: number) => whyNot({ failure: { class: 'throttled', retryAfterMs: 4000 } }, { float }) as number
  assert.deepEqual([at(0), at(0.5)], [4000, 4500])
  assert.equal(whyNot({ failure: { class: 'throttled', retryAfterMs: 10 } }), 1000)
})

test('a Retry-After past the deadline means no retry; a delay of our own is cut to the time left', () => {
  assert.equal(
    whyNot({ failure: { class: 'throttled', retryAfterMs: 4000 } }, { firstWordBy: 4900, float: 0 }),
    'deadline',
  )
  assert.equal(whyNot({ failure: { class: 'throttled' } }, { firstWordBy: 1700 }), 700)
  assert.equal(whyNot({}, { firstWordBy: 999 }), 'deadline')
})

test('a level that allows no retries gets none', () => {
  assert.equal(whyNot({ delays: pressureDelays(), level: 'open' }), 'level')
})

test('no retry starts too late for the deadline or before the provider’s Retry-After', () => {
  const anyTry = fc.record({
    errorClass: fc.constantFrom(...CLASSES),
    retryAfterMs: fc.option(fc.nat(30_000), { nil: 0 }),
    attempts: fc.integer({ min: 1, max: 6 }),
    float: fc.double({ min: 0, max: 0.999, noNaN: true }),
    firstWordBy: fc.integer({ min: -1000, max: 30_000 }),
    typicalMs: fc.nat(10_000),
  })
  fc.assert(
    fc.property(anyTry, ({ errorClass, retryAfterMs, attempts, float, firstWordBy, typicalMs }) => {
      const delays = controllerDelays('decorrelated')
      const counted = { attemptsOnModel: attempts, attemptsOfTurn: attempts, delays }
      const at = moment({ float, firstWordBy, typicalMs })
      const plan = planRetry(failed({ ...counted, failure: { class: errorClass, retryAfterMs } }), at)
      if (plan.kind === 'give-up') return
      assert.ok(plan.delayMs >= retryAfterMs && plan.delayMs + typicalMs <= firstWordBy && attempts < 3)
    }),
  )
})
