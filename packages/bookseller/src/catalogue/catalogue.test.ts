// The bundled data files are complete and consistent in both languages.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ProductCard } from '@mangaassist/protocol'
import Value from 'typebox/value'
import { parse } from 'yaml'
import { fold } from '../text/words.ts'
import { bareProduct, sampleProduct } from '../../test/fixtures/samples.ts'
import { FaqEntry, priceOfVolume, Product, stockOfVolume, toCard, totalYen } from './catalogue.ts'
import { faqIndex } from './faq-index.ts'
import { detectLanguage } from '../text/language.ts'

const dataFile = (name: string) => readFileSync(new URL(`../../../../data/${name}`, import.meta.url), 'utf8')
const products = dataFile('catalogue.jsonl')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as Product)
const faq = parse(dataFile('faq.yaml')) as FaqEntry[]

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)
const titlesOf = ({ title }: Product) => [title.ja, title.en, title.romaji].map(fold)

test('every product and every FAQ entry matches its schema', () => {
  for (const product of products) assert.deepEqual([...Value.Errors(Product, product)], [], product.id)
  for (const entry of faq) assert.deepEqual([...Value.Errors(FaqEntry, entry)], [], entry.id)
})

test('the catalogue has at least 150 series, each once', () => {
  assert.ok(products.length >= 150, `${products.length}`)
  assert.deepEqual(repeated(products.map(({ id }) => id)), [])
  assert.deepEqual(repeated(faq.map(({ id }) => id)), [])
})

test('genres and moods are in the vocabulary, and each is used by several series', () => {
  for (const part of ['genres', 'moods'] as const) {
    const words = products.flatMap((product) => product[part])
    const vocabulary = new Set(words)
    assert.ok(vocabulary.size <= 40, `${vocabulary.size} ${part}`)
    for (const word of vocabulary) assert.match(word, /^[a-z]+(-[a-z]+)*$/)
    for (const product of products) assert.deepEqual(repeated(product[part]), [], product.id)
    // Finds two spellings of one word that differ only in hyphens.
    assert.deepEqual(repeated([...vocabulary].map((word) => word.replaceAll('-', ''))), [])
  }
})

test('no alias of a series is the title of another', () => {
  for (const product of products) {
    const others = new Set(products.filter(({ id }) => id !== product.id).flatMap(titlesOf))
    for (const alias of product.aliases) assert.ok(!others.has(fold(alias)), `${product.id}: ${alias}`)
  }
})

test('each synopsis is in the language of its field, and not too short', () => {
  for (const { id, synopsis } of products) {
    assert.ok(synopsis !== undefined, id)
    assert.equal(detectLanguage(synopsis.ja), 'ja', id)
    assert.equal(detectLanguage(synopsis.en), 'en', id)
    assert.ok(synopsis.ja.length >= 20 && synopsis.en.length >= 40, id)
  }
})

test('each FAQ answer is in the language of its field', () => {
  for (const { id, answer } of faq) {
    assert.equal(detectLanguage(answer.ja), 'ja', id)
    assert.equal(detectLanguage(answer.en), 'en', id)
  }
})

test('every question of the FAQ matches its own entry', () => {
  const index = faqIndex(faq)
  for (const entry of faq) {
    for (const language of ['ja', 'en'] as const) {
      for (const question of entry.questions[language]) {
        assert.equal(index.match(question, language)?.entry.id, entry.id, question)
      }
    }
  }
})

test('a card has the price and stock of the product, and the author in the language of the answer', () => {
  const card = toCard(sampleProduct(), 'ja', 'because')
  assert.ok(Value.Check(ProductCard, card))
  assert.deepEqual(
    { author: card.author, price: card.pricePerVolumeYen, stock: card.stock, url: card.url, why: card.why },
    { author: '吾峠呼世晴', price: 484, stock: 12, url: '/series/kimetsu-no-yaiba', why: 'because' },
  )
  assert.equal(toCard(sampleProduct(), 'en').author, 'Koyoharu Gotouge')
  assert.equal('why' in toCard(sampleProduct(), 'en'), false)
})

test('a product needs only a name, a length, a price and a stock, and its card leaves out what is unknown', () => {
  assert.ok(Value.Check(Product, bareProduct()))
  const card = toCard(bareProduct(), 'en')
  assert.ok(Value.Check(ProductCard, card))
  assert.deepEqual(Object.keys(card).toSorted(), [
    'genres',
    'id',
    'pricePerVolumeYen',
    'stock',
    'title',
    'totalYen',
    'url',
    'volumes',
  ])
})

test('a volume has its own price and stock where the shop gives them, else those of the series', () => {
  const product = sampleProduct({
    volumes: 3,
    pricePerVolumeYen: 500,
    stock: 4,
    volumeOffers: [
      { volume: 2, priceYen: 650 },
      { volume: 3, stock: 0 },
      { volume: 9, priceYen: 10_000, stock: 7 },
    ],
  })
  assert.deepEqual(
    [0, 1, 2, 3, 4, 9].map((volume) => [priceOfVolume(product, volume), stockOfVolume(product, volume)]),
    [
      [undefined, 0],
      [500, 4],
      [650, 4],
      [500, 0],
      [undefined, 0],
      [undefined, 0],
    ],
  )
  assert.equal(totalYen(product), 500 + 650 + 500)
  assert.equal(toCard(product, 'en').totalYen, 500 + 650 + 500)
  assert.equal(totalYen(sampleProduct()), 23 * 484)
})
