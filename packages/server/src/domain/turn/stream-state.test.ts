// All transitions of a stream's state: those that are allowed, and that there are no others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterEvent, BROKEN_OFF, ImpossibleStep, STARTING } from './stream-state.ts'
import type { StreamEvent, StreamState } from './stream-state.ts'

const states: Readonly<Record<StreamState['name'], StreamState>> = {
  starting: STARTING,
  streaming: { name: 'streaming' },
  'broken-off': BROKEN_OFF,
  completing: { name: 'completing', finishReason: 'length' },
  completed: { name: 'completed', finishReason: 'stop' },
  cancelled: { name: 'cancelled' },
  failed: { name: 'failed' },
}
const events: Readonly<Record<StreamEvent['type'], StreamEvent>> = {
  word: { type: 'word' },
  'broken-off': { type: 'broken-off' },
  'text-end': { type: 'text-end', finishReason: 'stop' },
  settled: { type: 'settled' },
  lost: { type: 'lost' },
}
type Row = Partial<Record<StreamEvent['type'], StreamState['name']>>
const speaking = { word: 'streaming', 'text-end': 'completing', lost: 'failed' } as const
const table: Readonly<Record<StreamState['name'], Row>> = {
  starting: { ...speaking, 'broken-off': 'starting' },
  streaming: { ...speaking, 'broken-off': 'broken-off' },
  'broken-off': { ...speaking, 'broken-off': 'broken-off' },
  completing: { settled: 'completed', lost: 'failed' },
  completed: {},
  cancelled: {},
  failed: {},
}

for (const [from, row] of Object.entries(table) as [StreamState['name'], Row][]) {
  for (const [type, event] of Object.entries(events) as [StreamEvent['type'], StreamEvent][]) {
    const to = row[type]
    test(`in state ${from} the event ${type} ${to === undefined ? 'is a defect' : `leads to ${to}`}`, () => {
      if (to === undefined) assert.throws(() => afterEvent(states[from], event), ImpossibleStep)
      else assert.equal(afterEvent(states[from], event).name, to)
    })
  }
}

test('the finish reason of the text decides the final state of the stream', () => {
  const settled = (finishReason: 'stop' | 'timeout' | 'stopped' | 'interrupted') =>
    afterEvent({ name: 'completing', finishReason }, { type: 'settled' })
  assert.deepEqual(settled('stop'), { name: 'completed', finishReason: 'stop' })
  assert.deepEqual(settled('timeout'), { name: 'completed', finishReason: 'timeout' })
  assert.deepEqual(settled('stopped'), { name: 'cancelled' })
  assert.deepEqual(settled('interrupted'), { name: 'failed' })
})
