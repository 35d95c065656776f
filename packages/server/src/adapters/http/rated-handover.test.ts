// Limits the rate of calls to a person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryHandover } from '#adapters/memory/handover.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { handoverContract, SAMPLE_CALL } from '#ports/handover/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { ratedHandover } from './rated-handover.ts'

function setUp(perMinuteMax: number, options = { withText: false, underWayMax: 100 }) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const inner = memoryHandover(options)
  return { clock, telemetry, inner, handover: ratedHandover(inner, { clock, telemetry, perMinuteMax }) }
}

handoverContract('rated handover', async (_context, options) => {
  const { handover, inner } = setUp(100, options)
  return { handover, arrived: () => inner.calls }
})

test('an outage that fails a hundred turns calls a person only as often as the rate allows, and later again', async () => {
  const { clock, inner, handover, telemetry } = setUp(6)
  const call = (number: number) => handover.call({ ...SAMPLE_CALL, turnId: `turn_${number}` })
  for (let number = 0; number < 100; number += 1) await call(number)
  assert.deepEqual([inner.calls.length, handover.isFree()], [6, false])
  assert.equal(telemetry.counted.filter(({ fields }) => fields['outcome'] === 'rate-limited').length, 94)
  await clock.advance(10_000)
  assert.equal(handover.isFree(), true)
  assert.equal(await call(100), 'delivered')
  assert.equal(await call(101), 'busy')
})

test('checking whether a person can be called uses nothing of the rate', () => {
  const { handover } = setUp(1)
  for (let reads = 0; reads < 10; reads += 1) assert.equal(handover.isFree(), true)
})
