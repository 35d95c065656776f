// Owns running turns: leases, deadlines, stops and the drain.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { NEVER } from '#lib/async/never.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { fails, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { sampleAsk } from '#fixtures/turns/samples.ts'
import { sampleAdmitted } from '#fixtures/turns/turns.ts'
import { createOwnership } from './ownership.ts'
import type { RunTurn } from '../run-turn.ts'

const { leaseMs, renewMs, holdMs, resumeWindowMs } = testConfig.turns

/** Runs until its signal aborts, then ends like a turn that settles what it has. */
function untilAborted() {
  const causes: unknown[] = []
  const runTurn: RunTurn = (_admitted, own) =>
    new Promise((resolve) => {
      own.signal.addEventListener('abort', () => {
        causes.push(own.signal.reason instanceof TurnAbort ? own.signal.reason.abortCause : own.signal.reason)
        resolve()
      })
    })
  return { causes, runTurn }
}

async function setUp(
  runTurn: RunTurn,
  over: (ports: TestPorts) => Partial<TestPorts> = () => ({}),
  unread: 'stop' | 'finish' = 'finish',
) {
  const ports = await testPorts()
  const config = { ...testConfig, turns: { ...testConfig.turns, unread } }
  const turns = createOwnership({ ...ports, ...over(ports), config, runTurn })
  const answer = await ports.budgets.admit(sampleAsk({ sessionId: 'sess_1', leaseMs: holdMs }))
  assert.equal(answer.kind, 'granted')
  const scope = ports.telemetry.scope({ door: 'ws', name: 'chat' }).becomeTurn('turn_1')
  const admitted = { ...sampleAdmitted({ hold: answer.hold }), scope }
  await ports.turnLog.open(admitted.start, leaseMs)
  return { ports, turns, admitted }
}

const ends = ({ telemetry }: TestPorts) => telemetry.ended.map(({ outcome }) => outcome)

test('the shopper’s stop aborts the turn, and nothing is left of it', async () => {
  const { causes, runTurn } = untilAborted()
  const { ports, turns, admitted } = await setUp(runTurn)
  turns.run(admitted)
  assert.equal(turns.owns('turn_1'), true)
  await ports.turnLog.requestStop('turn_1')
  await ports.clock.advance(0)
  assert.deepEqual([causes, turns.owns('turn_1'), ports.clock.timers()], [['stopped'], false, 0])
})

test('a stop is an event of the turn’s scope, and so is a turn that is left to another node', async () => {
  const stopped = await setUp(untilAborted().runTurn)
  stopped.turns.run(stopped.admitted)
  await stopped.ports.turnLog.requestStop('turn_1')
  await stopped.ports.clock.advance(0)
  stopped.admitted.scope.end('completed')
  const lost = await setUp(() => Promise.reject(new TurnAbort('lost')))
  lost.turns.run(lost.admitted)
  await lost.ports.clock.advance(0)
  const events = [stopped, lost].map(({ ports }) => ports.telemetry.ended[0]?.events[0])
  assert.deepEqual(
    events.map((event) => [event?.name, event?.attributes['reason']]),
    [
      ['turn.stopped', 'stopped'],
      ['turn.abandoned', 'lost'],
    ],
  )
})

test('a stop requested before the turn ran aborts it too', async () => {
  const { causes, runTurn } = untilAborted()
  const { ports, turns, admitted } = await setUp(runTurn)
  await ports.turnLog.requestStop('turn_1')
  turns.run(admitted)
  await ports.clock.advance(0)
  assert.deepEqual(causes, ['stopped'])
})

test('a turn times out at endBy minus the time to settle', async () => {
  const { causes, runTurn } = untilAborted()
  const { ports, turns, admitted } = await setUp(runTurn)
  turns.run(admitted)
  await ports.clock.advance(120_000 - testConfig.deadlines.settleMs - 1)
  assert.deepEqual(causes, [])
  await ports.clock.advance(1)
  assert.deepEqual(causes, ['timeout'])
})

