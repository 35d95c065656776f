// A permit is reported exactly once, however its call ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { heldPermit, outcomeOfCall } from './held-permit.ts'

function setUp() {
  const reports: string[] = []
  const lanes = {
    served: async (lane: string, id: string, leaseMs: number) => void reports.push(`${lane} ${id} served ${leaseMs}`),
    report: async (lane: string, id: string, outcome: string) => void reports.push(`${lane} ${id} ${outcome}`),
  }
  return { reports, held: heldPermit(lanes, 'lane', 'p1') }
}

test('the first report counts, and disposing adds none', () => {
  const { reports, held } = setUp()
  held.served(10)
  held.served(10)
  held.report('success')
  held.report('fault')
  held.served(10)
  held[Symbol.dispose]()
  assert.deepEqual(reports, ['lane p1 served 10', 'lane p1 success'])
})

test('a call without an outcome is reported as neutral', () => {
  const { reports, held } = setUp()
  held[Symbol.dispose]()
  assert.deepEqual(reports, ['lane p1 neutral'])
})

test('a call that we ended is neutral, and one that ended by itself is a success', () => {
  assert.equal(outcomeOfCall({ kind: 'aborted', abort: new TurnAbort('stopped') }), 'neutral')
  assert.equal(outcomeOfCall({ kind: 'misfit' }), 'success')
  assert.equal(outcomeOfCall({ kind: 'over-budget' }), 'success')
  assert.equal(outcomeOfCall({ kind: 'failed', class: 'invalid' }), 'neutral')
  assert.equal(outcomeOfCall({ kind: 'failed', class: 'timeout' }), 'silent')
})
