// Records of a stream of CSV, wherever the stream is cut.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine } from './csv.ts'
import { csvRecords } from './csv-stream.ts'
import type { CsvRecord } from './csv-stream.ts'

async function* cut(text: string, size: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size)
}

async function read(text: string, size = 3): Promise<readonly CsvRecord[]> {
  const records: CsvRecord[] = []
  for await (const record of csvRecords(cut(text, size))) records.push(record)
  return records
}

test('quotes, line ends of either kind, empty lines, and the line on which each record begins', async () => {
  const text = 'id,title\r\na,"one, ""two"""\r\n\r\nb,"line 1\nline 2"\nc,\rd,x'
  for (const size of [1, 2, 7, 100])
    assert.deepEqual(await read(text, size), [
      { line: 1, fields: ['id', 'title'] },
      { line: 2, fields: ['a', 'one, "two"'] },
      { line: 4, fields: ['b', 'line 1\nline 2'] },
      { line: 6, fields: ['c', ''] },
      { line: 7, fields: ['d', 'x'] },
    ])
})

test('semicolons and tabs separate too', async () => {
  assert.deepEqual(
    (await read('a;b\n1;2,3')).map(({ fields }) => fields),
    [
      ['a', 'b'],
      ['1', '2,3'],
    ],
  )
  assert.deepEqual((await read('a\tb\n1\t2')).at(1)?.fields, ['1', '2'])
})

test('what is not CSV is refused with its line', async () => {
  await assert.rejects(read('a\n"b" c\n'), /^SyntaxError: line 2: text behind a closing quote$/)
  await assert.rejects(read('a\n"b\nc'), /^SyntaxError: line 2: a quote is never closed$/)
  await assert.rejects(read(`a\n"${'x'.repeat(1_100_000)}`, 65_536), /^SyntaxError: line 2: longer than/)
})

test('what our writer wrote is read unchanged, wherever it is cut', async () => {
  const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'あ', ' ') }).map((text) => `x${text}`)
  const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (given, size) => {
      const text = `a,b,c\r\n${given.map(csvLine).join('')}`
      assert.deepEqual(
        (await read(text, size)).slice(1).map(({ fields }) => fields),
        given,
      )
    }),
  )
})
