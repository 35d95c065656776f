// A call at the start is repeated while the store is late, waits while its circuit is open, and fails in the end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { patiently } from './patiently.ts'

const late = () => new StoreUnavailable('it is late')
const refused = () => new StoreUnavailable('it keeps not answering', { mayHaveHappened: false })

/** Fails with these errors in turn, then answers. */
function failing(errors: readonly StoreUnavailable[]) {
  let calls = 0
  const call = async () => {
    const error = errors[calls]
    calls += 1
    if (error !== undefined) throw error
    return 'answer'
  }
  return { call, calls: () => calls }
}

test('four late answers are forgiven, and the fifth is the end', async () => {
  assert.equal(await patiently(failing([late(), late(), late(), late()]).call), 'answer')
  const dead = failing(Array.from({ length: 9 }, late))
  await assert.rejects(patiently(dead.call), /it is late/)
  assert.equal(dead.calls(), 5)
})

test('a call that the circuit refuses waits until it is let through', async () => {
  const clock = manualClock()
  const { call, calls } = failing([late(), late(), ...Array.from({ length: 20 }, refused)])
  const answering = patiently(call, clock)
  await clock.advance(1900)
  assert.equal(calls() < 23, true)
  await clock.advance(200)
  assert.equal(await answering, 'answer')
})
