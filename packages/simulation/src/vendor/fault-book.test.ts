// The choice of faults for each attempt, and its dependence on the seed only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FaultBook } from './fault-book.ts'
import type { VendorFault } from './faults.ts'
import { readCall } from './read-call.ts'

const call = (model = 'm', maxTokens = 10) =>
  readCall(
    { api: 'converse-stream', model },
    { messages: [{ role: 'user', content: [{ text: 'hi' }] }], inferenceConfig: { maxTokens } },
    {},
  )

function bookOf(faults: readonly VendorFault[], seed = 1) {
  const book = new FaultBook(seed)
  book.set(faults, 0)
  return (now = 0, model = 'm', load = 1) => book.plan({ call: call(model), now, load })
}

test('a fault applies once, from a given attempt on, or for a given time', () => {
  const strikes = (fault: VendorFault, moments: readonly number[]) => {
    const plan = bookOf([fault])
    return moments.map((now) => (plan(now).refusal ? 'x' : '.')).join('')
  }
  assert.equal(strikes({ fault: 'reset' }, [0, 1, 2]), 'xxx')
  assert.equal(strikes({ fault: 'reset', times: 1 }, [0, 1, 2]), 'x..')
  assert.equal(strikes({ fault: 'reset', skip: 1, times: 1 }, [0, 1, 2]), '.x.')
  assert.equal(strikes({ fault: 'reset', forMs: 100 }, [0, 99, 100]), 'xx.')
})

test('each fault draws its chance independently from the seed', () => {
  const draw = (seed: number, ...others: VendorFault[]) => {
    const plan = bookOf([{ fault: 'stall', chance: 0.5 }, ...others], seed)
    return Array.from({ length: 40 }, () => (plan().incidents.some(({ fault }) => fault === 'stall') ? 'x' : '.')).join(
      '',
    )
  }
  assert.equal(draw(1), draw(1))
  assert.notEqual(draw(1), draw(2))
  assert.equal(draw(1), draw(1, { fault: 'cut', chance: 0.5 }))
  assert.match(draw(1), /x.*\..*x|\..*x.*\./)
})

test('a refusing fault applies alone; faults that change an answer combine', () => {
  const shaping: VendorFault[] = [
    { fault: 'usage', shape: 'zero' },
    { fault: 'malformed' },
    { fault: 'missing-end', only: 'last' },
    { fault: 'slow-first-token', ms: 5 },
  ]
  const both = bookOf([...shaping, { fault: 'error', error: 'internal', times: 1 }])
  assert.deepEqual(both().faults, ['error'])
  const plan = both()
  assert.deepEqual(plan.faults, ['usage', 'malformed', 'missing-end', 'slow-first-token'])
  assert.deepEqual([plan.usage.shape, plan.missingEnd, plan.firstTokenMs], ['zero', 'last', 5])
})

test('a quota counts by model, sends a retry-after, and is not used by calls that another fault refuses', () => {
  const plan = bookOf([
    { fault: 'error', error: 'internal', times: 1 },
    { fault: 'quota', requests: 2, windowMs: 10_000 },
  ])
  assert.equal(plan(0).faults[0], 'error')
  assert.equal(plan(0).refusal, undefined)
  assert.equal(plan(4000).refusal, undefined)
  const refusal = plan(4001).refusal
  assert.deepEqual(refusal, { kind: 'error', error: 'throttled', changes: { retryAfterSeconds: 6 } })
  assert.equal(plan(4001, 'other').refusal, undefined)
  assert.equal(plan(10_000).refusal, undefined)
})

test('a call that exceeds one of two quotas uses nothing of the other', () => {
  const plan = bookOf([
    { fault: 'quota', requests: 2, windowMs: 10_000 },
    { fault: 'quota', requests: 1, windowMs: 1000 },
  ])
  assert.equal(plan(0).refusal, undefined)
  assert.ok(plan(1).refusal)
  assert.equal(plan(1000).refusal, undefined)
  assert.ok(plan(2000).refusal)
})

test('an output token can count as more than one', () => {
  // Reserved: 4 in + 10 × 5 out. Settled: 4 in + 2 × 5 out.
  const plan = bookOf([{ fault: 'quota', tokens: 68, outputWeight: 5 }])
  const first = plan()
  assert.equal(first.refusal, undefined)
  assert.ok(plan().refusal)
  first.settle(2)
  assert.equal(plan().refusal, undefined)
})

test('a brownout grows with the load beyond its slots', () => {
  const plan = bookOf([{ fault: 'brownout', slots: 4 }])
  assert.deepEqual(
    [1, 4, 8, 12].map((load) => plan(0, 'm', load).slowdown),
    [1, 1, 4, 9],
  )
})

test('faults that have ended are not listed', () => {
  const book = new FaultBook(1)
  book.set([{ fault: 'reset', times: 1 }, { fault: 'stall', forMs: 10 }, { fault: 'malformed' }], 0)
  book.plan({ call: call(), now: 0, load: 1 })
  book.plan({ call: call(), now: 0, load: 1 })
  assert.deepEqual(book.list(20), [{ fault: { fault: 'malformed' }, hits: 1 }])
})
