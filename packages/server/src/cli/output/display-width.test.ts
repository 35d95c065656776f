// The width of texts in a terminal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutTo, displayWidth, padTo } from './display-width.ts'

test('Japanese characters, full-width forms and emoji take two columns; half-width kana, marks and quotes do not', () => {
  const widths = { abc: 3, 進撃の巨人: 10, '（Ａ）': 6, ｶﾞｷﾞ: 4, '¥550 “x”…': 9, '😀👨‍👩‍👧🇯🇵': 6, 'e\u0301': 1, が: 2, '': 0 }
  assert.deepEqual(Object.fromEntries(Object.keys(widths).map((text) => [text, displayWidth(text)])), widths)
})

test('a text is cut between characters and padded on either side', () => {
  assert.deepEqual(
    [cutTo('進撃の巨人', 10), cutTo('進撃の巨人', 9), cutTo('進撃の巨人', 8)],
    ['進撃の巨人', '進撃の巨…', '進撃の…'],
  )
  assert.deepEqual([padTo('巨人', 6), padTo('¥5', 4, true), padTo('long', 2)], ['巨人  ', '  ¥5', 'long'])
})
