// Which ways of typing a question leave the same words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { questionWords } from './question-words.ts'

function assertAlike(...groups: readonly (readonly string[])[]): void {
  for (const group of groups)
    for (const other of group)
      assert.equal(questionWords(other), questionWords(group[0] ?? ''), `${group[0]} | ${other}`)
}

function assertDifferent(...groups: readonly (readonly string[])[]): void {
  for (const group of groups) {
    const words = group.map(questionWords)
    assert.equal(new Set(words).size, group.length, words.join(' | '))
  }
}

test('width, case, marks and spaces do not matter', () => {
  assertAlike(
    ['What is ONE PIECE?', ' what is　“one piece”… ', 'what  is one-piece!!'],
    ['ＡＫＩＲＡはありますか？', 'akiraはありますか!', 'AKIRA は、ありますか。'],
    ['ﾜﾝﾋﾟｰｽ', 'ワンピース。', 'ワン・ピース', '「ワンピース」'],
    ['ハイキュー!!の最新刊', 'ハイキューの最新刊'],
    ["What's in vol. 3?", 'whats in vol 3', 'What’s in Vol.3'],
    ['よつばと！', 'よつばと♪', 'よつばとー'],
  )
})

test('politeness does not matter', () => {
  assertAlike(
    [
      '料理漫画を教えて',
      '料理漫画教えて',
      '料理漫画を教えてください',
      '料理マンガを教えて下さい！',
      '料理漫画を教えてくださいませんか？',
      '料理漫画を教えていただけますか',
      '料理漫画を教えてもらえますか？',
      '料理漫画を教えてほしいです',
      '料理漫画を教えてね',
    ],
    ['在庫はありますか？', '在庫はある？', '在庫はあります?', '在庫はありますでしょうか', '在庫はございますか'],
    ['完結していますか', '完結してますか？', '完結している？', '完結してる'],
    ['いくらですか？', 'いくらでしょうか', 'いくら？', 'いくら'],
    ['今日届きますか', '今日届く？'],
    ['泣ける漫画を探しています', '泣ける漫画探してます。', '泣ける漫画を探しているんですが'],
    ['おすすめをお願いします', 'オススメ'],
    [
      'Can you recommend a cooking manga?',
      'recommend cooking manga please',
      'Please recommend a cooking manga. Thanks!',
    ],
  )
})

test('a number is the same in digits, kanji and English words, and with a comma', () => {
  assertAlike(
    ['5000円以内', '5,000円以内', '五千円以内', '5千円以内', '¥5,000以内', '５０００円以内'],
    ['under 5000 yen', 'under 5,000yen', 'under ¥5000'],
    ['漫画を三つ', '漫画を3つ'],
    ['第十二巻', '第12巻'],
    ['二十三冊', '23冊'],
    ['three funny manga', '3 funny manga'],
  )
})

test('another number, or another sign beside it, is another question', () => {
  assertDifferent(
    ['vol 1-3', 'vol 13', 'vol 1 3', 'vol 1,3'],
    ['3.5', '35'],
    ['1、2巻', '12巻', '1~2巻'],
    ['二三冊', '23冊'],
    ['3000円', '〜3000円', '3000円〜', '30,000円'],
    ['50% off', '50 off'],
    ['18+', '18'],
    ['C++', 'C'],
  )
})

test('particles, order and other words are another question', () => {
  assertDifferent(
    ['鬼滅の刃は', '鬼滅の刃も', '鬼滅の刃だけ', '鬼滅の刃以外'],
    ['ワンピースはナルトより長い', 'ナルトはワンピースより長い'],
    ['Is Naruto longer than Bleach', 'Is Bleach longer than Naruto'],
    ['怖い漫画', '怖いのが苦手な人の漫画', '怖くない漫画'],
    ['novel', 'no vel'],
    ['はい', 'ばい'],
    ['a little romance', 'little romance'],
    ['誰の漫画', '誰'],
    ['作者は誰ですか', '作者は誰のですか'],
    ['Do you ship to the US?', 'Do you ship to us?'],
    ['manga -romance', 'manga romance'],
    ['見て', '見てる', '見ない'],
  )
})

test('beside a denial commas, spaces and brackets stay, because they say what is denied', () => {
  assertDifferent(
    ['no romance', 'no, romance'],
    ['恋愛なしホラー', '恋愛なし、ホラー', '恋愛、なしホラー'],
    ['恋愛 なしホラー', '恋愛なし ホラー'],
    ['romance (not school) manga', 'romance not school manga'],
    ['恋愛× スポーツ漫画', '恋愛 ×スポーツ漫画', '恋愛×スポーツ漫画'],
    ['manga !romance', 'manga romance!', '!manga romance'],
    ['romance? !horror', 'romance? horror'],
  )
  assertAlike(['No romance!', 'no  romance'], ['恋愛なし、ホラー。', '恋愛なし　ホラー'])
})

test('a question mark stays where the words without it state something', () => {
  assertDifferent(
    ['BLはない？', 'BLはない'],
    ['no romance?', 'no romance'],
    ['ワンピース読んだ？', 'ワンピース読んだ'],
    ['ワンピース好き？', 'ワンピース好き'],
    ['NARUTO持ってる？', 'NARUTO持ってる'],
    ['一番面白いですか', '一番面白いです'],
  )
  assertAlike(['BLはないですか', 'BLはない？'], ['完結しましたか', '完結した？'])
})

test('a long run of numerals is what it is', () => {
  assert.equal(questionWords('一'.repeat(5000)), '一'.repeat(5000))
})

test('marks and spaces alone are no words', () => {
  for (const text of ['', ' ', '？？？', '…', '♪']) assert.equal(questionWords(text), '')
})

test('spaces around a question and the marks that end it never matter', () => {
  const word = fc.constantFrom(
    '鬼滅の刃',
    'ナルト',
    'は',
    'ない',
    'を',
    '3巻',
    'one',
    'no',
    'Berserk',
    '教えて',
    'ください',
    '、',
    '1,200円',
  )
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 8 }),
      fc.constantFrom('', ' ', '!', '！', '。', ' 。', '♪'),
      (words, end) => {
        const question = words.join(' ')
        assert.equal(questionWords(` ${question}${end} `), questionWords(question))
      },
    ),
  )
})
