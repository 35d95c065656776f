// Suggestions: each series with its reason and facts, and a plain statement when nothing fits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_ASK } from '../../grounding.ts'
import { NO_WISH } from '../../understanding/ask.ts'
import { sampleProduct, sampleShelves } from '../../../test/fixtures/samples.ts'
import { suggest } from './suggest.ts'
import type { Suggesting } from './suggest.ts'
import { varyBy } from './vary.ts'

const suggesting = (over: Partial<Suggesting> = {}): string =>
  suggest({
    ask: { ...NO_ASK, kind: 'recommend' },
    liked: [],
    products: sampleShelves(),
    language: 'ja',
    vary: varyBy('x'),
    ...over,
  })
const wishing = (over: Partial<typeof NO_WISH>) =>
  ({ ...NO_ASK, kind: 'recommend', wish: { ...NO_WISH, ...over } }) as const

test('each series has a line with its author, a reason and its facts', () => {
  const lines = suggesting({ language: 'en' })
    .split('\n')
    .filter((line) => line.startsWith('- '))
  assert.equal(lines.length, 3)
  assert.match(
    lines[0] ?? '',
    /\*\*Demon Slayer\*\* by Koyoharu Gotouge: action and fantasy; dark, thrilling\. 23 volumes/,
  )
})

test('a liked series is named in the opening, and not suggested', () => {
  const [liked, ...products] = sampleShelves()
  const [opening, ...rest] = suggesting({ liked: [liked!], products }).split('\n')
  assert.match(opening ?? '', /『鬼滅の刃』/)
  assert.doesNotMatch(rest.join('\n'), /鬼滅の刃/)
})

test('series of an author are introduced with the author that was asked for', () => {
  const products = [sampleProduct({ author: { ja: 'ONE・村田雄介', en: 'ONE & Yusuke Murata' } })]
  const ask = wishing({ filters: { author: '村田雄介' } })
  assert.match(suggesting({ products, ask }), /^村田雄介さんの作品/)
  assert.match(suggesting({ products, ask, language: 'en' }), /^By Yusuke Murata, we carry/)
})

test('when nothing fits, the answer says so in both languages, names no series, and asks back', () => {
  for (const followsUp of [true, false]) {
    for (const [language, sorry] of [
      ['ja', /申し訳ございません.*？$/su],
      ['en', /sorry.*\?$/su],
    ] as const) {
      const said = suggesting({ products: [], language, ask: { ...wishing({ moods: ['dark'] }), followsUp } })
      assert.match(said, sorry)
      assert.doesNotMatch(said, /『|\*\*/)
    }
  }
})
