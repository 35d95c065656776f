// The blocks of a growing answer contain all of its text, and closed blocks are parsed once.
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { Lexer } from 'marked'
import { createGrowingBlocks } from './growing-blocks.ts'

const raws = (blocks: readonly { readonly raw: string }[]): string[] => blocks.map(({ raw }) => raw)

/** Everything that was parsed, to see how much that is. */
function counting() {
  const parsed: string[] = []
  const parse = (markdown: string) => {
    parsed.push(markdown)
    return Lexer.lex(markdown)
  }
  return { parsed, blocks: createGrowingBlocks(parse) }
}

test('only the last blocks of a long answer are parsed again', () => {
  const { parsed, blocks } = counting()
  const paragraph = 'この作品は全六巻で完結しています。\n\n'
  let text = ''
  for (let index = 0; index < 200; index++) {
    text += paragraph
    blocks.grown(text)
  }
  const longest = Math.max(...parsed.map(({ length }) => length))
  assert.ok(longest <= 3 * paragraph.length, `${longest} characters were parsed at once`)
})

test('closed blocks stay the same objects', () => {
  const { blocks } = counting()
  const first = blocks.grown('一\n\n二\n\n三\n\n四')
  const second = blocks.grown('一\n\n二\n\n三\n\n四\n\n五')
  assert.equal(first[0], second[0])
  assert.deepEqual(raws(second), raws(Lexer.lex('一\n\n二\n\n三\n\n四\n\n五')))
})

test('a numbered list stays one list while the number of its next item arrives', () => {
  const { blocks } = counting()
  const text = '前置きです。\n\n1. AKIRA\n\n2. ベルセルク\n\n3. うずまき\n\n以上です。'
  let last: readonly { raw: string }[] = []
  for (let end = 1; end <= text.length; end++) last = blocks.grown(text.slice(0, end))
  assert.deepEqual(raws(last), raws(Lexer.lex(text)))
})

test('another text is parsed from its beginning', () => {
  const { blocks } = counting()
  blocks.grown('一\n\n二\n\n三\n\n四')
  assert.deepEqual(raws(blocks.grown('別の答え')), ['別の答え'])
})

test('however a text is cut into pieces, its blocks contain all of it, once', () => {
  const piece = fc.constantFrom(
    '題名',
    ' and ',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '2. ',
    '> ',
    '# ',
    '```\n',
    '**',
    '| a | b |\n',
    '|---|---|\n',
    '    ',
    '---\n',
    '*',
    '  ',
    '　',
    '\r\n',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { blocks } = counting()
      let text = ''
      for (const next of pieces) {
        text += next
        blocks.grown(text)
      }
      // The incomplete mark at the end is a matter of `closeTail`; a last paragraph has none.
      text += '\n\n終わり。\n\n終わり。'
      const grown = blocks.grown(text)
      assert.equal(
        grown
          .map(({ raw }) => raw)
          .join('')
          .replaceAll('\r\n', '\n'),
        text.replaceAll('\r\n', '\n'),
      )
    }),
  )
})
