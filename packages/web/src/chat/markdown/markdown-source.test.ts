// A growing answer never shows incomplete Markdown marks; a finished one is not changed.
import assert from 'node:assert/strict'
import test from 'node:test'
import { capNesting, closeTail, plainText } from './markdown-source.ts'

test('open bold text is closed', () => {
  assert.equal(closeTail('おすすめは**東京喰'), 'おすすめは**東京喰**')
  assert.equal(closeTail('a **b** c **d'), 'a **b** c **d**')
})

test('a bold mark without text yet is hidden', () => {
  assert.equal(closeTail('おすすめは**'), 'おすすめは')
  assert.equal(closeTail('おすすめは*'), 'おすすめは')
})

test('half of a closing mark is completed', () => {
  assert.equal(closeTail('a **b*'), 'a **b**')
})

test('an incomplete link shows only its text', () => {
  assert.equal(closeTail('see [Akira](/series/ak'), 'see Akira')
  assert.equal(closeTail('see [Akira]'), 'see Akira')
  assert.equal(closeTail('see [Aki'), 'see Aki')
  assert.equal(closeTail('see ![Aki'), 'see ')
})

test('complete marks are not changed', () => {
  for (const text of ['a **b** c', '[Akira](/series/akira) is', '- one\n- two', '2 * 3 = 6', '']) {
    assert.equal(closeTail(text), text)
  }
})

test('text inside a code block is not changed', () => {
  assert.equal(closeTail('```\na **b'), '```\na **b')
})

test('earlier paragraphs are not changed', () => {
  assert.equal(closeTail('a **b\n\nc'), 'a **b\n\nc')
})

test('plain text has no marks and no addresses', () => {
  assert.equal(
    plainText('## おすすめ\n\n1. **AKIRA** — [詳しく](/series/akira)\n- `x`\n\n| a | b |\n|---|---|\n| 1 | 2 |'),
    'おすすめ AKIRA — 詳しく x a b 1 2',
  )
})

test('nesting beyond the limit becomes text, and ordinary nesting stays', () => {
  assert.equal(capNesting('>'.repeat(9000)), `${'>'.repeat(8)} \\${'>'.repeat(8992)}`)
  assert.equal(capNesting(`a\n${'> '.repeat(20)}b`), `a\n${'> '.repeat(7)}> \\${'> '.repeat(12)}b`)
  assert.ok(capNesting('- '.repeat(3000)).includes('\\-'))
  assert.ok(capNesting('1. '.repeat(3000)).includes('\\1'))
  for (const text of [
    '> > quote\n> > more',
    '- a\n  - b\n    - c',
    '2024-01-01 > 3',
    '**bold** 1. x',
    '>>>>>>>> eight',
  ])
    assert.equal(capNesting(text), text)
})
