// The page of metrics and log events: each name of the catalogue has one row, and the rows can be read as a table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventCatalogue, metricCatalogue, PREFIX } from './catalogue.ts'
import { counter, event, histogram } from './entry.ts'
import { telemetryReference } from './reference.ts'

test('each metric and each event of the catalogue has one row', () => {
  const names = [...telemetryReference().matchAll(/^\| `((?:mangaassist_[a-z_]+)|(?:[a-z-]+\.[a-z-]+))` \|/gmu)]
  assert.deepEqual(
    names.map(([, name = '']) => name).toSorted(),
    [...Object.keys(metricCatalogue).map((name) => PREFIX + name), ...Object.keys(eventCatalogue)].toSorted(),
  )
})

test('every row has as many cells as the head of its table', () => {
  const blocks = telemetryReference().trim().split('\n\n')
  for (const block of blocks.filter((text) => text.startsWith('|'))) {
    const cells = block.split('\n').map((line) => line.split('|').length)
    assert.equal(new Set(cells).size, 1, block.slice(0, 80))
  }
})

const chapters = [
  {
    title: 'Turns',
    metrics: {
      turn_lost_total: counter('Lost turns.', { door: ['ws', 'sse'], model: { valuesMax: 9, because: 'models' } }),
      turn_wait_seconds: histogram('Waits.', { unit: 'seconds', buckets: [1] }),
    },
    events: { 'turn.lost': event('warn', 'A turn was lost.', ['turnId']) },
  },
]

test('a row says kind, unit, labels with their values, levels, fields and the meaning', () => {
  assert.deepEqual(
    telemetryReference(chapters)
      .split('\n')
      .filter((line) => line.startsWith('| `')),
    [
      '| `mangaassist_turn_lost_total` | counter | – | `door`: `ws`/`sse`, `model` | Lost turns. |',
      '| `mangaassist_turn_wait_seconds` | histogram | seconds | – | Waits. |',
      '| `turn.lost` | warn | `turnId` | A turn was lost. |',
      '| `model` | 9 | models |',
    ],
  )
})

test('a part of a name selects its rows, with the labels that they have', () => {
  assert.match(
    telemetryReference(chapters, 'wait'),
    /^# .*\n\n## Turns\n\n\| metric .*\n.*\n\| `mangaassist_turn_wait_seconds` .*\n$/u,
  )
  assert.equal(telemetryReference(chapters, 'no such'), '')
})
