// The rules of names, over the whole catalogue: Prometheus conventions, base units, few label values, one word for one thing,
// and nothing personal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventCatalogue, metricCatalogue } from './catalogue.ts'
import type { MetricEntry } from './entry.ts'
import { LANE, MODEL } from './label-bounds.ts'
import { knownSeries, SERIES_MAX, seriesMaxOf } from './series.ts'

const metrics = Object.entries<MetricEntry>(metricCatalogue)
const events = Object.entries(eventCatalogue)

const UNITS = ['seconds', 'bytes', 'characters', 'ratio', 'tokens', 'usd']
/** Endings that are not base units, and the endings of a histogram's own series. */
const NO_ENDINGS = [
  'ms',
  'milliseconds',
  'minutes',
  'hours',
  'kilobytes',
  'percent',
  'micro_usd',
  'count',
  'sum',
  'bucket',
]
/** For each word that is used, its synonyms, which must not be used. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  failed: ['error', 'errors', 'failure', 'failures', 'failing', 'broken'],
  timeout: ['late', 'overdue'],
  // A vendor rejects our calls (the glossary); everything else that is turned down is refused.
  refused: ['denied', 'declined'],
  unavailable: ['away', 'unreachable', 'offline', 'gone'],
  standalone: ['alone', 'detached', 'left'],
  dropped: ['discarded', 'shed'],
  postponed: ['delayed', 'waits', 'later'],
  stored: ['saved', 'kept'],
  delete: ['forget', 'forgotten', 'remove'],
  return: ['give', 'given', 'gave'],
  read: ['look', 'looked'],
  cluster: ['fleet'],
  calibrate: ['warm', 'warmed'],
  merge: ['adopt', 'adopted'],
  audit: ['noted', 'doubt'],
  delivered: ['told', 'heard'],
}
/** Labels that must be called `reason` or `outcome` instead. */
const UNUSED_LABELS = new Set(['why', 'cause', 'end', 'result', 'answer', 'verdict'])
const UNUSED = new Set(Object.values(SYNONYMS).flat())
const PERSONAL =
  /^(user|principal|guest|session|turn|request|connection|network|address|ip|email|message|text|token)(_?id)?$/i

const wordsOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split(/[._-]/)
const names = [...metrics.map(([name]) => name), ...events.map(([name]) => name)]

test('a metric is in snake case, only a counter ends in _total, and none names a kind of metric', () => {
  for (const [name, { kind }] of metrics) {
    assert.match(name, /^[a-z]+[a-z0-9]*(_[a-z0-9]+)+$/, name)
    assert.equal(name.endsWith('_total'), kind === 'counter', name)
    for (const word of ['counter', 'gauge', 'histogram', 'summary']) assert.ok(!wordsOf(name).includes(word), name)
  }
})

test('a name ends in its unit, which is a base unit', () => {
  for (const [name, { unit }] of metrics) {
    const stem = name.replace(/_total$/, '')
    if (unit !== 'count') assert.ok(stem.endsWith(`_${unit}`), `${name} has the unit ${unit}`)
    else assert.ok(!UNITS.some((one) => stem.endsWith(`_${one}`)), `${name} has no unit`)
    assert.ok(!NO_ENDINGS.some((ending) => stem.endsWith(`_${ending}`)), name)
  }
})

test('buckets rise, and there are enough of them', () => {
  for (const [name, entry] of metrics) {
    if (entry.kind !== 'histogram') continue
    assert.ok(entry.buckets.length >= 5, name)
    assert.ok(
      entry.buckets.every((limit, index) => limit > (entry.buckets[index - 1] ?? 0)),
      name,
    )
  }
})

test('labels are few, bounded, not personal, and a model has one label', () => {
  for (const [name, entry] of metrics) {
    for (const [label, bound] of Object.entries(entry.labels)) {
      assert.match(label, /^[a-z]+(_[a-z]+)*$/, `${name} ${label}`)
      assert.ok(!['le', 'quantile', 'job', 'instance', 'name'].includes(label), `${name} ${label}`)
      assert.doesNotMatch(label, PERSONAL, `${name} ${label}`)
      if (label === 'model') assert.equal(bound, MODEL, name)
      if (label === 'lane') assert.equal(bound, LANE, name)
      assert.ok(
        'valuesMax' in bound ? bound.valuesMax > 0 && bound.because !== '' : bound.length > 1,
        `${name} ${label}`,
      )
    }
    assert.ok(seriesMaxOf(entry) <= SERIES_MAX, `${name} may have ${seriesMaxOf(entry)} series`)
  }
})

test('an event is a subject and what happened to it, with a level and fields in camel case', () => {
  for (const [name, { fields, levels }] of events) {
    assert.match(name, /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/, name)
    assert.ok(levels.length > 0, name)
    assert.equal(new Set(fields).size, fields.length, name)
    for (const field of fields) {
      assert.match(field, /^[a-z]+([A-Z][a-z]+)*$/, `${name} ${field}`)
      assert.ok(!['principalId', 'userId', 'message', 'text', 'question', 'token', 'email'].includes(field), field)
    }
  }
})

test('every name is explained in a sentence or two of one line', () => {
  for (const [name, { help }] of [...metrics, ...events]) {
    assert.match(help, /^[A-Z0-9`][^\n|]*\.$/, name)
    assert.ok(help.length <= 200, `${name}: ${help.length}`)
  }
})

test('one thing has one word: no name uses a synonym of another', () => {
  for (const name of names) {
    for (const word of wordsOf(name)) assert.ok(!UNUSED.has(word), `${name} uses "${word}"`)
  }
  for (const [name, { labels }] of metrics) {
    for (const label of Object.keys(labels)) {
      assert.ok(!UNUSED.has(label) && !UNUSED_LABELS.has(label), `${name} has the label "${label}"`)
    }
  }
})

test('no two metrics, and no two events, differ only by a plural or the order of their words', () => {
  for (const all of [metrics, events]) {
    const seen = new Map<string, string>()
    for (const [name] of all) {
      const key = wordsOf(name)
        .map((word) => word.replace(/(ies|s)$/, ''))
        .toSorted()
        .join(' ')
      assert.equal(seen.get(key), undefined, `${name} and ${seen.get(key)}`)
      seen.set(key, name)
    }
  }
})

test('known series are all combinations of listed values, and none where a label is open', () => {
  const account = ['store', 'guests']
  assert.deepEqual(knownSeries({ labels: {} }), [{}])
  assert.deepEqual(knownSeries({ labels: { account, percent: [50, 100] } }), [
    { account: 'store', percent: 50 },
    { account: 'store', percent: 100 },
    { account: 'guests', percent: 50 },
    { account: 'guests', percent: 100 },
  ])
  assert.deepEqual(knownSeries({ labels: { account, model: MODEL } }), [])
  assert.deepEqual(knownSeries({ labels: { one: account }, seriesMax: 1000 }), [])
})
