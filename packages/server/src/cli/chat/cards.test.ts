// The cards of an answer, by width and language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProductCard } from '@mangaassist/protocol'
import { displayWidth } from '../output/display-width.ts'
import { testScreen } from '../testing/test-screen.ts'
import { cardLines } from './cards.ts'

const card = (fields: Partial<ProductCard>): ProductCard => ({
  id: 'a',
  title: { ja: '寄生獣', en: 'Parasyte' },
  volumes: 10,
  status: 'completed',
  pricePerVolumeYen: 682,
  totalYen: 6820,
  stock: 3,
  url: '/series/a',
  genres: [],
  ...fields,
})
const cards = [
  card({}),
  card({ title: { ja: '進撃の巨人', en: 'Attack on Titan' }, volumes: 1, totalYen: 682, status: 'running', stock: 0 }),
]
const lines = (columns: number, language: 'ja' | 'en') =>
  cardLines(cards, {
    language,
    screen: testScreen({ columns }),
    addressOf: (url) => `http://shop${url}`,
  })

test('the facts stand in columns, in one language, with the total', () => {
  assert.deepEqual(lines(100, 'en'), [
    '  Parasyte          10 volumes, complete      ¥682 each, ¥6,820 in all   in stock',
    '    http://shop/series/a',
    '  Attack on Titan   1 volume, still running   ¥682                       sold out',
    '    http://shop/series/a',
  ])
  assert.deepEqual(lines(100, 'ja'), [
    '  寄生獣       全10巻・完結      1巻682円・全巻6,820円   在庫あり',
    '    http://shop/series/a',
    '  進撃の巨人   既刊1巻・連載中   682円                   在庫切れ',
    '    http://shop/series/a',
  ])
})

test('the reason for a series stands below it, cut to the screen', () => {
  const why = 'a boy whose right hand is an alien with a mind of its own'
  const printed = (columns: number) =>
    cardLines([card({ why })], { language: 'en', screen: testScreen({ columns }), addressOf: (url) => url })
  assert.deepEqual(printed(100).slice(1), [`    ${why}`, '    /series/a'])
  assert.ok(printed(40).every((line) => displayWidth(line) <= 40))
})

test('an unknown status is left out, and so is an unknown total', () => {
  const { status: _status, ...unknown } = card({ volumes: 3, totalYen: 2046 })
  const { totalYen: _total, ...untotalled } = card({})
  const first = (product: ProductCard, language: 'ja' | 'en') =>
    cardLines([product], { language, screen: testScreen(), addressOf: (url) => url })[0]
  assert.equal(first(unknown, 'ja'), '  寄生獣   3巻   1巻682円・3巻で2,046円   在庫あり')
  assert.equal(first(unknown, 'en'), '  Parasyte   3 volumes   ¥682 each, ¥2,046 in all   in stock')
  assert.equal(first(untotalled, 'en'), '  Parasyte   10 volumes, complete   ¥682 each   in stock')
})

test('on a narrow screen the facts are below the title, then each in its own line', () => {
  assert.equal(lines(70, 'en')[0], '  Parasyte')
  assert.equal(lines(70, 'en')[1], '    10 volumes, complete      ¥682 each, ¥6,820 in all   in stock')
  assert.deepEqual(lines(40, 'en').slice(0, 5), [
    '  Parasyte',
    '    10 volumes, complete',
    '    ¥682 each, ¥6,820 in all',
    '    in stock',
    '    http://shop/series/a',
  ])
  for (const columns of [30, 40, 66, 79]) assert.ok(lines(columns, 'en').every((line) => displayWidth(line) <= columns))
})
