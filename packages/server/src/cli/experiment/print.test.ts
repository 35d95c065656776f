// The printed report: what it says about the confidence of its intervals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExperimentReportView } from '@mangaassist/protocol/admin'
import { reportText } from './print.ts'

function report(others: readonly string[], confidence: number): ExperimentReportView {
  const arms = ['control', ...others, 'holdout'].map((arm) => ({
    arm,
    turns: 1,
    units: 1,
    stoppedAt: null,
    outcomes: [],
  }))
  const split = { chiSquared: 0, p: 1, isMismatch: false }
  const period = { from: '2026-11-02T09:00:00.000Z', to: null }
  const counts = { effect: 0.05, turns: 3, units: 3, sampledShare: 1 }
  return { experiment: 'short', outcome: 'thumbs-up', ...period, ...counts, confidence, split, arms }
}

test('with one arm beside control the intervals have 95 %, and nothing more is said', () => {
  const text = reportText(report(['short'], 0.95))
  assert.match(text, / 95 % interval /u)
  assert.doesNotMatch(text, /beside control/u)
})

test('with several arms each interval has its own confidence, and the report says why', () => {
  const text = reportText(report(['long', 'short'], 1 - 0.05 / 2))
  assert.match(text, / 97\.5 % interval /u)
  assert.match(text, /^Each interval has 97\.5 %, so that the 2 arms beside control together have 95 %\.$/mu)
  assert.match(reportText(report(['a', 'b', 'c'], 1 - 0.05 / 3)), / 98\.33 % interval /u)
})
