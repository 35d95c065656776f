// Lines are broken at the width of the screen, where each language allows it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayWidth } from './display-width.ts'
import { testScreen } from '../testing/test-screen.ts'
import { wrappedLines, wrappedWriter } from './wrapped-writer.ts'

test('words stay whole, and a word that is wider than the line is broken', () => {
  assert.deepEqual(wrappedLines('the quick brown fox', 10), ['the quick', 'brown fox'])
  assert.deepEqual(wrappedLines('see http://127.0.0.1/series now', 12), ['see', 'http://127.0', '.0.1/series', 'now'])
})

test('Japanese breaks between characters, never before a closing mark or after an opening one', () => {
  assert.deepEqual(wrappedLines('進撃の巨人は完結です。', 10), ['進撃の巨人', 'は完結で', 'す。'])
  assert.deepEqual(wrappedLines('これは『巨人』です', 8), ['これは', '『巨人』', 'です'])
  assert.deepEqual(wrappedLines('全34巻で18,700円', 8), ['全34巻で', '18,700円'])
})

test('the following lines of a paragraph are indented, and those of the next are not', () => {
  const screen = testScreen({ columns: 12 })
  const writer = wrappedWriter(screen)
  writer.write('•')
  writer.hang(2)
  writer.write('one two three four')
  writer.newline()
  writer.write('five six seven')
  writer.flush()
  assert.equal(screen.written(), '• one two\n  three four\nfive six\nseven')
})

test('text in pieces of any size gives the same lines', () => {
  const text = 'Try 『寄生獣』(Parasyte), which costs ¥6,820 in all。とても面白い、絵がきれいな作品です! 👨‍👩‍👧'
  for (let columns = 6; columns < 40; columns += 1) {
    const whole = wrappedLines(text, columns)
    assert.ok(
      whole.every((line) => displayWidth(line) <= columns),
      whole.join('|'),
    )
    const screen = testScreen({ columns })
    const writer = wrappedWriter(screen)
    for (const character of new Intl.Segmenter().segment(text)) writer.write(character.segment)
    writer.flush()
    assert.deepEqual(screen.written().split('\n'), whole)
  }
})
