// Comma-separated values: written fields are read back, and no field becomes a formula.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine, parseCsv } from './csv.ts'

test('written fields are read back unchanged, except those that would be formulas', () => {
  const field = fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== '' && !/^[=+\-@\t\r]/.test(text))
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
      // The separator is taken from the first line, the header.
      const written = csvLine(['a', 'b']) + rows.map(csvLine).join('')
      assert.deepEqual(parseCsv(written).slice(1), rows)
    }),
  )
})

test('a text that a spreadsheet would calculate is escaped, and a number stays a number', () => {
  assert.equal(csvLine(['=1+1', '+81', '-2', '@x', '\tx']), "'=1+1,'+81,'-2,'@x,'\tx\r\n")
  assert.equal(csvLine(['=HYPERLINK("x","y")']), `"'=HYPERLINK(""x"",""y"")"\r\n`)
  assert.equal(csvLine([-2, true, undefined, 'a,b']), '-2,true,,"a,b"\r\n')
})

test('files of other programs are read: line ends, quotes, other separators, a byte order mark, empty lines', () => {
  assert.deepEqual(parseCsv('\uFEFFa;b\n1;"x;y"\n\n2;\n'), [
    ['a', 'b'],
    ['1', 'x;y'],
    ['2', ''],
  ])
  assert.deepEqual(parseCsv('a\tb\r\n"say ""hi"""\t2'), [
    ['a', 'b'],
    ['say "hi"', '2'],
  ])
  assert.deepEqual(parseCsv(''), [])
})

test('a syntax error names its line', () => {
  assert.throws(() => parseCsv('a,b\n1,"x'), /line 2: a quote that is never closed/)
  assert.throws(() => parseCsv('a,b\n"x"y,1'), /line 2: text behind a quote/)
})
