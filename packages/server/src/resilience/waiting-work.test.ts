// Writes that wait for the shared store: claims are sent at once, each by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleAsk, TODAY } from '#fixtures/turns/samples.ts'
import { WaitingWork } from './waiting-work.ts'

const { ask: granted, idempotency } = sampleAsk()
const hold = (id: string) => ({ id, principalId: 'guest_1', sessionId: 'sess_1', day: TODAY, granted })

test('a claim is sent at once, even when earlier claims are unanswered', async () => {
  const clock = manualClock()
  const sent: string[] = []
  const { promise: never } = Promise.withResolvers<void>()
  const shared = {
    claim({ id }: { readonly id: string }) {
      sent.push(id)
      return id === 'turn_1' ? never : Promise.reject(new Error('not answered'))
    },
    release: () => Promise.resolve(),
    forgetClaim: () => Promise.resolve(),
  }
  const work = new WaitingWork({ clock, shared, telemetry: memoryTelemetry() })
  for (const id of ['turn_1', 'turn_2', 'turn_3']) work.claim(hold(id), idempotency)
  assert.deepEqual(sent, ['turn_1', 'turn_2', 'turn_3'])
})
