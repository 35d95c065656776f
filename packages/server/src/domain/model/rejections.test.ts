// A run of rejected calls makes a model rejected, by the cause of the last one, until its vendor takes a call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { readRejected, rejectedIn, Rejections } from './rejections.ts'
import type { Rejected } from './rejections.ts'

const DENIED = { outcome: 'access-denied', fault: { status: 403 } }

function opened() {
  const clock = manualClock()
  const changes: (readonly [string, boolean])[] = []
  const rejections = new Rejections(clock, (model, now) => changes.push([model, now !== undefined]))
  const times = (count: number, call: { outcome: string; fault?: { status?: number } } = DENIED) => {
    for (let ended = 0; ended < count; ended += 1) rejections.ended('primary', call)
  }
  return { changes, clock, rejections, times }
}

test('a model is rejected from the third call in a row, with cause, status, count and beginning', async () => {
  const { changes, clock, rejections, times } = opened()
  times(2)
  const since = clock.now()
  assert.deepEqual([rejections.all(), changes], [[], []])
  await clock.advance(5000)
  times(2)
  const rejected = { model: 'primary', cause: 'access-denied', status: 403, calls: 4, since }
  assert.deepEqual([rejections.of('primary'), rejections.all()], [rejected, [rejected]])
  assert.deepEqual(changes, [['primary', true]])
  assert.equal(rejections.of('economy'), undefined)
})

test('a call that the vendor takes ends it, whatever becomes of its answer', () => {
  for (const outcome of ['end', 'length', 'blocked', 'misfit', 'stream-broken', 'context-too-long']) {
    const { changes, rejections, times } = opened()
    times(3)
    times(1, { outcome })
    assert.deepEqual(
      [rejections.all(), changes],
      [
        [],
        [
          ['primary', true],
          ['primary', false],
        ],
      ],
      outcome,
    )
  }
})

test('a call that ends before the vendor has decided neither counts nor ends it', () => {
  const { rejections, times } = opened()
  times(2)
  times(9, { outcome: 'timeout' })
  times(9, { outcome: 'throttled' })
  assert.equal(rejections.of('primary'), undefined)
  times(1)
  times(9, { outcome: 'stopped' })
  assert.equal(rejections.of('primary')?.calls, 3)
})

test('requests that the vendor finds invalid are shown, and do not bar the model: it may be the prompt', () => {
  const { rejections, times } = opened()
  times(3, { outcome: 'invalid', fault: { status: 400 } })
  assert.deepEqual([rejections.of('primary')?.cause, rejections.barred('primary')], ['invalid', undefined])
  times(1)
  assert.equal(rejections.barred('primary'), 'access-denied')
})

test('a barred model is probed every ten seconds, counted from its last call', async () => {
  const { clock, rejections, times } = opened()
  times(3)
  assert.equal(rejections.isProbeDue('primary'), false)
  await clock.advance(10_000)
  assert.equal(rejections.isProbeDue('primary'), true)
  times(1, { outcome: 'timeout' })
  assert.equal(rejections.isProbeDue('primary'), false)
  assert.equal(rejections.isProbeDue('economy'), false)
})

test('what nodes announce is read with care, and is one list with an entry for each model', () => {
  const good: Rejected = { model: 'primary', cause: 'not-found', calls: 3, since: 5 }
  const wrong = [null, 7, { ...good, cause: 'new-cause' }, { ...good, calls: 'many' }, { ...good, model: 1 }]
  assert.deepEqual(readRejected([...wrong, { ...good, extra: 1 }, { ...good, status: '403' }]), [good, good])
  assert.deepEqual([readRejected('x'), readRejected(Array.from({ length: 99 }, () => good)).length], [[], 16])
  const other = { ...good, model: 'economy' }
  assert.deepEqual(rejectedIn([[good], undefined, [{ ...good, calls: 9 }, other]]), [good, other])
})
