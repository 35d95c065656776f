// The time of every store's calls, by data, technology and verb; and the port behaves as before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import type { Stores } from './store-parts.ts'
import { timedStores } from './timed-stores.ts'

class Sessions {
  #read = 0
  readonly waiting = 3

  async find(id: string, waitMs: Promise<unknown>): Promise<string> {
    await waitMs
    this.#read += 1
    return `${id} ${this.#read}`
  }

  async fail(): Promise<never> {
    throw new Error('no store')
  }

  sync(): number {
    return this.#read
  }
}

test('each verb that waits is measured, with its error too, and private state still works', async () => {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const given = { sessions: new Sessions(), lanes: new Sessions() } as unknown as Stores
  const stores = timedStores({ clock, telemetry }, given, chosenStores(testConfig))
  const sessions = stores.sessions as unknown as Sessions
  const found = sessions.find('s1', clock.sleep(250))
  await clock.advance(250)
  assert.equal(await found, 's1 1')
  await assert.rejects(sessions.fail(), /no store/)
  assert.deepEqual([sessions.sync(), sessions.waiting], [1, 3])
  await (stores.lanes as unknown as Sessions).find('l1', Promise.resolve())
  assert.deepEqual(
    telemetry.observed.map(({ fields, name, value }) => [name, value, fields]),
    [
      ['store_call_seconds', 0.25, { store: 'sessions', technology: 'sqlite', verb: 'find' }],
      ['store_call_seconds', 0, { store: 'sessions', technology: 'sqlite', verb: 'fail' }],
    ],
  )
})
