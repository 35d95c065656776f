// Wishes and limits as shoppers write them, with and without negation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trickyShelves } from '../../test/fixtures/tricky-shelves.ts'
import type { Filters } from './ask.ts'
import { peopleIndex } from './people.ts'
import { utteranceOf } from './utterance.ts'
import { readWish } from './wish.ts'

const people = peopleIndex(trickyShelves())
const wish = (text: string) => readWish(utteranceOf(text), people)

function assertFilters(expected: Filters, ...texts: readonly string[]): void {
  for (const text of texts) assert.deepEqual(wish(text).filters, expected, text)
}

test('genres and moods are found in both languages, whatever their width', () => {
  for (const text of ['ホラー', 'ﾎﾗｰ漫画', '怖い話', 'something scary', 'ＨＯＲＲＯＲ'])
    assert.deepEqual(wish(text).genres, ['horror'], text)
  for (const text of ['泣ける漫画', 'a tearjerker', '涙が出る']) assert.deepEqual(wish(text).moods, ['sad'], text)
})

test('a negated genre or mood is avoided, and not wanted', () => {
  for (const text of [
    'no romance please',
    'without any romance',
    'I don’t like romance',
    'I do not want romance',
    '恋愛なしで',
    '恋愛要素抜き',
    '恋愛要素のない漫画',
    '恋愛のない話',
    '恋愛もの以外',
    '恋愛は苦手',
  ]) {
    assert.deepEqual([wish(text).genres, wish(text).avoid], [[], ['romance']], text)
  }
  for (const text of ['怖くないやつ', '怖くなくて', 'not scary']) assert.deepEqual(wish(text).avoid, ['horror'], text)
  for (const text of ['そこまで重くない', '暗すぎない', 'not too dark'])
    assert.deepEqual(wish(text).avoid, ['dark'], text)
})

test('one negation outweighs synonyms, and applies up to the end of its clause', () => {
  assert.deepEqual([wish('ホラーじゃない怖い漫画').genres, wish('ホラーじゃない怖い漫画').avoid], [[], ['horror']])
  const said = wish("I don't want anything with school. romance please")
  assert.deepEqual([said.genres, said.avoid], [['romance'], ['school']])
})

test('an author is wanted, or avoided', () => {
  for (const text of ['高橋留美子以外', 'but not Rumiko Takahashi']) {
    assert.deepEqual([wish(text).avoidAuthors, wish(text).filters], [['高橋留美子'], {}], text)
  }
})

test('every word for children sets `forChildren`', () => {
  assertFilters({ forChildren: true }, '小学生', '子供向け', 'for kids', 'a ten-year-old', '10歳の子に')
})

test('a negation applies only to its own word', () => {
  const said = wish('恋愛なしのファンタジー')
  assert.deepEqual([said.genres, said.avoid], [['fantasy'], ['romance']])
  assert.deepEqual(wish('heartwarming but no war').avoid, ['war'])
  assert.deepEqual(wish('heartwarming but no war').moods, ['heartwarming'])
  for (const text of ['nothing but romance', 'I don’t mind romance', 'a novel romance'])
    assert.deepEqual([wish(text).genres, wish(text).avoid], [['romance'], []], text)
})

test('a genre inside another word is not a wish', () => {
  for (const text of ['リアクションが面白い', 'warm', 'a goal', 'I love it', 'biscuits'])
    assert.deepEqual(wish(text).genres, [], text)
})

test('dark fantasy is one genre, and neither a wish for fantasy nor for something dark', () => {
  for (const text of ['dark fantasy', 'ダークファンタジー', 'ダーク・ファンタジー']) {
    assert.deepEqual([wish(text).genres, wish(text).moods], [['dark-fantasy'], []], text)
  }
  assert.deepEqual(wish('a darker fantasy').genres, ['fantasy'])
})

test('length is given in volumes or in words', () => {
  assertFilters(
    { volumesMax: 12 },
    '12巻以内',
    '１２巻以下',
    'under 12 volumes',
    '12 volumes or fewer',
    'at most 12 vols',
  )
  assertFilters({ volumesMin: 100 }, '100巻以上', 'more than 100 volumes', '100 volumes or more')
  assertFilters({ volumesMax: 10 }, '短いの', 'something short')
  assertFilters({ volumesMax: 15 }, '長すぎない漫画', 'not too long')
  assertFilters({ volumesMin: 25 }, '長い漫画', 'a long series')
})

test('price is given in yen or in words, and a number of volumes is not a price', () => {
  assertFilters({ priceYenMax: 500 }, '500円以下', '５００円まで', 'under 500 yen', 'under ¥500')
  assertFilters({ priceYenMax: 1200 }, '1,200円以内')
  assertFilters({ priceYenMin: 1000 }, '1000円以上', 'over 1000 yen')
  assertFilters({ priceYenMax: 560 }, '安い漫画', 'something cheap')
  assert.equal('priceYenMax' in wish('under 12 volumes').filters, false)
})

test('years are given in decades or in words', () => {
  assertFilters({ yearFrom: 1990, yearTo: 1999 }, '90年代', '1990年代の漫画', 'from the 90s', 'the 1990s')
  assertFilters({ yearFrom: 2010, yearTo: 2019 }, '2010年代', 'from the 2010s')
  assertFilters({ yearFrom: 2015 }, '最近の漫画', 'something new')
  assertFilters({ yearTo: 1990 }, '古い漫画', 'a classic')
})

test('status, stock and readership are found', () => {
  assertFilters({ status: 'completed' }, '完結済み', 'finished')
  assertFilters(
    { status: 'running' },
    '連載中',
    'ongoing',
    'unfinished',
    'not finished',
    '完結していない',
    '完結してない',
  )
  assertFilters({ status: 'hiatus' }, '休載中', 'on hiatus')
  assertFilters({ inStock: true }, '在庫あり', 'in stock')
  assertFilters({ demographic: 'shoujo' }, '少女漫画', 'shojo')
  assertFilters({ author: '高橋留美子' }, '高橋留美子')
  assertFilters({}, '', 'hello', 'こんにちは')
})
