// The keys that words of wishes and dislikes mean.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aspectOf, demographicIn, dislikeOf, isGenreName } from './aspects.ts'

test('words mean genres, moods and content, in both languages and in every form', () => {
  assert.deepEqual(aspectOf('怖い').genres, ['horror'])
  assert.ok(aspectOf('怖く').content.includes('frightening'))
  assert.ok(aspectOf('グロい').content.includes('gore'))
  assert.ok(aspectOf('gory stuff').content.includes('gore'))
  assert.deepEqual(aspectOf('泣ける').moods, ['sad'])
  assert.deepEqual(aspectOf('school stuff').genres, ['school'])
})

test('a word inside another means nothing', () => {
  assert.deepEqual(aspectOf('award winning').content, [])
  assert.deepEqual(aspectOf('rewarding').genres, [])
})

test('words without a key stay words', () => {
  assert.deepEqual(aspectOf('落語'), { text: '落語', genres: [], moods: [], content: [] })
})

test('a readership is recognised', () => {
  assert.equal(demographicIn('少女漫画'), 'shoujo')
  assert.equal(demographicIn('seinen'), 'seinen')
  assert.equal(demographicIn('manga'), undefined)
})

const excluded = (text: string): readonly string[] => {
  const { genres, moods, content } = dislikeOf(text)
  return [...genres, ...moods, ...content]
}

test('a dislike excludes a genre or a mood only if it names nothing narrower', () => {
  for (const text of [
    'love triangles',
    '野球',
    '料理対決',
    'cooking contests',
    'ドロドロの恋愛',
    'cute girls',
    '宇宙人',
    'card games',
  ])
    assert.deepEqual(excluded(text), [], text)
  for (const text of ['恋愛', '恋愛もの', '恋愛がメイン', 'romance-heavy', 'a love story', 'the romance stuff'])
    assert.deepEqual(excluded(text), ['romance'], text)
  assert.deepEqual(excluded('sad endings'), ['sad'])
  assert.deepEqual(excluded('戦争や歴史'), ['war', 'historical', 'war'])
  assert.deepEqual(excluded('男同士の恋愛'), ['boys-love'])
  assert.deepEqual(excluded('high-school love stories'), ['romance', 'school'])
})

test('the death of an animal is not that of a person, and excludes no animals', () => {
  for (const text of ['犬が死ぬ', 'ペットが亡くなる', 'the dog dies', 'pet dies', 'animal cruelty', 'dead pets'])
    assert.deepEqual(excluded(text), ['animal-death'], text)
  assert.deepEqual(excluded('people dying'), ['loss'])
  for (const text of ['動物や飼い主が死んじゃう', 'dogs or people dying'])
    assert.deepEqual(excluded(text), ['animal-death', 'loss'], text)
})

test('horror is a genre, and what is scary is content too', () => {
  assert.deepEqual(excluded('ホラー'), ['horror'])
  assert.deepEqual(excluded('horror'), ['horror'])
  assert.deepEqual(excluded('怖い'), ['horror', 'frightening'])
  assert.deepEqual(excluded('too scary'), ['horror', 'frightening'])
})

test('content is excluded by the words of every day, and a readership by its name', () => {
  for (const [text, key] of [
    ['graphic', 'gore'],
    ['人が食べられる', 'gore'],
    ['swearing', 'strong-language'],
    ['panty shots', 'sexual-mild'],
    ['18禁', 'sexual-strong'],
    ['仲間はずれ', 'bullying'],
    ['kids getting hurt', 'abuse'],
    ['racist', 'discrimination'],
    ['drinking', 'alcohol-tobacco'],
    ['shoujo', 'shoujo'],
    ['少年漫画っぽい', 'shounen'],
  ] as const)
    assert.ok(excluded(text).includes(key), text)
  assert.deepEqual(excluded('kids'), [])
})

test('a word inside a longer one is not meant', () => {
  assert.deepEqual(aspectOf('ダークファンタジー'), {
    text: 'ダークファンタジー',
    genres: ['dark-fantasy'],
    moods: [],
    content: [],
  })
  assert.deepEqual(aspectOf('女の子同士の恋愛').genres, ['yuri'])
})

test('a genre is named by its name alone, and not by words that only have it', () => {
  for (const text of ['ホラー', 'スポーツもの', 'ほのぼのした動物もの', 'horror stories', 'a mystery'])
    assert.ok(isGenreName(aspectOf(text)), text)
  for (const text of ['game world', '動物や飼い主が死んじゃう', 'cooking contests', '落語'])
    assert.ok(!isGenreName(aspectOf(text)), text)
})
