// Blocks on several nodes over one store: when they apply, who made them, and what happens while the store fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryAdminStore } from '#adapters/memory/admin-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { BLOCKS_MAX } from '#domain/blocks/block-book.ts'
import { fails, withVerbs } from '#fixtures/stores/ports.ts'
import { testConfig as config } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { createBlockQueries, createBlocks } from './blocks.ts'
import { createPrincipalLimits } from '../principal-limits.ts'

const AKI = { by: 'aki', reason: 'a test' }
const HOUR_MS = 3_600_000

function setUp() {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const store = memoryAdminStore()
  const state = { isUnavailable: false }
  const admin = withVerbs(store, {
    overrides: (version) => (state.isUnavailable ? fails() : store.overrides(version)),
    setSetting: (name, setting, change) => (state.isUnavailable ? fails() : store.setSetting(name, setting, change)),
  })
  const node = () => {
    const limits = createPrincipalLimits({ admin, clock, config, telemetry })
    const blocks = createBlocks({ clock, limits, telemetry })
    const queries = createBlockQueries({ admin, blocks, clock, limits, telemetry })
    const block = (target: string, expiresAt?: number) =>
      queries.block({ target, callerAddress: '192.0.2.1', ...(expiresAt === undefined ? {} : { expiresAt }) }, AKI)
    return { ...blocks, ...queries, block, poll: limits.poll }
  }
  return { clock, node, state, store, telemetry }
}

test('a block applies at once where it was made, with the next poll elsewhere, and after a restart', async () => {
  const { node, store, telemetry } = setUp()
  const [one, two] = [node(), node()]
  await two.poll()
  const line = await one.block('user:shop:42')
  assert.deepEqual(
    [line.action, line.subject, line.by, line.reason, line.before],
    ['blocked', 'user:shop:42', 'aki', 'a test', null],
  )
  const seen = () => [one, two].map(({ isPrincipalBlocked }) => isPrincipalBlocked('user:shop:42'))
  assert.deepEqual(seen(), [true, false])
  await two.poll()
  assert.deepEqual(seen(), [true, true])
  const restarted = node()
  await restarted.poll()
  assert.ok(restarted.isPrincipalBlocked('user:shop:42'))
  const removed = await two.unblock('user:shop:42', { by: 'ben', reason: 'talked to him' })
  assert.deepEqual([removed.action, (removed.before as { by: string }).by, removed.after], ['unblocked', 'aki', null])
  assert.equal((await store.audit({ limit: 10, subject: 'user:shop:42' })).length, 2)
  // The log names neither people nor addresses.
  assert.doesNotMatch(JSON.stringify(telemetry.logged), /user:shop:42/)
})

test('a block ends by itself and is no longer listed; a second block of a target replaces the first', async () => {
  const { clock, node } = setUp()
  const one = node()
  await one.block('203.0.113.0/24', clock.now() + HOUR_MS)
  const again = await one.block('203.0.113.77/24', clock.now() + 2 * HOUR_MS)
  assert.notEqual(again.before, null)
  assert.deepEqual(
    (await one.blocks()).map(({ target, until }) => [target, until]),
    [['203.0.113.0/24', new Date(clock.now() + 2 * HOUR_MS).toISOString()]],
  )
  await clock.advance(HOUR_MS)
  assert.ok(one.isAddressBlocked('203.0.113.5'))
  await clock.advance(HOUR_MS)
  assert.ok(!one.isAddressBlocked('203.0.113.5'))
  assert.deepEqual(await one.blocks(), [])
})

test('while the store is unavailable the last known blocks apply, and a change is refused', async () => {
  const { node, state } = setUp()
  const one = node()
  await one.block('guest_1')
  state.isUnavailable = true
  await one.poll()
  assert.ok(one.isPrincipalBlocked('guest_1'))
  assert.equal((await one.blocks()).length, 1)
  await assert.rejects(one.block('guest_2'))
  assert.ok(!one.isPrincipalBlocked('guest_2'))
})

test('beyond the limit nothing is added, and what is blocked can be changed and removed', async () => {
  const { node } = setUp()
  const one = node()
  for (let number = 0; number < BLOCKS_MAX; number += 1) await one.block(`guest_${number}`)
  await assert.rejects(one.block('guest_new'), { code: 'INVALID_REQUEST' })
  await one.block('guest_7')
  await one.unblock('guest_8', AKI)
  await one.block('guest_new')
  await assert.rejects(one.unblock('guest_8', AKI), { code: 'NOT_FOUND' })
})
