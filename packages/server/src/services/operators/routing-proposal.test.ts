// What operators see of the saving: worked out behind the reader, and not more often than every hour.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { sampleRouting } from '#fixtures/turns/routing.ts'
import { readBundledTurns } from '#wiring/bundled-turns.ts'
import { createRoutingProposal } from './routing-proposal.ts'

const HOUR_MS = 3_600_000
const free = { inputMicroUsdPerMillion: 0, outputMicroUsdPerMillion: 0 }
const dear = { inputMicroUsdPerMillion: 3_000_000, outputMicroUsdPerMillion: 15_000_000 }

function setUp({ isDown = false }: { isDown?: boolean } = {}) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  let readings = 0
  const { routingProposal } = createRoutingProposal({
    clock,
    telemetry,
    priced: {
      routing: sampleRouting({ enabled: false }),
      ladder: ['primary', 'economy'],
      priceOf: (name) => (name === 'primary' ? dear : free),
    },
    turnRecords: {
      async *all() {
        readings += 1
        if (isDown) throw new Error('unavailable')
        yield* []
      },
    },
    bundledTurns: () => readBundledTurns(),
  })
  return { clock, telemetry, routingProposal, readings: () => readings }
}

test('no reader waits for it, it is there at the next reading, and it is worked out again after an hour', async () => {
  const { clock, readings, routingProposal } = setUp()
  assert.equal(routingProposal(), undefined)
  await waitUntil('it is known', () => routingProposal() !== undefined)
  assert.equal(routingProposal()?.source, 'bundled')
  assert.equal(readings(), 1)
  await clock.advance(HOUR_MS)
  assert.notEqual(routingProposal(), undefined)
  assert.equal(readings(), 2)
})

test('a store that is unavailable is reported, and asked again an hour later', async () => {
  const { clock, readings, routingProposal, telemetry } = setUp({ isDown: true })
  assert.equal(routingProposal(), undefined)
  await waitUntil('it is reported', () => telemetry.logged.some(({ event }) => event === 'routing.not-projected'))
  assert.equal(routingProposal(), undefined)
  assert.equal(readings(), 1)
  await clock.advance(HOUR_MS)
  assert.equal(routingProposal(), undefined)
  assert.equal(readings(), 2)
})
