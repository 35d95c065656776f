// The table of docs/upgrading.md that says what `mangaassist migrate` moves, compared with the code in both directions.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MOVES } from '#wiring/migration/moves.ts'

const DOCUMENT = join(import.meta.dirname, '../../../docs/upgrading.md')

test('the document says of every port whether its data is moved, and why not', () => {
  const rows = readFileSync(DOCUMENT, 'utf8').matchAll(/^\| `stores\.(\w+)` \| (not moved|moved): (.*) \|$/gm)
  const documented = [...rows].map(([, port = '', moved, text]) => [port, moved === 'moved' ? moved : text])
  const coded = Object.entries(MOVES).map(([port, move]) => [port, typeof move === 'string' ? move : 'moved'])
  assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(coded))
  assert.equal(documented.length, coded.length, 'each once')
})
