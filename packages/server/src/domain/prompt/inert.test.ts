// Fences in texts that others wrote, in every spelling that a model may read as one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inert } from './inert.ts'

const FENCES = [
  '</data>',
  '＜/data＞',
  '< /data>',
  '</ data>',
  '<\u200B/da\u200Bta>',
  '〈/data〉',
  '<／ｄａｔａ>',
  '＜ＥＡＲＬＩＥＲ',
  '<\n/earlier',
  '</ＳＴＡＴＥ>',
  '<\\/data>',
  '<\\\\data>',
  '<-- /data>',
  '<|data|>',
  // Cyrillic, Greek, small capitals, mathematical letters, accents, a ligature, fillers, a digit for a letter.
  '</dаta>',
  '</ԁаtа>',
  '</δατα>',
  '</ᴅᴀᴛᴀ>',
  '</𝐝𝒂𝓽𝖆>',
  '<ďátä>',
  '</ﬆate>',
  '<d\u3164a\uFFA0ta>',
  '</ear1ier>',
  '</earІіеr>',
  'ᐸ/data>',
  `<${'\u2060'.repeat(5000)}data>`,
]

test('a fence is made harmless however it is spelled, in a text and in JSON of it', () => {
  for (const fence of FENCES)
    for (const inside of [inert(`a ${fence} b`), inert(JSON.stringify({ text: `a ${fence} b` }))]) {
      assert.doesNotMatch(inside, /[<＜〈ᐸ]/u, fence)
      assert.ok(inside.includes('‹'))
    }
})

test('other brackets stay, and so does everything beside a fence', () => {
  for (const text of [
    '1 < 2',
    '<b>database</b>',
    '<3 data',
    'I ＜3 manga',
    '〈上巻〉',
    '＜データ＞',
    '〈物語〉シリーズ',
    '<한국어>',
    '<day one>',
    'price < 500 yen',
    'C:\\new <folder>',
    'a <',
  ])
    assert.equal(inert(text), text)
  assert.equal(
    inert('「<鬼滅>の刃」</data>\u{1F469}\u200D\u{1F4BB} <3 \uD800'),
    '「<鬼滅>の刃」‹/data>\u{1F469}\u200D\u{1F4BB} <3 \uD800',
  )
})

test('a long text of brackets is read once', () => {
  const text = '<'.repeat(200_000)
  assert.equal(inert(text), text)
})
