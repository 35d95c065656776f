// Finds the series that a text names, by any of their names, and only where they are meant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../test/fixtures/samples.ts'
import { trickyShelves } from '../../test/fixtures/tricky-shelves.ts'
import { fold } from '../text/words.ts'
import { keyed, keyOf, namesOf } from './names.ts'

const index = namesOf(trickyShelves())
const named = (text: string) => [
  ...new Set(index.find(text).flatMap(({ kind, means }) => (kind === 'title' ? means : []))),
]

test('a series is found by each of its names, without regard to width, case, spaces and punctuation', () => {
  for (const text of [
    '鬼滅の刃',
    '鬼滅 の 刃ある？',
    'きめつのやいば',
    'DEMON SLAYER',
    'demonslayer',
    'Kimetsu no Yaiba?',
    'ｄｅｍｏｎ　ｓｌａｙｅｒ',
  ])
    assert.deepEqual(named(text), ['kimetsu'], text)
  assert.deepEqual(named('ﾅﾅの在庫'), ['nana'])
  assert.deepEqual(named('One Punch Man’s author'), ['one-punch-man'])
})

test('a name inside another word is not found, in either language', () => {
  for (const text of ['バナナが好き', 'あきらめない', 'banana', 'akirame', 'スタッチ', 'touching', 'Shimonster'])
    assert.deepEqual(named(text), [], text)
  for (const text of ['ナナが好き', 'あきらが好き', 'Nana, please', 'Akiraの値段'])
    assert.equal(named(text).length, 1, text)
})

test('katakana that continues after a name is another word', () => {
  const [product] = trickyShelves()
  assert.ok(product !== undefined)
  const names = namesOf([{ ...product, aliases: ['夜ト'] }])
  assert.deepEqual(names.find('夜トイレに行けなくなる'), [])
  assert.equal(names.find('夜トが好き').length, 1)
})

test('a title that is an everyday word needs a capital, unless it is the whole message', () => {
  assert.deepEqual(named('a manga with a monster in it'), [])
  assert.deepEqual(named('how do I touch type'), [])
  assert.deepEqual(named('I liked Monster'), ['monster'])
  assert.deepEqual(named('monster'), ['monster'])
  assert.deepEqual(named('touch?'), ['touch'])
  assert.deepEqual(named('MONSTERの在庫はありますか'), ['monster'])
})

test('a name of one letter is found by its punctuation', () => {
  assert.deepEqual(named('チ。は面白い？'), ['chi'])
  assert.deepEqual(named('チーズ'), [])
})

test('mentions are returned in the order of the text, with their positions', () => {
  const text = '蟲師とAKIRAと蟲師、怖いのはどっち？'
  const mentions = index.find(text)
  assert.deepEqual(
    mentions.map(({ from, to }) => text.slice(from, to)),
    ['蟲師', 'AKIRA', '蟲師'],
  )
  assert.deepEqual(mentions[1]?.means, ['akira'])
})

test('people and magazines are found by full name, surname and family', () => {
  const kinds = (text: string) => index.find(text).map(({ kind, means }) => `${kind}:${means.join('+')}`)
  const [product] = trickyShelves()
  assert.ok(product?.author !== undefined)
  assert.deepEqual(kinds(`${product.author.ja}の漫画`), [`person:${product.author.ja}`])
})

test('a name that several series share names none of them', () => {
  const [one, other] = trickyShelves()
  assert.ok(one !== undefined && other !== undefined)
  const shared = namesOf([
    { ...one, aliases: ['あかねちゃん'] },
    { ...other, aliases: ['あかねちゃん'] },
  ])
  assert.deepEqual(shared.find('あかねちゃんが出るやつ'), [])
})

test('a message that is a misspelt title is guessed, and another message is not', () => {
  assert.equal(index.guess('Kimetu no Yaiba'), 'kimetsu')
  assert.equal(index.guess('demon slayr'), 'kimetsu')
  assert.equal(index.guess('Haikara-san ga Toru'), 'haikara-san')
  for (const text of ['demon', 'hello there', 'おすすめは', '']) assert.equal(index.guess(text), undefined, text)
})

test('a misspelt name is found inside a sentence, and everyday words are none', () => {
  const everyday = new Set('do you have the have any with demon hunters sleep well'.split(' '))
  const names = namesOf(trickyShelves(), (word) => everyday.has(word))
  const guessed = (text: string) =>
    names
      .find(text)
      .filter((one) => one.guessed === true)
      .map(({ means }) => means[0])
  assert.deepEqual(guessed('キメツノヤイバありますか'), ['kimetsu'])
  assert.deepEqual(guessed('do you have demon slyer'), ['kimetsu'])
  for (const text of ['do you have any with demon hunters', 'sleep well', 'demon'])
    assert.deepEqual(guessed(text), [], text)
})

