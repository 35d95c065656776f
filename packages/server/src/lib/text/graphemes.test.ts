// Cutting text for frames: nothing is lost, and no character is split.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '#fixtures/shop/texts.ts'
import { holdBackHalfPair, splitByEncodedBytes } from './graphemes.ts'

const encodedBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2
const graphemesOf = (text: string) => [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)]

test('the pieces of any text fit their frames and give the text back', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 12, max: 80 }), (text, bytesMax) => {
      const pieces = splitByEncodedBytes(text, bytesMax)
      assert.equal(pieces.join(''), text)
      for (const piece of pieces) {
        assert.ok(encodedBytes(piece) <= bytesMax, `${encodedBytes(piece)} > ${bytesMax}`)
        assert.ok(piece.isWellFormed(), 'half a character')
      }
    }),
  )
})

test('a grapheme is split only when it alone is longer than a frame', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 12, max: 80 }), (text, bytesMax) => {
      const cuts = new Set<number>()
      let at = 0
      for (const piece of splitByEncodedBytes(text, bytesMax)) cuts.add((at += piece.length))
      for (const { segment, index } of graphemesOf(text)) {
        if (encodedBytes(segment) > bytesMax) continue
        for (let inside = index + 1; inside < index + segment.length; inside += 1) assert.ok(!cuts.has(inside), segment)
      }
    }),
  )
})

test('pieces are as long as the limit allows', () => {
  assert.deepEqual(splitByEncodedBytes('あいうえお', 12), ['あいうえ', 'お'])
  assert.deepEqual(splitByEncodedBytes('short', 1000), ['short'])
})

test('characters that JSON escapes are counted in their escaped form', () => {
  assert.deepEqual(splitByEncodedBytes('\u0001\u0001\u0001', 12), ['\u0001\u0001', '\u0001'])
})

test('half a surrogate pair at the end waits for its other half', () => {
  assert.deepEqual(holdBackHalfPair('泣\uD83D'), { whole: '泣', held: '\uD83D' })
  assert.deepEqual(holdBackHalfPair('泣😭'), { whole: '泣😭', held: '' })
  assert.deepEqual(holdBackHalfPair(''), { whole: '', held: '' })
})