test('while a turn runs its lease and hold are renewed; afterwards they are not', async () => {
  const { runTurn } = untilAborted()
  const { ports, turns, admitted } = await setUp(runTurn)
  turns.run(admitted)
  await ports.clock.advance(3 * leaseMs)
  assert.deepEqual(await ports.turnLog.orphans(10), [])
  assert.equal(await ports.budgets.runningTurn({ id: 'sess_1', principalId: 'guest_1' }), 'turn_1')
  await ports.turnLog.requestStop('turn_1')
  await ports.clock.advance(leaseMs)
  assert.deepEqual(await ports.turnLog.orphans(10), ['turn_1'])
})

test('a turn without a reader for the resume window is stopped', async () => {
  const { causes, runTurn } = untilAborted()
  const { ports, turns, admitted } = await setUp(runTurn, () => ({}), 'stop')
  turns.run(admitted)
  await ports.clock.advance(resumeWindowMs - 1)
  assert.deepEqual(causes, [])
  await ports.clock.advance(renewMs)
  assert.deepEqual(causes, ['unread'])
})

test('a turn with a reader continues, and one that must finish unread does too', async () => {
  const { causes, runTurn } = untilAborted()
  const { ports, turns, admitted } = await setUp(runTurn, () => ({}), 'stop')
  const reader = new AbortController()
  const reading = (async () => {
    for await (const _ of ports.turnLog.follow('turn_1', -1, reader.signal));
  })()
  turns.run(admitted)
  await ports.clock.advance(2 * resumeWindowMs)
  assert.deepEqual(causes, [])
  reader.abort()
  await reading
  await ports.clock.advance(resumeWindowMs + renewMs)
  assert.deepEqual(causes, ['unread'])

  const other = untilAborted()
  const patient = await setUp(other.runTurn)
  patient.turns.run(patient.admitted)
  await patient.ports.clock.advance(2 * resumeWindowMs)
  assert.deepEqual(other.causes, [])
})

test('a turn whose lease another node took is aborted as lost', async () => {
  const { causes, runTurn } = untilAborted()
  const { ports, turns, admitted } = await setUp(runTurn, (all) => ({
    turnLog: withVerbs(all.turnLog, { renew: async () => undefined }),
  }))
  turns.run(admitted)
  await ports.clock.advance(renewMs)
  assert.deepEqual(causes, ['lost'])
})

test('a failed renewal is retried, and does not end the turn', async () => {
  const { causes, runTurn } = untilAborted()
  let failing = true
  const { ports, turns, admitted } = await setUp(runTurn, (all) => ({
    turnLog: withVerbs(all.turnLog, { renew: (...args) => (failing ? fails() : all.turnLog.renew(...args)) }),
  }))
  turns.run(admitted)
  await ports.clock.advance(renewMs)
  failing = false
  await ports.clock.advance(2 * leaseMs)
  assert.deepEqual([causes, await ports.turnLog.orphans(10)], [[], []])
  assert.equal(ports.telemetry.counted[0]?.name, 'turn_renew_failed_total')
})

test('a turn that throws is logged and leaves nothing running', async () => {
  const { ports, turns, admitted } = await setUp(() => Promise.reject(new Error('defect')))
  turns.run(admitted)
  await ports.clock.advance(0)
  assert.deepEqual([turns.owns('turn_1'), ports.clock.timers()], [false, 0])
  assert.deepEqual(
    ports.telemetry.logged.map(({ level, event }) => [level, event]),
    [['error', 'turn.failed']],
  )
  assert.deepEqual(ends(ports), ['failed'])
})

test('a lost turn is logged as a warning, not as an error', async () => {
  const { ports, turns, admitted } = await setUp(() => Promise.reject(new TurnAbort('lost')))
  turns.run(admitted)
  await ports.clock.advance(0)
  assert.deepEqual(
    ports.telemetry.logged.map(({ level, event }) => [level, event]),
    [['warn', 'turn.abandoned']],
  )
  assert.deepEqual(ends(ports), ['left'])
})

