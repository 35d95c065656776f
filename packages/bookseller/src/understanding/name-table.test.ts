// The compact table of names finds what a map of them would, however many there are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NameTable } from './name-table.ts'

function tableOf(...names: readonly (readonly [key: string, kind: 'title' | 'person' | 'magazine', means: string])[]) {
  const table = new NameTable()
  for (const [key, kind, means] of names) table.add(key, kind, means)
  table.finish()
  return table
}

const foundIn = (table: NameTable, text: string, at = 0) => table.at(text, at).map((name) => table.nameOf(name))

test('all names at a place are found, the longest first', () => {
  const table = tableOf(['ナナ', 'title', 'nana'], ['ナナミ', 'title', 'nanami'], ['ナナミの', 'person', 'someone'])
  assert.deepEqual(
    foundIn(table, '私のナナミのこと', 2).map(({ key }) => key),
    ['ナナミの', 'ナナミ', 'ナナ'],
  )
  assert.deepEqual(foundIn(table, '私のナナミのこと', 3), [])
  assert.deepEqual(foundIn(table, 'ナナ'), [{ key: 'ナナ', kind: 'title', means: ['nana'] }])
  assert.deepEqual(foundIn(table, 'ナ'), [])
  assert.deepEqual(foundIn(table, 'ナナミ', 3), [])
})

test('a title takes the place of a person of that name, and not the other way round', () => {
  const [after] = foundIn(tableOf(['akira', 'person', 'p'], ['akira', 'person', 'q'], ['akira', 'title', 't']), 'akira')
  assert.deepEqual(after, { key: 'akira', kind: 'title', means: ['t'] })
  const [before] = foundIn(tableOf(['akira', 'title', 't'], ['akira', 'person', 'p']), 'akira')
  assert.deepEqual(before, { key: 'akira', kind: 'title', means: ['t'] })
})

test('a name of several people means each of them once', () => {
  const table = tableOf(['ito', 'person', 'a'], ['ito', 'person', 'b'], ['ito', 'person', 'a'], ['ito', 'person', 'b'])
  assert.deepEqual(foundIn(table, 'ito')[0]?.means, ['a', 'b'])
  assert.equal(table.isShared(0), true)
  assert.equal(table.size, 1)
})

test('ten thousand names are each found, and nothing else is', () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `名${index.toString(36)}${'x'.repeat(index % 40)}`)
  const table = tableOf(...keys.map((key) => [key, 'title', `id-${key}`] as const))
  for (const key of keys) {
    assert.ok(table.has(key))
    assert.deepEqual(foundIn(table, key)[0], { key, kind: 'title', means: [`id-${key}`] })
    assert.equal(table.has(`${key}?`), false)
  }
})
