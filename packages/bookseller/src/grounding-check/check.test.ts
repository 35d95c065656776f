// What an answer claims, compared with the store: single sentences, and the measured set of whole answers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleShelves } from '../../test/fixtures/samples.ts'
import { checkedShop } from '../../test/fixtures/checked-shop.ts'
import { checkAnswer } from './check.ts'
import type { CheckedAnswer, Mismatch } from './check.ts'
import { correctionNote } from './note.ts'

const check = (text: string, question = ''): CheckedAnswer =>
  checkAnswer({ text, products: checkedShop, question, faq: ['手数料は250円です。'], isComplete: true })
const nameOf = (mismatch: Mismatch): string =>
  mismatch.kind === 'title' ? `title ${mismatch.name}` : `${mismatch.kind} ${mismatch.product.id}`
const found = (text: string, question = ''): readonly string[] => check(text, question).mismatches.map(nameOf)
const verdicts = (text: string): readonly string[] =>
  check(text).claims.map(({ kind, verdict }) => `${kind} ${verdict}`)

test('each kind of claim is true, false or not comparable', () => {
  const expected: readonly (readonly [string, readonly string[]])[] = [
    ['『鬼滅の刃』は1巻484円です。', ['price true']],
    ['『鬼滅の刃』は1巻480円です。', ['price false']],
    ['『鬼滅の刃』は約500円です。', ['price true']],
    ['Demon Slayer is about ¥900 a volume.', ['price false']],
    ['『AKIRA』は全六巻です。', ['volumes true']],
    ['Akira has seven volumes.', ['volumes false']],
    ['『NANA』は品切れです。', ['stock true']],
    ['Nana is in stock.', ['stock false']],
    ['『MONSTER』は残り2点です。', ['stock true']],
    ['『よつばと！』は完結していません。', ['status true']],
    ['Yotsuba&! is finished.', ['status false']],
    ['『HUNTER×HUNTER』は連載中です。', ['status unverifiable']],
    ['全巻で484円です。', ['price unverifiable']],
    ['『月下の書庫番』は1巻594円です。', ['price unknown-title']],
    ['『月下の書庫番』は全3巻です。', ['volumes unverifiable']],
    ['『鬼滅の刃』を1万1千132円で。', ['price false']],
  ]
  for (const [text, claims] of expected) assert.deepEqual(verdicts(text), claims, text)
})

test('the price of one volume, of several and of all are prices; one is not taken for the other', () => {
  assert.deepEqual(found('Kingdom: volume 70 is ¥650, the others are ¥600 a volume.'), [])
  assert.deepEqual(found('『鬼滅の刃』の最初の5巻で2,420円です。'), [])
  assert.deepEqual(found('Both together, Akira and Orb come to ¥12,672.'), [])
  assert.deepEqual(found('Akira is ¥1,100 for the whole set.'), ['price akira'])
  assert.deepEqual(found('Akira costs ¥6,600 per volume.'), ['price akira'])
})

test('amounts of the question, of the FAQ and of fees are not prices of a series', () => {
  assert.deepEqual(found('『AKIRA』ですと3,000円では足りません。', '3000円以内で'), [])
  assert.deepEqual(found('『AKIRA』でしたら250円かかります。'), [])
  // A price that the shopper claims is not a budget.
  assert.deepEqual(found('『AKIRA』は10円です。', 'AKIRAを10円で売って'), ['price akira'])
  assert.deepEqual(found('Akira is ¥10 a volume.', 'under ¥10 please'), ['price akira'])
  assert.deepEqual(found('『AKIRA』をどうぞ。送料は330円です。'), [])
  assert.deepEqual(found('Akira is a good choice. Orders over ¥3,000 ship free, gift wrapping is ¥200.'), [])
})

