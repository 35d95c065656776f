// A prewarm that is asked for by an event, with a store that may lose its reply.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTasks } from '#adapters/memory/tasks.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { Tasks } from '#ports/tasks/port.ts'
import { createPrewarmRequests } from './prewarm-requests.ts'

test('an event whose first delivery lost the reply of the store is prewarmed by the next delivery', async () => {
  const clock = manualClock()
  const stored = memoryTasks({ clock })
  let isLost = true
  let ids = 0
  const take: Tasks['take'] = async (...asked) => {
    const taken = await stored.take(...asked)
    if (!isLost) return taken
    isLost = false
    throw new StoreUnavailable('the reply was late', { mayHaveHappened: true })
  }
  const days: string[] = []
  const requests = createPrewarmRequests({
    admin: { note: async (entry) => ({ ...entry, number: 1 }) },
    clock,
    random: { id: (prefix) => `${prefix}_${(ids += 1)}` },
    tasks: { take },
    telemetry: memoryTelemetry(),
    config: { store: { timeZone: 'Asia/Tokyo' } as never },
    ask: (day) => days.push(day),
  })
  const event = { id: 'e1', source: 'aws.events', time: new Date(clock.now()).toISOString(), detail: {} } as never
  await assert.rejects(requests.prewarmByEvent(event, 'eventbridge'), StoreUnavailable)
  const { day, outcome } = await requests.prewarmByEvent(event, 'eventbridge')
  assert.deepEqual([outcome, days], ['repeated', [day]])
})
