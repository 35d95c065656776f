// A choice that depends on a text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pickBy } from './pick-by.ts'

test('the same text always picks the same item, and different texts pick all items about equally often', () => {
  const counts = new Map<string, number>()
  for (let number = 0; number < 3000; number += 1) {
    const chosen = pickBy(`turn_${number}`, ['a', 'b', 'c'])
    assert.equal(pickBy(`turn_${number}`, ['a', 'b', 'c']), chosen)
    counts.set(chosen, (counts.get(chosen) ?? 0) + 1)
  }
  for (const name of ['a', 'b', 'c']) assert.ok((counts.get(name) ?? 0) > 800, `${name}: ${counts.get(name)}`)
})

test('a single item is always picked', () => {
  assert.equal(pickBy('', ['only']), 'only')
})
