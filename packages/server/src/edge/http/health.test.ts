// Readiness depends on what the server needs; the models' state is only shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { Readiness } from './health.ts'

function ready(database: () => Promise<Record<string, number>>) {
  const models = () => ({ 'model:primary': { status: 'error', reason: 'unavailable' } }) as const
  const readiness = new Readiness({ clock: manualClock(), probes: { database }, models })
  readiness.state = 'ready'
  return readiness.report()
}

test('a failing model is shown and leaves the server ready, because lower tiers answer', async () => {
  assert.deepEqual(await ready(async () => ({ wroteMs: 1 })), {
    ready: true,
    status: 'ready',
    mode: 'normal',
    dependencies: {
      database: { wroteMs: 1, status: 'ok' },
      'model:primary': { status: 'error', reason: 'unavailable' },
    },
  })
})

test('without a required dependency the server is not ready', async () => {
  const report = await ready(() => Promise.reject(new Error('disk full')))
  assert.deepEqual([report.ready, report.status, report.dependencies.database], [false, 'degraded', { status: 'down' }])
})

test('without an optional dependency the server is ready and reports degraded', async () => {
  const redis = () => Promise.reject(new Error('gone'))
  const database = async () => ({ wroteMs: 1 })
  const readiness = new Readiness({ clock: manualClock(), probes: { database }, optionalProbes: { redis } })
  readiness.state = 'ready'
  const { ready, status, dependencies } = await readiness.report()
  assert.deepEqual([ready, status, dependencies['redis']], [true, 'degraded', { status: 'down' }])
})

test('a lame duck is not ready and still answers; a draining server does neither', async () => {
  const readiness = new Readiness({ clock: manualClock(), probes: {} })
  const shown = []
  for (const state of ['starting', 'ready', 'lame-duck', 'draining'] as const) {
    readiness.state = state
    const { ready, status } = await readiness.report()
    shown.push([status, ready, readiness.isAnswering])
  }
  assert.deepEqual(shown, [
    ['starting', false, false],
    ['ready', true, true],
    ['lame-duck', false, true],
    ['draining', false, false],
  ])
})

test('in maintenance the server stays ready and reports it, unless something is worse', async () => {
  const readiness = new Readiness({
    clock: manualClock(),
    probes: { database: async () => ({ wroteMs: 1 }) },
    mode: () => 'maintenance',
  })
  assert.equal((await readiness.report()).status, 'starting')
  readiness.state = 'ready'
  const { mode, ready, status } = await readiness.report()
  assert.deepEqual([ready, status, mode], [true, 'maintenance', 'maintenance'])
})

test('the edition of the catalogue is shown, and a difference to other nodes leaves the server ready', async () => {
  const catalogue = { edition: 'a', products: 3, others: { b: 1 }, warning: 'they differ' }
  const probes = { database: async () => ({ wroteMs: 1 }) }
  const readiness = new Readiness({ clock: manualClock(), probes, catalogue: async () => catalogue })
  readiness.state = 'ready'
  const report = await readiness.report()
  assert.deepEqual([report.ready, report.status, report.catalogue], [true, 'ready', catalogue])
  const broken = new Readiness({ clock: manualClock(), probes, catalogue: () => Promise.reject(new Error('gone')) })
  assert.equal('catalogue' in (await broken.report()), false)
})
