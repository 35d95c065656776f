// While replies are late, few calls wait for them; when they arrive in time again, all calls pass, in stages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallCircuit } from './call-circuit.ts'

function setUp() {
  let now = 1_000_000
  const circuit = new CallCircuit({
    store: 'redis',
    clock: { now: () => now },
    random: { float: () => 0.5 },
    callMs: 50,
  })
  const advance = (ms: number) => {
    now += ms
  }
  /** Makes a call; returns whether the circuit let it pass. */
  const call = (how: Parameters<CallCircuit['report']>[1], tookMs = 50) => {
    const id = circuit.enter()
    advance(tookMs)
    if (id !== undefined) circuit.report(id, how)
    return id !== undefined
  }
  /** Makes calls at once; returns how many the circuit let pass. */
  const burst = (count: number, how: Parameters<CallCircuit['report']>[1]) => {
    const made = Array.from({ length: count }, () => circuit.enter()).filter((id) => id !== undefined)
    advance(50)
    for (const id of made) circuit.report(id, how)
    advance(50)
    return made.length
  }
  return { circuit, advance, call, burst }
}

test('three late replies in a row open the circuit; with one in time between them it stays closed', () => {
  const { call } = setUp()
  for (const how of ['late', 'late', 'answered', 'late', 'late'] as const) call(how)
  assert.equal(call('late'), true)
  assert.equal(call('answered'), false)
})

test('a paused Redis under load opens the circuit within a second, and a few late replies among many do not', () => {
  const { burst } = setUp()
  for (let tenth = 0; tenth < 100; tenth += 1) {
    burst(98, 'answered')
    burst(2, 'late')
  }
  assert.equal(burst(100, 'answered'), 100)
  let waited = 0
  for (let tenth = 0; tenth < 30; tenth += 1) waited += burst(100, 'late')
  assert.ok(waited <= 1100, `${waited} calls waited in vain`)
})

test('one call probes at growing intervals, then three, ten and all calls pass', () => {
  const { advance, call, burst } = setUp()
  for (let lates = 0; lates < 3; lates += 1) call('late')
  for (const pauseMs of [250, 500, 1000, 1600, 1600]) {
    advance(pauseMs - 60)
    assert.equal(burst(5, 'late'), 0)
    assert.equal(burst(5, 'late'), 1)
  }
  advance(2000)
  assert.deepEqual(
    [1, 2, 3, 4].map(() => burst(50, 'answered')),
    [1, 3, 10, 50],
  )
})

test('calls in flight when the circuit opened do not keep it open longer', () => {
  const { circuit, advance, call } = setUp()
  const under = Array.from({ length: 50 }, () => circuit.enter())
  for (let lates = 0; lates < 3; lates += 1) call('late')
  for (const id of under) if (id !== undefined) circuit.report(id, 'late')
  advance(300)
  assert.equal(call('answered'), true)
})

test('a call that fails at once does not open the circuit, and a failed probe makes room for the next', () => {
  const { call, advance } = setUp()
  for (let fails = 0; fails < 50; fails += 1) assert.equal(call('failed', 1), true)
  for (let lates = 0; lates < 3; lates += 1) call('late')
  advance(300)
  assert.equal(call('failed', 1), true)
  advance(50)
  assert.equal(call('answered'), true)
})
