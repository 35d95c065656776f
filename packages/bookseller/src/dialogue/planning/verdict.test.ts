// Which of several series to choose, and by what.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAspect } from '../../../test/fixtures/dialogue.ts'
import { sampleProduct } from '../../../test/fixtures/samples.ts'
import { NO_CONDITIONS } from '../conditions.ts'
import type { Conditions } from '../conditions.ts'
import { verdictOf } from './verdict.ts'

const a = sampleProduct({ id: 'a', age: 12, genres: ['sports'], content: ['gore'], volumes: 33, stock: 5 })
const b = sampleProduct({ id: 'b', age: 6, genres: ['romance'], content: [], volumes: 30, stock: 5 })
const decided = (
  conditions: Partial<Conditions>,
  asked: Parameters<typeof verdictOf>[1]['asked'] = [],
  of = [a, b],
) => {
  const verdict = verdictOf(of, { conditions: { ...NO_CONDITIONS, ...conditions }, asked, liked: [] })
  return [verdict?.best.id, verdict?.by]
}

test('the age of the reader decides first, then what is avoided, then what is wished for', () => {
  const sports = sampleAspect({ text: 'sports', genres: ['sports'] })
  const gore = sampleAspect({ text: 'gore', genres: [], content: ['gore'] })
  assert.deepEqual(decided({ limits: { age: 10 }, want: [sports] }), ['b', 'age'])
  assert.deepEqual(decided({ avoid: [gore], want: [sports] }), ['b', 'avoided'])
  assert.deepEqual(decided({ want: [sports] }), ['a', 'wished'])
  assert.deepEqual(decided({ limits: { age: 15 } }, [sports]), ['a', 'wished'])
})

test('what is sold out comes after, and only a much shorter series is easier to try', () => {
  assert.deepEqual(decided({}, [], [a, { ...b, stock: 0 }]), ['a', 'stock'])
  assert.deepEqual(decided({}, [], [a, { ...b, volumes: 8 }]), ['b', 'length'])
  assert.deepEqual(decided({}), ['b', undefined])
})

test('nothing is chosen for a reader who is too young for all of them', () => {
  const adult = [sampleProduct({ id: 'a', age: 18 }), sampleProduct({ id: 'b', age: 15, volumes: 2 })]
  const choose = (age: number) =>
    verdictOf(adult, { conditions: { ...NO_CONDITIONS, limits: { age } }, asked: [], liked: [] })?.best.id
  assert.deepEqual([choose(8), choose(16)], [undefined, 'b'])
})