test('a claim belongs to the series that the sentence is about', () => {
  assert.deepEqual(found('『鬼滅の刃』は全23巻、『AKIRA』は全6巻です。'), [])
  assert.deepEqual(found('『鬼滅の刃』は全6巻、『AKIRA』は全23巻です。'), ['volumes kimetsu-no-yaiba', 'volumes akira'])
  assert.deepEqual(found('If you liked Akira, Orb is complete in 8 volumes.'), [])
  assert.deepEqual(found('『AKIRA』が好きなら、全8巻の『チ。―地球の運動について―』を。'), [])
  assert.deepEqual(found('The Demon Slayer anime is still running.'), [])
  assert.deepEqual(found('Naruto Shippuden has 21 volumes.'), [])
  assert.deepEqual(found('『鬼滅の刃』外伝は全1巻です。'), [])
})

test('a series that is compared with is described in the brackets after its name, and nowhere else', () => {
  const compared = (akiraYen: string, orbYen: string) =>
    found(`Akira (¥${akiraYen} a volume) is dearer, compared with Orb (¥${orbYen} a volume, all 8 for ¥6,072).`)
  assert.deepEqual(compared('1,100', '759'), [])
  assert.deepEqual(compared('1,100', '1,100'), ['price chi'])
  assert.deepEqual(compared('759', '759'), ['price akira'])
  assert.deepEqual(found('Akira, compared with Orb (a long one), costs ¥759 a volume.'), ['price akira'])
})

test('questions, wishes and conditions are no claims', () => {
  assert.deepEqual(found('『よつばと！』の完結したものをお探しですか？'), [])
  assert.deepEqual(found('Would you like Yotsuba&! once it is finished?'), [])
  assert.deepEqual(found('You wanted something finished, but Yotsuba&! is ongoing.'), [])
  assert.deepEqual(found('『NANA』の在庫があるか確認いたします。'), [])
})

test('a digit of a title is not a number of volumes, and links and emphasis do not hide a title', () => {
  assert.deepEqual(found('『20世紀少年』は全22巻です。'), [])
  assert.deepEqual(found('[Akira](/series/akira) has **7 volumes**.'), ['volumes akira'])
  assert.deepEqual(found('**20th Century Boys** – ¥618 each'), [])
})

test('a title is unknown only when the whole catalogue was read', () => {
  const text = '『月下の書庫番』は1巻594円です。'
  assert.deepEqual(found(text), ['title 月下の書庫番'])
  assert.deepEqual(checkAnswer({ text, products: checkedShop, isComplete: false }).mismatches, [])
})

test('unknown facts of a product are not compared', () => {
  const [product] = checkedShop
  assert.ok(product !== undefined)
  const { status, ...bare } = product
  assert.equal(status, 'completed')
  const { claims } = checkAnswer({ text: '『鬼滅の刃』は連載中です。', products: [bare], isComplete: true })
  assert.deepEqual(claims, [{ kind: 'status', verdict: 'unverifiable', productId: 'kimetsu-no-yaiba' }])
})

test('any text is checked, and a correction contradicts nothing', () => {
  const words = fc.constantFrom(
    '『鬼滅の刃』',
    'Akira',
    'は',
    ' is ',
    '全',
    '9',
    '99',
    '巻',
    ' volumes',
    '¥',
    '円',
    '、',
    '. ',
    '完結',
    'in stock',
    '『',
    '\uE000',
  )
  const anyAnswer = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 30 }).map((list) => list.join('')),
  )
  fc.assert(
    fc.property(anyAnswer, (text) => {
      const { mismatches } = check(text)
      for (const language of ['ja', 'en'] as const) {
        const note = correctionNote(
          mismatches.filter(({ kind }) => kind !== 'title'),
          language,
        )
        assert.deepEqual(note === undefined ? [] : found(note), [])
      }
    }),
  )
})

test('a long answer of any shape is checked in bounded time', () => {
  for (const text of [
    '『鬼滅の刃』は1巻484円、'.repeat(2000),
    '*'.repeat(50_000),
    'a. '.repeat(20_000),
    '「'.repeat(50_000),
    '9,'.repeat(30_000),
  ])
    assert.ok(check(text).claims.length < 10_000)
})

interface Sample {
  readonly part: 'tuning' | 'held-out'
  readonly language: 'ja' | 'en'
  readonly text: string
  readonly planted: { readonly kind: string; readonly id?: string } | null
}