test('a series is found by its title without the subtitle, and by a letter with a digit', () => {
  const [product] = trickyShelves()
  assert.ok(product !== undefined)
  const titled = (id: string, ja: string, en: string) => ({
    ...product,
    id,
    aliases: [],
    title: { ja, en, romaji: en },
  })
  const names = namesOf([
    titled('keiji', '花の慶次-雲のかなたに-', 'The Tale of Keiji: Beyond'),
    titled('h2', 'H2', 'H2'),
  ])
  const found = (text: string) => names.find(text).flatMap(({ means }) => means)
  assert.deepEqual(found('花の慶次って何巻？'), ['keiji'])
  assert.deepEqual(found('is the tale of keiji finished'), ['keiji'])
  assert.deepEqual(found('which is shorter, H2 or not'), ['h2'])
  assert.deepEqual(found('H20 is water'), [])
})

test('a name and a message have the same key', () => {
  for (const text of ['Pokémon', 'Ｎ・Ｈ・Ｋ', 'ばか゛ぼん', 'Ⅻ ½ ①', 'Jo’s naïve — 第２部', 'ヴ', 'ﷺ', '']) {
    const folded = fold(text)
    assert.equal(keyOf(folded), keyed([...folded]).key, text)
  }
})

test('a title in hiragana is found in a list after another title', () => {
  const products = [
    sampleProduct({ id: 'gyo', title: { ja: 'ギョ', en: 'Gyo', romaji: 'Gyo' }, aliases: [] }),
    sampleProduct({ id: 'uzumaki', title: { ja: 'うずまき', en: 'Uzumaki', romaji: 'Uzumaki' }, aliases: [] }),
  ]
  const ids = namesOf(products)
    .find('ギョとうずまき、全部でいくら')
    .flatMap(({ means }) => means)
  assert.deepEqual(ids, ['gyo', 'uzumaki'])
})

const shelf = (
  over: Readonly<Record<string, { readonly ja: string; readonly en: string; readonly aliases?: readonly string[] }>>,
) =>
  Object.entries(over).map(([id, { ja, en, aliases = [] }]) =>
    sampleProduct({ id, title: { ja, en, romaji: en }, aliases: [...aliases] }),
  )

test('everyday words with a capital at the beginning of a sentence, first names and little words name nothing', () => {
  const names = namesOf(
    shelf({
      real: { ja: 'リアル', en: 'Real', aliases: ['Clara', 'Ido', 'YOU', 'Hada'] },
      nichijou: { ja: '日常', en: 'nichijou' },
      mushishi: { ja: '蟲師', en: 'Mushishi', aliases: ['Mushishii'] },
    }),
  )
  const found = (text: string) => names.find(text).map(({ from, to }) => text.slice(from, to))
  for (const text of [
    'Fine. Real people, please',
    'something real',
    'my niece Clara is eight',
    'I do like it',
    'I had a bad week',
    'You know what',
    'リアルな絵の漫画',
    '日常系が好き',
  ])
    assert.deepEqual(found(text), [], text)
  assert.deepEqual(found('do you have Real?'), ['Real'])
  assert.deepEqual(found('REAL is great'), ['REAL'])
  assert.deepEqual(found('リアルは全部でいくら'), ['リアル'])
  assert.deepEqual(found('「日常」ある?'), ['日常'])
  assert.deepEqual(found('日常って何巻?'), ['日常'])
  assert.deepEqual(found('Mushishi is here'), ['Mushishi'])
})

test('a part of one title alone is guessed, unless it is a common word', () => {
  const names = namesOf(
    shelf({
      kuroko: { ja: '黒子のバスケ', en: "Kuroko's Basketball" },
      kaiji: { ja: '賭博黙示録カイジ', en: 'Gambling Apocalypse: Kaiji' },
      gaku: { ja: '岳 みんなの山', en: 'Gaku', aliases: ['岳'] },
      chi: { ja: 'チーズスイートホーム', en: "Chi's Sweet Home" },
      a: { ja: '天使の歌', en: 'Angel Song' },
      b: { ja: '天使の羽', en: 'Angel Wing' },
    }),
    undefined,
    (word) => word === 'basketball',
  )
  assert.equal(names.guess('黒子 在庫'), 'kuroko')
  assert.equal(names.guess('kaiji'), 'kaiji')
  assert.equal(names.guess('岳'), 'gaku')
  assert.equal(names.guess('天使'), undefined)
  assert.equal(names.guess('basketball'), undefined)
  assert.deepEqual(
    names.find('she has got her Chi').map(({ means }) => means),
    [['chi']],
  )
})

test('the name of a kind of sport is no misspelt title', () => {
  const names = namesOf(shelf({ 'play-ball': { ja: 'プレイボール', en: 'Play Ball' } }), () => false)
  assert.deepEqual(names.find('バレーボール'), [])
  assert.equal(names.find('プレイポール')[0]?.guessed, true)
})
