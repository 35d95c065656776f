// The overview of a whole app: what its nodes did in the last minute, and what is shown while stores fail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '#app/app.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'

const MINUTE_MS = 60_000

test('questions, ended turns, first words and refusals are counted, and leave the last minute with time', async () => {
  const ports = await testPorts()
  const app = createApp(ports, testConfig)
  await app.chat(sampleReceived())
  app.noteRefusal('RATE_LIMITED')
  await ports.clock.advance(20_000)
  const { halfHour, lanes, mode, nodes, spending, sum } = await app.admin.overview()
  assert.deepEqual([sum.questions, sum.turns, sum.refused, sum.refusals], [1, 1, 1, { RATE_LIMITED: 1 }])
  assert.ok(sum.firstWordsP50Ms !== null)
  assert.deepEqual([nodes.length, nodes[0]?.self, nodes[0]?.questions, mode], [1, true, 1, 'normal'])
  assert.deepEqual([halfHour?.turns, halfHour?.degraded, halfHour?.refused], [1, 0, 1])
  assert.ok(halfHour !== null && halfHour.coveredMs >= 10_000 && halfHour.firstWordsP95Ms !== null)
  assert.ok(lanes.some(({ models }) => models.includes('embedded')))
  assert.deepEqual(
    spending.map(({ account, limitMicroUsd }) => [account, limitMicroUsd]),
    [
      ['store', testConfig.budgets.storeMicroUsdPerDay],
      ['guests', testConfig.budgets.guestsMicroUsdPerDay],
    ],
  )
  await ports.clock.advance(2 * MINUTE_MS)
  const later = await app.admin.overview()
  assert.deepEqual([later.sum.questions, later.sum.firstWordsP50Ms], [0, null])
  assert.equal(
    later.history.reduce((all, step) => all + step.questions, 0),
    1,
  )
  await app.drain()
})

test('all callers within a second share one reading, and a failed one is not kept', async () => {
  const ports = await testPorts()
  let announcements = 0
  let isAvailable = true
  const registry = withVerbs(ports.registry, {
    announce: (state) => {
      announcements += 1
      return isAvailable ? ports.registry.announce(state) : Promise.reject(new Error('broken'))
    },
  })
  const app = createApp({ ...ports, registry }, testConfig)
  await Promise.all(Array.from({ length: 50 }, () => app.admin.overview()))
  assert.equal(announcements, 1)
  await ports.clock.advance(1000)
  isAvailable = false
  await assert.rejects(app.admin.overview(), { message: 'broken' })
  isAvailable = true
  assert.equal((await app.admin.overview()).nodes.length, 1)
  await app.drain()
})

test('while stores are unavailable the nodes are shown as last seen, and spending as unknown', async () => {
  const ports = await testPorts()
  let isAvailable = true
  const lost = () => Promise.reject(new StoreUnavailable('gone', { mayHaveHappened: false }))
  const registry = withVerbs(ports.registry, {
    announce: (state) => (isAvailable ? ports.registry.announce(state) : lost()),
  })
  const spendChunks = withVerbs(ports.spendChunks, {
    taken: (account) => (isAvailable ? ports.spendChunks.taken(account) : lost()),
  })
  const app = createApp({ ...ports, registry, spendChunks }, testConfig)
  assert.equal((await app.admin.overview()).spending[0]?.reservedMicroUsd, 0)
  isAvailable = false
  await ports.clock.advance(1000)
  const { nodes, spending } = await app.admin.overview()
  assert.deepEqual([nodes.length, nodes[0]?.leader, spending[0]?.reservedMicroUsd], [1, false, null])
  await app.drain()
})
