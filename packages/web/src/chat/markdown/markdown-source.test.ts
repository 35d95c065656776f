// A growing answer never shows half a mark-up; a finished one is left as it is.
import assert from 'node:assert/strict'
import test from 'node:test'
import { capNesting, mendTail, plainText } from './markdown-source.ts'

test('bold that is still open is closed', () => {
  assert.equal(mendTail('おすすめは**東京喰'), 'おすすめは**東京喰**')
  assert.equal(mendTail('a **b** c **d'), 'a **b** c **d**')
})

test('a mark that has nothing in it yet is hidden', () => {
  assert.equal(mendTail('おすすめは**'), 'おすすめは')
  assert.equal(mendTail('おすすめは*'), 'おすすめは')
})

test('a closing mark that is half there is completed', () => {
  assert.equal(mendTail('a **b*'), 'a **b**')
})

test('a link that is still open shows its words only', () => {
  assert.equal(mendTail('see [Akira](/series/ak'), 'see Akira')
  assert.equal(mendTail('see [Akira]'), 'see Akira')
  assert.equal(mendTail('see [Aki'), 'see Aki')
  assert.equal(mendTail('see ![Aki'), 'see ')
})

test('what is whole stays', () => {
  for (const text of ['a **b** c', '[Akira](/series/akira) is', '- one\n- two', '2 * 3 = 6', '']) {
    assert.equal(mendTail(text), text)
  }
})

test('inside a code block nothing is touched', () => {
  assert.equal(mendTail('```\na **b'), '```\na **b')
})

test('earlier paragraphs are left alone', () => {
  assert.equal(mendTail('a **b\n\nc'), 'a **b\n\nc')
})

test('the words alone', () => {
  assert.equal(
    plainText('## おすすめ\n\n1. **AKIRA** — [詳しく](/series/akira)\n- `x`\n\n| a | b |\n|---|---|\n| 1 | 2 |'),
    'おすすめ AKIRA — 詳しく x a b 1 2',
  )
})

test('nesting without an end becomes text, and what people nest stays', () => {
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
