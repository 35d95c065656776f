// Going on where another broke off: exactly, or not at all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSeam } from './seam.ts'
import { anyDeltas } from '../../test/fixtures/texts.ts'

test('whatever the text, the place of the break and the pieces, what was shown and what follows are the text', () => {
  fc.assert(
    fc.property(anyDeltas, fc.nat(), ({ text, deltas }, at) => {
      const shown = text.slice(0, at % (text.length + 1))
      const seam = createSeam(shown)
      const rest = deltas.map((delta) => seam.push(delta))
      assert.equal(shown + rest.join(''), text)
      assert.ok(seam.closed())
    }),
  )
})

test('another beginning is a mismatch, and nothing after it is let through', () => {
  const seam = createSeam('鬼滅の刃は')
  assert.equal(seam.push('鬼滅'), '')
  assert.equal(seam.push('を読むなら'), undefined)
  assert.equal(seam.push('の刃は'), undefined)
  assert.equal(seam.closed(), false)
})

test('an answer that ends before it reached what was shown does not close the seam', () => {
  const seam = createSeam('鬼滅の刃は')
  assert.equal(seam.push('鬼滅'), '')
  assert.equal(seam.closed(), false)
})