function samples(): readonly Sample[] {
  const path = join(import.meta.dirname, '../../evaluation/grounding-check.jsonl')
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample)
}

/** The share of corrections that are right, and the share of planted errors that are found. */
function measured(part: Sample['part']): {
  readonly precision: number
  readonly recall: number
  readonly text: string
} {
  let [hits, wrong, missed] = [0, 0, 0]
  for (const { planted, text } of samples().filter((sample) => sample.part === part)) {
    const wanted = (one: Mismatch) =>
      one.kind === planted?.kind && (one.kind === 'title' || one.product.id === planted.id)
    const { mismatches } = check(text)
    const hit = mismatches.some(wanted)
    hits += Number(hit)
    missed += Number(planted !== null && !hit)
    wrong += mismatches.filter((one) => !wanted(one)).length
  }
  const [precision, recall] = [hits / (hits + wrong), hits / (hits + missed)]
  return { precision, recall, text: `${part}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}` }
}

test('on answers written before tuning, corrections are right and most errors are found', (context) => {
  const all = samples()
  for (const language of ['ja', 'en'])
    for (const isPlanted of [true, false])
      assert.ok(all.filter((one) => one.language === language && (one.planted !== null) === isPlanted).length >= 30)
  for (const part of ['tuning', 'held-out'] as const) {
    const { precision, recall, text } = measured(part)
    context.diagnostic(text)
    assert.ok(precision >= 0.95, text)
    assert.ok(recall >= 0.9, text)
  }
})

test('the total of thirty-one volumes is not the price of one', () => {
  const [series] = checkedShop
  assert.ok(series !== undefined)
  const products = [{ ...series, volumes: 31, pricePerVolumeYen: 550 }]
  const text = `『${series.title.ja}』は全31巻で17,050円です。`
  assert.deepEqual(checkAnswer({ text, products, isComplete: true }).mismatches, [])
})

test('a link names its series whatever its words, and a name in the brackets after it is a person of the story', () => {
  assert.deepEqual(found('[that ninja classic](/series/akira) is ¥10 a volume.'), ['price akira'])
  assert.deepEqual(found('[Monster](/series/monster) (Akira, a timid student; 18 volumes) is dark.'), [])
})

test('a sentence of the FAQ is no claim about the series before it, and twelve sets cost twelve times as much', () => {
  const series = checkedShop.find(({ stock }) => stock > 0)
  assert.ok(series !== undefined)
  const policy = '在庫切れの作品の入荷予定は、サポートへお問い合わせください。'
  const text = `『${series.title.ja}』は在庫があります。${policy}`
  const asked = { text, products: checkedShop, isComplete: true }
  assert.deepEqual(checkAnswer({ ...asked, faq: [policy] }).mismatches, [])
  const yen = (series.pricePerVolumeYen * series.volumes * 12).toLocaleString('en')
  assert.deepEqual(found(`That makes ¥${yen} for 12 full sets of 『${series.title.ja}』.`), [])
})

test('a title of one small word is a title only in quotation marks', () => {
  const [series] = checkedShop
  assert.ok(series !== undefined)
  const products = [{ ...series, title: { ja: 'pink', en: 'pink', romaji: 'pink' }, volumes: 1 }]
  const found = (text: string) => checkAnswer({ text, products, isComplete: true }).mismatches.length
  assert.equal(found('A round pink alien. 2 volumes, finished.'), 0)
  assert.equal(found('『pink』は全2巻です。'), 1)
})

test('what the shop says of a linked series is no claim about another whose title is among its words', () => {
  const [daily] = sampleShelves()
  assert.ok(daily !== undefined)
  const other = { ...daily, id: 'daily', title: { ja: '日常', en: 'nichijou', romaji: 'Nichijou' }, volumes: 10 }
  const pitch = { ja: '兵隊たちの日常を一兵卒の目で描く戦記', en: 'a war story told by a private' }
  const products = [{ ...daily, pitch }, other]
  const text = `[『${daily.title.ja}』](/series/${daily.id})ですね。${pitch.ja}です。全${daily.volumes}巻です。`
  assert.deepEqual(checkAnswer({ text, products, isComplete: true }).mismatches, [])
})
