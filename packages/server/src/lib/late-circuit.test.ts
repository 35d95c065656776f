// While answers are late, few wait for them; when they come again, everybody is let through.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LateCircuit } from './late-circuit.ts'

function setUp() {
  let now = 1000
  const circuit = new LateCircuit(() => now)
  const late = () => {
    assert.equal(circuit.enter(), true)
    circuit.late()
  }
  return { circuit, late, advance: (ms: number) => (now += ms) }
}

test('three late answers in a row keep callers away; one that came in between does not', () => {
  const { circuit, late } = setUp()
  late()
  late()
  circuit.answered()
  late()
  late()
  assert.equal(circuit.enter(), true)
  circuit.late()
  assert.deepEqual([circuit.isOpen, circuit.enter()], [true, false])
})

test('one call at a time finds out, at growing intervals, and an answer lets everybody in', () => {
  const { circuit, late, advance } = setUp()
  for (let lates = 0; lates < 3; lates += 1) late()
  for (const pauseMs of [250, 500, 1000, 2000, 2000]) {
    advance(pauseMs - 1)
    assert.equal(circuit.enter(), false)
    advance(1)
    assert.deepEqual([circuit.enter(), circuit.enter()], [true, false])
    circuit.late()
  }
  advance(2000)
  assert.equal(circuit.enter(), true)
  circuit.answered()
  assert.deepEqual([circuit.isOpen, circuit.enter(), circuit.enter()], [false, true, true])
})

test('calls that were under way when it opened do not keep it open for longer', () => {
  const { circuit, advance } = setUp()
  for (let calls = 0; calls < 50; calls += 1) assert.equal(circuit.enter(), true)
  for (let calls = 0; calls < 50; calls += 1) circuit.late()
  advance(250)
  assert.equal(circuit.enter(), true)
})

test('a probe that fails at once makes room for the next', () => {
  const { circuit, late, advance } = setUp()
  for (let lates = 0; lates < 3; lates += 1) late()
  advance(250)
  assert.equal(circuit.enter(), true)
  circuit.failed()
  assert.equal(circuit.enter(), true)
})
