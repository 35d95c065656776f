// Folding the probes of an outage.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { LaneChangeView } from '@mangaassist/protocol/admin'
import { foldProbes } from './probe-runs.ts'

const time = (second: number): string => new Date(second * 1000).toISOString()
const change = (second: number, why: LaneChangeView['why']): LaneChangeView => {
  const [from, to] = (
    {
      probing: ['open', 'half-open'],
      'probe-failed': ['half-open', 'open'],
      'probes-passed': ['half-open', 'recovering'],
    } as const
  )[why as string] ?? ['closed', 'open']
  return { at: time(second), from, to, why, calls: 3, failures: 3 }
}
/** The phases that changes lead to, oldest first. */
const spansOf = (changes: readonly LaneChangeView[]) =>
  changes.toReversed().map(({ at, to }, index, all) => ({ from: at, to: all[index + 1]?.at ?? time(100), phase: to }))

const outage = [
  change(7, 'probes-passed'),
  change(6, 'probing'),
  change(5, 'probe-failed'),
  change(4, 'probing'),
  change(3, 'probe-failed'),
  change(2, 'probing'),
  change(1, 'failures'),
]

test('the probes of one outage are one line, with its times and how many failed', () => {
  assert.deepEqual(foldProbes(outage, spansOf(outage)), [
    outage[0],
    { probes: outage.slice(1, 6), since: 2000, until: 6000, failed: 2 },
    outage[6],
  ])
})

test('probes that the server left out of a long outage are counted', () => {
  const listed = outage.filter(({ at }) => at !== time(2) && at !== time(3))
  const [, run] = foldProbes(listed, spansOf(outage))
  assert.deepEqual(run, { probes: outage.slice(1, 4), since: 2000, until: 6000, failed: 2 })
})

test('two outages stay apart, and a single change is not folded', () => {
  const changes = [
    change(16, 'probe-failed'),
    change(15, 'probing'),
    change(14, 'failures'),
    change(12, 'probing'),
    change(11, 'failures'),
  ]
  const rows = foldProbes(changes, spansOf(changes))
  assert.deepEqual(rows.slice(1), changes.slice(2))
  assert.deepEqual(rows[0], { probes: changes.slice(0, 2), since: 15_000, until: 16_000, failed: 1 })
})
