// Models with a finite capacity over HTTP: the region itself is tested with the provider.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { manualClock } from '@mangaassist/server/fixtures/time/manual-clock'
import { waitUntil } from '@mangaassist/server/fixtures/time/wait-until'
import type { Capacity } from '../provider/habits.ts'
import { simulatorFor } from './testing/clients.ts'
import { listener, MODEL, STREAM_APIS } from './testing/listeners.ts'

const CAPACITY: Capacity = { slots: 2, tokensPerMinute: 1_000_000, firstTokenMs: 500, tokensPerSecond: [1, 1] }
/** Longer than any answer that needs no slot of another. */
const ANSWERED_MS = 300_000

async function world(context: TestContext) {
  const clock = manualClock()
  const simulator = await simulatorFor(context, { clock, regions: { [MODEL]: CAPACITY } })
  const running = () => simulator.attempts().filter(({ outcome }) => outcome === 'running')
  const speaking = () => running().filter(({ status }) => status === 200).length
  return { clock, simulator, running, speaking }
}

for (const api of STREAM_APIS) {
  test(`a model with a capacity streams a whole answer: ${api}`, async (context) => {
    const { clock, running, simulator } = await world(context)
    const asked = listener(context, simulator, api)({ question: 'a quiet story' })
    await waitUntil('the calls have arrived', () => running().length === 1)
    await clock.advance(ANSWERED_MS)
    const { error, isEnded, text } = await asked
    assert.deepEqual([error, isEnded], [undefined, true])
    assert.ok(text.length > 0)
    const [attempt] = simulator.attempts()
    assert.deepEqual([attempt?.outcome, attempt?.status], ['answered', 200])
  })
}

test('a call beyond the slots waits for one, and in a brownout beyond fewer slots', async (context) => {
  const { clock, running, simulator, speaking } = await world(context)
  const ask = listener(context, simulator, 'chat-stream')
  const first = [ask({ question: '1' }), ask({ question: '2' }), ask({ question: '3' })]
  await waitUntil('the calls have arrived', () => running().length === 3)
  // Every first word has come within this, and no answer has ended.
  await clock.advance(CAPACITY.firstTokenMs * 4)
  await waitUntil('those with a slot speak', () => speaking() === 2)
  await clock.advance(ANSWERED_MS)
  await clock.advance(ANSWERED_MS)
  await Promise.all(first)
  simulator.health(MODEL, { slotShare: 0.5 })
  const second = [ask({ question: '1' }), ask({ question: '2' })]
  await waitUntil('the calls have arrived', () => running().length === 2)
  await clock.advance(CAPACITY.firstTokenMs * 4)
  await waitUntil('those with a slot speak', () => speaking() === 1)
  await clock.advance(ANSWERED_MS)
  await clock.advance(ANSWERED_MS)
  assert.deepEqual(
    (await Promise.all(second)).map(({ isEnded }) => isEnded),
    [true, true],
  )
})

test('without quota a model answers 429, in an outage 5xx, and healed it answers again', async (context) => {
  const { clock, running, simulator } = await world(context)
  const ask = listener(context, simulator, 'chat-stream')
  const statusOf = async () => {
    const asked = ask({ question: 'one' })
    await waitUntil('the calls have arrived', () => running().length === 1)
    await clock.advance(ANSWERED_MS)
    return (await asked).error?.status
  }
  assert.equal(await statusOf(), undefined)
  simulator.health(MODEL, { errorShare: 1 })
  assert.match(String(await statusOf()), /^50[03]$/)
  simulator.health(MODEL, { quotaShare: 0 })
  assert.equal(await statusOf(), 429)
  simulator.heal()
  assert.equal(await statusOf(), undefined)
})

test('the control api sets the health of a model with a capacity, and names what is wrong', async (context) => {
  const { simulator } = await world(context)
  const set = async (health: object) => {
    const response = await fetch(`${simulator.url}/_sim/health`, { method: 'POST', body: JSON.stringify(health) })
    return [response.status, JSON.stringify(await response.json())] as const
  }
  assert.equal((await set({ model: MODEL, errorShare: 1 }))[0], 200)
  assert.match((await set({ model: 'other', errorShare: 1 })).join(' '), /400 .*has no region/)
  assert.match((await set({ model: MODEL, errorShare: 2 })).join(' '), /400 .*health\.errorShare/)
})
