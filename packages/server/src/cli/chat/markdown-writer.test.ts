// Markdown as a terminal shows it, whole and in pieces.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testScreen } from '../testing/test-screen.ts'
import { markdownWriter } from './markdown-writer.ts'
import type { ShowLink } from './markdown-writer.ts'

const asWritten: ShowLink = (title, address) => ({ title, address })

function shown(pieces: readonly string[], options: Parameters<typeof testScreen>[0] = {}): string {
  const screen = testScreen(options)
  const markdown = markdownWriter(screen, asWritten)
  for (const piece of pieces) markdown.write(piece)
  markdown.end()
  return screen.written()
}

const ANSWER = `## Two to try

I'd start with **Parasyte** (*10 volumes*), see [its page](/series/kiseijuu).


- **Uzumaki**: \`3\` volumes, 5 * 3 = 15
- Devilman
  1. first
10) tenth

> quoted
---
\`\`\`ts
const a = **b**
\`\`\`
snake_case, \\*not bold\\*, ~~gone~~, a [bracket], <https://example.com/a>!`

test('headings, lists, quotes, rules, code and links are shown without their marks', () => {
  assert.equal(
    shown([ANSWER]),
    `Two to try

I'd start with Parasyte (10 volumes), see its page (/series/kiseijuu).

• Uzumaki: 3 volumes, 5 * 3 = 15
• Devilman
  1. first
10. tenth

│ quoted
────────────────────
  const a = **b**
snake_case, *not bold*, gone, a [bracket], https://example.com/a (https://example.com/a)!`,
  )
})

test('styles are those of the marks', () => {
  assert.equal(
    shown(['# Top\n**太字** *soft* ***both*** `code` [x](/y) ~~no~~'], { isStyled: true }),
    '{bold+cyan:Top}\n{bold:太}{bold:字} {italic:soft} {bold+italic:both} {cyan:code} {underline:x} {dim:(/y)} {strikethrough:no}',
  )
})

test('an answer in pieces of any size is shown as the whole one', () => {
  const whole = shown([ANSWER], { columns: 30, isStyled: true })
  for (let size = 1; size < 12; size += 1) {
    const pieces = ANSWER.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
    assert.equal(shown(pieces, { columns: 30, isStyled: true }), whole, `pieces of ${size}`)
  }
})

test('text is shown as soon as it is certain', () => {
  const screen = testScreen()
  const markdown = markdownWriter(screen, asWritten)
  markdown.write('Try it now and **bo')
  assert.equal(screen.written(), 'Try it now and')
  markdown.write('ld** [lin')
  assert.equal(screen.written(), 'Try it now and bold')
  markdown.write('k](/a). ')
  assert.equal(screen.written(), 'Try it now and bold link (/a).')
  assert.equal(markdown.isMidLine(), true)
})

test('unfinished marks at the end are shown or dropped, never held back', () => {
  assert.equal(shown(['a [link](/unfinis']), 'a [link](/unfinis')
  assert.equal(shown(['a `code']), 'a `code')
  assert.equal(shown(['**open']), 'open')
  assert.equal(shown(['2 ** 3 and 5*3']), '2 ** 3 and 5*3')
  assert.equal(shown(['```\ncode']), '  code')
})

test('characters that control a terminal are removed', () => {
  assert.equal(shown(['red \u001B[31malert\u0007\u009B2J\u202Eabc\r\n- x\ty']), 'red [31malert2Jabc\n• x y')
})