const DRAIN_MS = 20_000

test('a drain waits for the turns that are running, which are not left', async () => {
  const open = Promise.withResolvers<void>()
  const { ports, turns, admitted } = await setUp(() => open.promise)
  turns.run(admitted)
  let left: number | undefined
  const draining = turns.drain(DRAIN_MS, NEVER).then((count) => (left = count))
  await ports.clock.advance(DRAIN_MS - 1)
  assert.equal(left, undefined)
  open.resolve()
  await draining
  assert.deepEqual([left, turns.ended(), ports.clock.timers()], [0, 1, 0])
})

/** Ends without an end when it is handed over, as delivery does. */
const untilHandedOver: RunTurn = (_admitted, { signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('a turn that has not ended when the drain does is left, and another node can take it over at once', async () => {
  const { ports, turns, admitted } = await setUp(untilHandedOver)
  let released = 0
  using _ = ports.turnLog.onReleased(() => (released += 1))
  turns.run(admitted)
  const draining = turns.drain(DRAIN_MS, NEVER)
  await ports.clock.advance(DRAIN_MS - 1)
  assert.deepEqual(await ports.turnLog.orphans(10), [])
  await ports.clock.advance(1)
  assert.deepEqual([await draining, turns.ended(), turns.owns('turn_1'), released], [1, 0, false, 1])
  assert.equal(await ports.turnLog.takeOver('turn_1', leaseMs), 2)
})

test('a cut ends the wait of a drain, and a turn that settles at that moment counts as ended', async () => {
  const { causes, runTurn } = untilAborted()
  const { ports, turns, admitted } = await setUp(runTurn)
  turns.run(admitted)
  const cut = new AbortController()
  const draining = turns.drain(DRAIN_MS, cut.signal)
  await ports.clock.advance(1)
  cut.abort()
  await ports.clock.advance(0)
  assert.deepEqual([await draining, causes, turns.ended(), turns.owns('turn_1')], [0, ['handed-over'], 1, false])
})

test('a turn is left to its lease when it cannot be released, and a drain ends nevertheless', async () => {
  for (const release of [fails, () => Promise.reject(new Error('a defect'))]) {
    const { ports, turns, admitted } = await setUp(untilHandedOver, (all) => ({
      turnLog: withVerbs(all.turnLog, { release }),
    }))
    turns.run(admitted)
    const draining = turns.drain(DRAIN_MS, NEVER)
    await ports.clock.advance(DRAIN_MS)
    assert.equal(await draining, 1)
    assert.deepEqual(await ports.turnLog.orphans(10), [])
    await ports.clock.advance(leaseMs)
    assert.deepEqual(await ports.turnLog.orphans(10), ['turn_1'])
  }
})

test('a turn that cannot settle does not delay the end of the drain for ever, and is left', async () => {
  const { ports, turns, admitted } = await setUp(() => new Promise(() => {}))
  turns.run(admitted)
  const draining = turns.drain(DRAIN_MS, NEVER)
  await ports.clock.advance(DRAIN_MS + 2000)
  assert.equal(await draining, 1)
})

test('with nothing running a drain ends at once', async () => {
  const { turns } = await setUp(() => Promise.resolve())
  assert.equal(await turns.drain(DRAIN_MS, NEVER), 0)
})

test('the answer to a deferred question is made although it has no reader yet', async () => {
  const { causes, runTurn } = untilAborted()
  const { ports, turns, admitted } = await setUp(runTurn, () => ({}), 'stop')
  const start = { ...admitted.start, deferredFrom: { turnId: 'turn_0', isOver: false } }
  turns.run({ ...admitted, start })
  await ports.clock.advance(resumeWindowMs + 2 * renewMs)
  assert.deepEqual(causes, [])
  await ports.turnLog.requestStop('turn_1')
  await ports.clock.advance(0)
  assert.deepEqual(causes, ['stopped'])
})
