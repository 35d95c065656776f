// Closing a server: the order of states, what the log says of the turns, and which signal counts as a second one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { Readiness } from '#edge/http/health.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { createClosing } from './closing.ts'

function setUp(end: () => Promise<void> = async () => {}) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const readiness = new Readiness({ clock, probes: {} })
  readiness.state = 'ready'
  const states: string[] = []
  const note = (step: string) => void states.push(`${step} as ${readiness.state}`)
  const cut = new AbortController()
  const leaving = {
    async lameDuck() {
      note('lame duck')
      await clock.sleep(5000, cut.signal).catch(() => {})
      return 5000
    },
    async drain() {
      note('drain')
      return { ended: 3, left: 2 }
    },
    cut: () => cut.abort(),
  }
  const sockets = {
    size: 4,
    dismiss: () => note('clients are dismissed'),
    close: async () => note('sockets are closed'),
  }
  const opened = new AsyncDisposableStack()
  opened.defer(end)
  const closing = createClosing({ app: { leaving, running: () => 6 }, clock, readiness, sockets, telemetry }, opened)
  const logged = () => telemetry.logged.map(({ event, fields, level }) => ({ event, level, ...fields }))
  return { ...closing(opened), clock, logged, states }
}

test('a server is a lame duck, then drains, and its log says which turns ended and which were left', async () => {
  const { clock, close, closed, logged, states } = setUp()
  const first = close('SIGTERM')
  const again = close('SIGINT')
  await clock.advance(5000)
  await Promise.all([first, again, closed])
  assert.deepEqual(states, [
    'lame duck as lame-duck',
    'drain as draining',
    'clients are dismissed as draining',
    'sockets are closed as draining',
  ])
  assert.deepEqual(logged(), [
    { event: 'server.stopping', level: 'info', reason: 'SIGTERM', turns: 6, connections: 4 },
    { event: 'server.draining', level: 'info', lameDuckMs: 5000, turns: 6, connections: 4 },
    { event: 'server.stopped', level: 'info', reason: 'SIGTERM', drainedTurns: 3, leftTurns: 2, tookMs: 5000 },
  ])
})

test('a signal that comes a second after the first ends the wait, once; one that is passed on several times does not', async () => {
  const { clock, close, hurry, logged } = setUp()
  hurry('SIGINT')
  const closed = close('SIGINT')
  await clock.advance(999)
  hurry('SIGTERM')
  await clock.advance(1)
  assert.deepEqual(
    logged().map(({ event }) => event),
    ['server.stopping'],
  )
  hurry('SIGINT')
  hurry('SIGINT')
  await clock.advance(0)
  await closed
  assert.deepEqual(
    logged().map(({ event }) => event),
    ['server.stopping', 'server.hurried', 'server.draining', 'server.stopped'],
  )
  assert.deepEqual(logged().at(-1), {
    event: 'server.stopped',
    level: 'info',
    reason: 'SIGINT',
    drainedTurns: 3,
    leftTurns: 2,
    tookMs: 1000,
  })
})

test('what fails to close is logged, and thrown to the caller', async () => {
  const { clock, close, closed, logged } = setUp(() => Promise.reject(new Error('the disk is gone')))
  const closing = assert.rejects(close(), /the disk is gone/)
  await clock.advance(5000)
  await closing
  await assert.rejects(closed, /the disk is gone/)
  const { event, level } = logged().at(-1) ?? {}
  assert.deepEqual([event, level], ['server.stopped', 'error'])
})
