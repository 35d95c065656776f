// Following a list live.
import assert from 'node:assert/strict'
import test from 'node:test'
import { withNewer } from './live-tail.ts'

const parts = { idOf: (row: string): string => row.split(' ')[0] ?? '', rowsMax: 200 }

test('new rows come first, and a repeated one counts once, in its later version', () => {
  const tail = withNewer({ rows: ['b', 'a old'], newest: '1' }, { rows: ['c', 'a new'], newest: '2' }, parts)
  assert.deepEqual(tail, { rows: ['c', 'a new', 'b'], newest: '2' })
})

test('without new rows the position stays', () => {
  assert.deepEqual(withNewer({ rows: ['a'], newest: '1' }, { rows: [] }, parts), { rows: ['a'], newest: '1' })
})

test('the list is bounded', () => {
  const many = Array.from({ length: 150 }, (_, n) => `x${n}`)
  const more = Array.from({ length: 150 }, (_, n) => `y${n}`)
  assert.equal(withNewer({ rows: many }, { rows: more }, parts).rows.length, 200)
})
