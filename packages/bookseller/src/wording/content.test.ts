// Content notes, moods and reasons in sentences: the important ones first, and words that inflect rightly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../test/fixtures/samples.ts'
import { EN } from './en.ts'
import { contentInEnglish, warningInEnglish } from './en/content.ts'
import { english } from './en/words.ts'
import { JA } from './ja.ts'
import { contentInJapanese } from './ja/content.ts'
import { japanese } from './ja/words.ts'
import { mainContent } from './content-order.ts'

const product = sampleProduct({ content: ['loss', 'violence-mild', 'suicide', 'nudity', 'gore'], genres: ['romance'] })

test('the most important notes are named, and mild ones only alone', () => {
  assert.deepEqual(mainContent(product.content ?? [], 3), ['suicide', 'gore', 'loss'])
  assert.deepEqual(mainContent(['alcohol-tobacco', 'violence-mild'], 3), ['violence-mild', 'alcohol-tobacco'])
})

test('notes are said in plain words', () => {
  assert.equal(contentInEnglish('it', ['loss']), 'someone close to the characters dies in it')
  assert.equal(
    contentInEnglish('it', ['suicide', 'gore', 'loss']),
    'it has blood and gore and deals with suicide, and someone close to the characters dies',
  )
  assert.equal(warningInEnglish('it', ['sexual-mild'], 3), 'it is fairly tame, with just some mild sexual content')
  assert.equal(contentInJapanese(['loss']), '大切な人が亡くなる場面')
})

test('moods are adjectives and genres are nouns', () => {
  const asked = { say: 'fit', product, has: true, content: [] } as const
  const dark = { ...asked, genres: [], moods: ['dark', 'sad'] }
  assert.ok(JA.fit(dark).every((way) => way.includes('ダークで泣ける') && !/なの|るの面/u.test(way)))
  assert.ok(EN.fit(dark).every((way) => way.includes('dark and sad')))
  assert.match(JA.fit({ ...asked, genres: ['romance'], moods: [] })[0] ?? '', /恋愛の要素があります/)
  assert.match(EN.fit({ ...asked, genres: ['romance'], moods: [] })[0] ?? '', /plenty of romance/)
  assert.match(JA.fit({ ...asked, has: false, genres: [], moods: ['dark'] })[1] ?? '', /あまりダークな作品ではない/)
})

test('what two series share is a sentence', () => {
  const said = (text: string) => japanese.reason({ kind: 'alike', text })
  assert.equal(said('合理と情が争う'), '合理と情が争うところが近い作品です。')
  assert.equal(said('獣と少女の絆'), '獣と少女の絆が共通しています。')
  assert.equal(said('旅する少女'), 'どちらにも、旅する少女が登場します。')
  assert.equal(english.reason({ kind: 'alike', text: 'A boy and a dog' }), ' Both have a boy and a dog.')
  assert.equal(english.reason({ kind: 'alike', text: 'cooking duels' }), ' They share cooking duels.')
})

test('only figures stand in brackets, and what is sold out has words of its own', () => {
  const one = { product, facts: ['volumes', 'sold-out'] } as const
  assert.match(japanese.pick(one), /（全23巻）$/u)
  assert.match(english.pick(one), / \(23 volumes\)$/u)
  assert.equal(english.drawback(one), 'sold out just now')
})

test('two volumes are both volumes', () => {
  assert.equal(english.wholeOf(sampleProduct({ volumes: 2 })), 'both volumes')
  assert.equal(english.wholeOf(sampleProduct({ volumes: 5 })), 'all 5 volumes')
})
