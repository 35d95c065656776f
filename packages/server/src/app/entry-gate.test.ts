// The entry gate: what it refuses, and that a refusal returns the slot and the rates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { quotaState } from '#fixtures/edge/edge.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { changedSettings } from '#fixtures/turns/normal-settings.ts'
import { Refusal } from '#domain/refusal.ts'
import { createEntryGate } from './entry-gate.ts'
import { Pressure } from './pressure/pressure.ts'
import { NO_SCOPE } from '#ports/telemetry/plain-scope.ts'
import type { Scope } from '#ports/telemetry/port.ts'

const nothing = { perSecond: 0.001, burst: 1 }

function setUp({ runningMax = 2, chat = testConfig.rates.chat } = {}) {
  const clock = manualClock()
  const pressure = new Pressure()
  const state = { waiting: 0 }
  const settings = changedSettings()
  const gate = createEntryGate({
    clock,
    random: seededRandom(1),
    telemetry: memoryTelemetry(),
    rateChunks: memoryRateChunks({ clock }),
    settings,
    queue: { size: () => state.waiting, drainMs: () => 4000 },
    pressure,
    config: {
      ...testConfig,
      turns: { ...testConfig.turns, runningMax },
      rates: { ...testConfig.rates, chat },
    },
  })
  const enter = async (admit: (full?: Refusal) => Promise<string> = async () => 'in', scope: Scope = NO_SCOPE) => {
    const asked = { scope, principal: { tier: 'premium' } }
    const entered = await gate.enter(['global', 'chat'], asked, async (full) => ({
      said: await admit(full),
      quota: quotaState,
    }))
    return entered.said
  }
  return { gate, pressure, settings, state, enter }
}

const refusedAs = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

test('a request is admitted while the service is open', async () => {
  const { enter } = setUp()
  assert.equal(await enter(), 'in')
})

test('draining, maintenance and a full queue refuse before anything is taken', async () => {
  const { gate, pressure, settings, state, enter } = setUp()
  const admit = async () => assert.fail('was admitted')
  settings.current = 'maintenance'
  await assert.rejects(enter(admit), refusedAs('MAINTENANCE'))
  settings.current = 'read-only'
  await assert.rejects(enter(admit), (error) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual([error.code, error.details], ['MAINTENANCE', { reason: 'read-only' }])
    return true
  })
  settings.current = 'reduced'
  assert.equal(await enter(), 'in')
  settings.current = 'normal'
  state.waiting = testConfig.queue.entriesMax
  assert.equal(await enter(async (full) => full?.code ?? 'none'), 'QUEUE_FULL', 'admission knows, and decides')
  state.waiting = 0
  gate.close(false)
  await assert.rejects(enter(admit), refusedAs('MAINTENANCE'))
  assert.deepEqual([gate.draining.aborted, pressure.now.action, gate.slots.room], [true, 'pause', 2])
})

test('a node that drains admits until it is closed, and says then whether another one answers', async () => {
  for (const [hasOthers, reason, retryAfterMs] of [
    [true, 'draining', 0],
    [false, 'restarting', testConfig.server.drainMs],
  ] as const) {
    const { gate, pressure, enter } = setUp()
    gate.drain()
    assert.deepEqual([gate.draining.aborted, gate.closed(), pressure.now.action], [true, undefined, 'none'])
    assert.equal(await enter(), 'in')
    gate.close(hasOthers)
    await assert.rejects(enter(), (error) => {
      assert.ok(error instanceof Refusal)
      assert.deepEqual([error.details, error.retryAfterMs, error], [{ reason }, retryAfterMs, gate.closed()])
      return true
    })
  }
})

test('the slot is held until the admission ends, and is free after a refusal too', async () => {
  const { gate, enter } = setUp({ runningMax: 1 })
  const admitting = Promise.withResolvers<string>()
  const first = enter(() => admitting.promise)
  await assert.rejects(enter(), refusedAs('QUEUE_FULL'))
  admitting.reject(new Refusal('QUOTA_EXCEEDED'))
  await assert.rejects(first, refusedAs('QUOTA_EXCEEDED'))
  assert.equal(gate.slots.room, 1)
  assert.equal(await enter(), 'in')
})

test('a request that admission refuses returns its part of the shared rates', async () => {
  const { enter } = setUp({ chat: nothing })
  await assert.rejects(
    enter(() => Promise.reject(new Refusal('QUOTA_EXCEEDED'))),
    refusedAs('QUOTA_EXCEEDED'),
  )
  assert.equal(await enter(), 'in')
  await assert.rejects(enter(), refusedAs('RATE_LIMITED'))
})

test('admission is a span with the tier and the limits: a refusal is no failure of it', async () => {
  const { enter, settings } = setUp()
  const telemetry = memoryTelemetry()
  const scope = telemetry.scope({ door: 'ws', name: 'chat' })
  const usedUp = new Refusal('QUOTA_EXCEEDED', { details: { scope: 'day-cost' }, quota: quotaState })
  await enter(undefined, scope)
  await assert.rejects(enter(() => Promise.reject(usedUp), scope))
  await assert.rejects(enter(() => Promise.reject(new Error('a defect')), scope))
  settings.current = 'maintenance'
  await assert.rejects(enter(undefined, scope), refusedAs('MAINTENANCE'))
  const limits = [quotaState.limit.inputTokens, quotaState.limit.costMicroUsd, quotaState.requestsPerMinute.limit]
  const unknown = [undefined, undefined, undefined]
  assert.deepEqual(
    telemetry.spans.map(({ attributes, name, outcome }) => [
      name,
      outcome,
      attributes['userTier'],
      attributes['limitScope'],
      attributes['limitInputTokens'],
      attributes['limitCostMicroUsd'],
      attributes['limitRequestsPerMinute'],
    ]),
    [
      ['admission', 'completed', 'premium', undefined, ...limits],
      ['admission', 'refused', 'premium', 'day-cost', ...limits],
      ['admission', 'failed', 'premium', undefined, ...unknown],
      ['admission', 'refused', 'premium', undefined, ...unknown],
    ],
  )
})
