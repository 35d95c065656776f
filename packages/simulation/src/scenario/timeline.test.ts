// The steps of a scenario and their times.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WELL } from '../provider/health.ts'
import { readFleetScenario } from './read-scenario.ts'
import { arrivalFactorAt, conditionsAt, faultsAt, faultSpan, incidentsOf, timelineOf } from './timeline.ts'

function scenarioWith(faults: string, shape = '') {
  const text = `name: mine
about: Mine.
nodes: 4
arrivals: { perSecond: 20${shape} }
durationS: 100
faults: [${faults}]
`
  return readFleetScenario(text, 'mine.yaml')
}

test('a fault applies from its start to its end, and only to its target', () => {
  const scenario = scenarioWith('{ kind: throttle, atS: 10, forS: 20, share: 0.2 }')
  assert.deepEqual(conditionsAt(scenario, 9999).lanes, { primary: WELL, economy: WELL })
  assert.deepEqual(conditionsAt(scenario, 10_000).lanes, { primary: { ...WELL, quotaShare: 0.2 }, economy: WELL })
  assert.equal(conditionsAt(scenario, 29_999).lanes['primary']?.quotaShare, 0.2)
  assert.equal(conditionsAt(scenario, 30_000).lanes['primary'], WELL)
  assert.deepEqual(faultSpan(scenario), { fromMs: 10_000, toMs: 30_000 })
  assert.equal(faultsAt(scenario, 15_000).length, 1)
})

test('faults that overlap or touch are one incident, others are incidents of their own', () => {
  const scenario = scenarioWith(
    `{ kind: outage, atS: 40, forS: 5 }, { kind: outage, atS: 10, forS: 20 }, { kind: state-pause, atS: 15, forS: 5 },
    { kind: state-restart, atS: 30, downS: 2 }`,
    ', shape: [{ atS: 80, factor: 2 }, { atS: 90, factor: 1 }]',
  )
  assert.deepEqual(incidentsOf(scenario), [
    { fromMs: 10_000, toMs: 32_000 },
    { fromMs: 40_000, toMs: 45_000 },
    { fromMs: 80_000, toMs: 90_000 },
  ])
  assert.deepEqual(faultSpan(scenario), { fromMs: 10_000, toMs: 90_000 })
  assert.deepEqual(incidentsOf(scenarioWith('')), [])
})

test('every model fault sets the health of its lane, and the worse of two faults counts', () => {
  const scenario = scenarioWith(`
    { kind: errors, atS: 1, forS: 9, share: 0.2 }, { kind: errors, atS: 1, forS: 9, share: 0.5, target: all },
    { kind: brownout, atS: 1, forS: 9, share: 0.5 }, { kind: silence, atS: 1, forS: 9, target: economy },
    { kind: cuts, atS: 1, forS: 9, share: 0.1 }, { kind: stalls, atS: 1, forS: 9, share: 0.3 },
    { kind: slow-words, atS: 1, forS: 9, share: 0.05, delayMs: 4000 }`)
  assert.deepEqual(conditionsAt(scenario, 5000).lanes, {
    primary: {
      slotShare: 0.5,
      quotaShare: 1,
      errorShare: 0.5,
      silenceShare: 0,
      cutShare: 0.1,
      stallShare: 0.3,
      slowShare: 0.05,
      slowMs: 4000,
    },
    economy: { ...WELL, errorShare: 0.5, silenceShare: 1 },
  })
})

test('search and shared store have their own conditions', () => {
  const scenario = scenarioWith(`
    { kind: search-slow, atS: 1, forS: 9, delayMs: 300 }, { kind: state-pause, atS: 2, forS: 1 },
    { kind: state-latency, atS: 1, forS: 9, delayMs: 40 }, { kind: state-partition, atS: 1, forS: 9, share: 0.25 }`)
  const { searchDelayMs, state } = conditionsAt(scenario, 2500)
  assert.deepEqual([searchDelayMs, state], [300, { isPaused: true, delayMs: 40, cutOffShare: 0.25 }])
  assert.equal(conditionsAt(scenario, 3000).state.isPaused, false)
})

test('flapping alternates in each period and stops at its end', () => {
  const scenario = scenarioWith('{ kind: flapping, atS: 10, forS: 25, periodS: 10, share: 0.3 }')
  const steps = timelineOf(scenario).map(({ atMs, conditions }) => [atMs, conditions.lanes['primary']?.errorShare])
  assert.deepEqual(steps, [
    [0, 0],
    [10_000, 1],
    [13_000, 0],
    [20_000, 1],
    [23_000, 0],
    [30_000, 1],
    [33_000, 0],
    [35_000, 0],
  ])
})

test('single events happen at their times, in order', () => {
  const scenario = scenarioWith(`
    { kind: deploy, atS: 40, forS: 20 }, { kind: node-crash, atS: 10, count: 2 },
    { kind: node-pause, atS: 10, forS: 3, count: 1 }, { kind: state-restart, atS: 20 }`)
  const events = timelineOf(scenario).flatMap(({ atMs, events }) => events.map((event) => ({ atMs, ...event })))
  assert.deepEqual(events, [
    { atMs: 10_000, kind: 'node-crash', count: 2, downMs: 5000 },
    { atMs: 10_000, kind: 'node-pause', count: 1, pauseMs: 3000 },
    { atMs: 20_000, kind: 'state-restart', downMs: 1000 },
    { atMs: 40_000, kind: 'replace-node', index: 0 },
    { atMs: 45_000, kind: 'replace-node', index: 1 },
    { atMs: 50_000, kind: 'replace-node', index: 2 },
    { atMs: 55_000, kind: 'replace-node', index: 3 },
  ])
  assert.deepEqual(faultSpan(scenario), { fromMs: 10_000, toMs: 60_000 })
})

test('steps describe which faults begin and end', () => {
  const scenario = scenarioWith(
    '{ kind: errors, atS: 10, forS: 5, share: 0.2 }, { kind: node-crash, atS: 20, count: 2 }',
    ', shape: [{ atS: 30, factor: 5 }, { atS: 40, factor: 1 }]',
  )
  assert.deepEqual(
    timelineOf(scenario).flatMap(({ atMs, descriptions }) => descriptions.map((what) => `${atMs} ${what}`)),
    [
      '10000 errors 20 % of primary begins',
      '15000 errors 20 % of primary is over',
      '20000 node-crash × 2 begins',
      '25000 node-crash × 2 is over',
      '30000 5 times the usual arrivals',
      '40000 the usual arrivals',
    ],
  )
})

test('arrivals above the stated rate count as a fault, fewer do not, and without faults the span is the whole run', () => {
  const surge = scenarioWith('', ', shape: [{ atS: 5, factor: 0.5 }, { atS: 30, factor: 5 }, { atS: 40, factor: 1 }]')
  assert.deepEqual(faultSpan(surge), { fromMs: 30_000, toMs: 40_000 })
  assert.deepEqual(
    [0, 5000, 29_999, 30_000, 40_000].map((atMs) => arrivalFactorAt(surge, atMs)),
    [1, 0.5, 0.5, 5, 1],
  )
  assert.deepEqual(faultSpan(scenarioWith('', ', shape: [{ atS: 30, factor: 2 }]')), { fromMs: 30_000, toMs: 100_000 })
  assert.deepEqual(faultSpan(scenarioWith('')), { fromMs: 0, toMs: 100_000 })
})
