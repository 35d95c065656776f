// Answers in words: specific, true, short, and never the same twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAspect, sampleQuest, sampleReading, suggesting } from '../../test/fixtures/dialogue.ts'
import { bareProduct, sampleFaq, sampleProduct, sampleShelves } from '../../test/fixtures/samples.ts'
import { UNGROUNDED } from '../grounding.ts'
import type { Grounding } from '../grounding.ts'
import { FACTS } from '../understanding/reading.ts'
import { compose } from './compose.ts'
import { NO_CONDITIONS } from './conditions.ts'
import type { Intent } from './intent.ts'
import { sentencesOf, withSaid } from './said.ts'
import type { Said } from './said.ts'
import { NO_STATE } from './state.ts'

const LANGUAGES = ['ja', 'en'] as const
const SHOP = { contact: { ja: '窓口 help@shop', en: 'help@shop' }, shipping: { feeYen: 500, freeFromYen: 3000 } }
const meaning = (intent: Intent, over: Partial<Grounding> = {}): Grounding => ({
  ...UNGROUNDED,
  intent,
  shop: SHOP,
  ...over,
})
const known = sampleProduct({
  protagonist: { ja: '炭を売る少年', en: 'a boy who sells charcoal' },
  themes: { ja: ['兄妹', '鬼退治'], en: ['siblings', 'demon hunting'] },
  age: 12,
  content: ['gore'],
  similar: [{ id: 'one-piece', title: { ja: 'ONE PIECE', en: 'One Piece' }, reason: { ja: '仲間の絆', en: 'bonds' } }],
})
const [, onePiece] = sampleShelves()

test('suggestions name every series with a link, and a reason for the first', () => {
  const [first, ...others] = sampleShelves()
  assert.ok(first !== undefined)
  const { text, cards } = compose(suggesting({ products: [{ ...known, id: first.id }, ...others] }), 'ja')
  for (const { id, title } of sampleShelves()) assert.ok(text.includes(`[『${title.ja}』](/series/${id})`), text)
  assert.match(text, /炭を売る少年が主人公です。/)
  assert.deepEqual(
    cards.map(({ product }) => product.id),
    sampleShelves().map(({ id }) => id),
  )
})

test('the reasons of the others stand on their cards and not in the text, but a drawback is stated', () => {
  const pitch = { ja: '猫と暮らす日々の漫画', en: 'a manga about life with cats' }
  const other = sampleProduct({ id: 'cats', title: { ja: '猫の日', en: 'Cat Days', romaji: 'Neko no hi' }, pitch })
  const gone = { ...other, id: 'gone', title: { ja: '犬の日', en: 'Dog Days', romaji: 'Inu no hi' }, stock: 0 }
  const { text, cards } = compose(suggesting({ products: [known, other, gone] }), 'ja')
  assert.ok(!text.includes(pitch.ja), text)
  assert.match(text, /『犬の日』\]\([^)]*\)もありますが、ただいま在庫切れです。/)
  assert.equal(cards[1]?.why, pitch.ja)
  assert.match(compose(suggesting({ products: [known, other, gone] }), 'en').text, /Cat Days.*Dog Days.*too; it’s/)
})

test('the follow-up that compares names its two series, also below three cards', () => {
  const products = sampleShelves().slice(0, 3)
  assert.equal(products.length, 3)
  const [a, b] = products.map(({ title }) => title)
  const offered = (among: typeof products, language: 'ja' | 'en') =>
    compose(suggesting({ products: among }), language).suggestions[1]
  assert.deepEqual(offered(products, 'en'), {
    label: `How do ${a?.en} and ${b?.en} differ?`,
    message: `What is the difference between ${a?.en} and ${b?.en}?`,
  })
  const message = `『${a?.ja}』と『${b?.ja}』の違いは？`
  assert.deepEqual(offered(products, 'ja'), { label: message, message })
  const long = products.map((product) => ({
    ...product,
    title: { ...product.title, ja: '題'.repeat(40), en: 'Title '.repeat(8) },
  }))
  assert.equal(offered(long, 'en')?.label, 'How do the first two differ?')
  assert.equal(offered(long, 'ja')?.label, '最初の2作品の違いは？')
})

test('what two series share is the reason when one of them is liked', () => {
  const liked = onePiece === undefined ? [] : [onePiece]
  const quest = sampleQuest({ conditions: { ...NO_CONDITIONS, like: ['one-piece'] } })
  const intent = { kind: 'suggest', quest, occasion: 'like' } as const
  assert.match(
    compose(meaning(intent, { products: [known], liked }), 'ja').text,
    /『ONE PIECE』.*『鬼滅の刃』.*仲間の絆が共通しています。/,
  )
  assert.match(
    compose(meaning(intent, { products: [known], liked }), 'en').text,
    /One Piece.*Demon Slayer.*They share bonds\./,
  )
})

test('a condition that was relaxed is named', () => {
  const conditions = { ...NO_CONDITIONS, limits: { totalYenMax: 3000 } }
  const intent = { kind: 'suggest', quest: sampleQuest({ conditions }), occasion: 'wish' } as const
  const grounding = meaning(intent, { products: [known], relaxed: ['totalYen'] })
  assert.match(compose(grounding, 'ja').text, /「全巻で3,000円以内」.*全23巻で11,132円/)
  assert.match(compose(grounding, 'en').text, /the price \(under ¥3,000 in all\).*23 volumes, ¥11,132 in all/)
})

test('a sum has its parts and the shipping', () => {
  const cheap = sampleProduct({ id: 'b', volumes: 2, pricePerVolumeYen: 500 })
  const both = meaning({ kind: 'sum', ids: [] }, { products: [known, cheap] })
  assert.match(compose(both, 'ja').text, /12,132円.*11,132円.*1,000円.*送料は無料/)
  assert.match(compose(both, 'en').text, /¥12,132.*¥11,132.*¥1,000.*free/)
  const one = meaning({ kind: 'inform', ids: [], facts: ['total'] }, { products: [cheap] })
  assert.match(compose(one, 'en').text, /¥1,000.*¥500/)
})

test('every fact is stated, or said to be unknown, of a series of which little is known', () => {
  for (const fact of FACTS)
    for (const product of [known, bareProduct()])
      for (const language of LANGUAGES) {
        const { text } = compose(meaning({ kind: 'inform', ids: [], facts: [fact] }, { products: [product] }), language)
        assert.ok(text.length > 10 && !/undefined|NaN|null/u.test(text), `${fact}: ${text}`)
      }
})

test('for a child the age and the content are stated', () => {
  const asked = meaning({ kind: 'inform', ids: [], facts: ['content'], age: 10 }, { products: [known] })
  assert.match(compose(asked, 'ja').text, /流血.*10歳には.*12歳/)
  assert.match(compose(asked, 'en').text, /gore.*(?:12.*10|10.*12)/)
})

test('a volume that the shop does not sell is said not to be sold', () => {
  const asked = (volume: number) =>
    meaning({ kind: 'inform', ids: [], facts: ['stock'], volume }, { products: [known] })
  assert.match(compose(asked(5), 'ja').text, /5巻.*484円/)
  assert.match(compose(asked(24), 'ja').text, /24巻は(?:扱っておりません|ございません)|24巻はございません/)
})

test('an ended series ran in its magazine, a running one does not', () => {
  const asked = (status: 'completed' | 'running') =>
    compose(meaning({ kind: 'inform', ids: [], facts: ['magazine'] }, { products: [{ ...known, status }] }), 'en').text
  assert.match(asked('completed'), /ran in|was serialised/)
  assert.doesNotMatch(asked('running'), /ran in|was/)
})

test('a complaint is met with an apology, the shop’s policy, the way to a person, and the order number', () => {
  const [entry] = sampleFaq()
  const faq = entry === undefined ? [] : [entry]
  const late = meaning({ kind: 'complaint', grievance: 'late', orderId: '123' }, { faq })
  for (const [language, sorry] of [
    ['ja', /申し訳|おわび/u],
    ['en', /sorry/iu],
  ] as const) {
    const { text, sources } = compose(late, language)
    assert.match(text, sorry)
    assert.ok(text.includes('/support') && text.includes('help@shop') && text.includes('123'), text)
    assert.ok(text.includes('3,000'), text)
    assert.deepEqual(sources, [{ kind: 'faq', id: 'shipping', at: '/support' }])
  }
})

test('no sentence is said twice in a conversation, and the same state gives the same answer', () => {
  for (const language of LANGUAGES) {
    for (const intent of [
      { kind: 'talk', topic: 'smalltalk' },
      { kind: 'talk', topic: 'unclear' },
      { kind: 'suggest', quest: sampleQuest(), occasion: 'wish' },
      { kind: 'inform', ids: [], facts: ['status'] },
    ] as const) {
      let said: Said = []
      const seen = new Set<string>()
      for (let turns = 0; turns < 2; turns += 1) {
        const grounding = meaning(intent, { products: [known], state: { ...NO_STATE, said, turns } })
        const { text } = compose(grounding, language)
        assert.equal(compose(grounding, language).text, text)
        for (const sentence of sentencesOf(text)) {
          assert.ok(!seen.has(sentence), `${intent.kind}: ${sentence}`)
          seen.add(sentence)
        }
        said = withSaid(said, text)
      }
    }
  }
})

test('every answer asks at most one question, and its follow-ups have words of their own', () => {
  const intents: readonly Intent[] = [
    { kind: 'suggest', quest: sampleQuest(), occasion: 'noted' },
    { kind: 'identify', quest: sampleQuest() },
    { kind: 'unstocked', name: 'X', quest: sampleQuest() },
    { kind: 'buy', ids: [] },
    { kind: 'choose', ids: [] },
    { kind: 'ask', what: 'series' },
    { kind: 'talk', topic: 'help' },
    { kind: 'complaint', grievance: 'answer' },
  ]
  for (const intent of intents)
    for (const products of [[], sampleShelves().map((product) => ({ ...product, stock: 0 }))])
      for (const language of LANGUAGES) {
        const { text, suggestions } = compose(meaning(intent, { products }), language)
        assert.ok((text.match(/[?？]/gu)?.length ?? 0) <= 1, text)
        for (const { label, message } of suggestions) assert.ok(label.length > 2 && message.length > 3)
      }
})

test('a dislike that was just stated is said back', () => {
  const reading = sampleReading({ avoid: [sampleAspect({ text: '怖い' })] })
  const intent = { kind: 'suggest', quest: sampleQuest(), occasion: 'noted' } as const
  assert.match(compose(meaning(intent, { reading, products: [known] }), 'ja').text, /「怖い」は外します/)
})

test('a series is introduced by what it is, and by the words of the wish where these do not say it', () => {
  const pitched = {
    ...known,
    pitch: { ja: '家族を奪われた少年の鬼退治の物語', en: 'the saga of a boy who hunts demons for his sister' },
  }
  const wish = sampleAspect({ text: '雪山', genres: [] })
  const quest = sampleQuest({ conditions: { ...NO_CONDITIONS, want: [wish] } })
  const wished = { kind: 'suggest', quest, occasion: 'wish' } as const
  const placed = { ...pitched, setting: { ja: '大正時代の雪山', en: 'snowy mountains' } }
  const japanese = compose(meaning(wished, { products: [placed] }), 'ja')
  assert.match(japanese.text, /家族を奪われた少年の鬼退治の物語です。舞台は大正時代の雪山です。/)
  assert.equal(japanese.cards[0]?.why, pitched.pitch.ja)
  const english = compose(suggesting({ products: [pitched, { ...pitched, id: 'other' }, onePiece!] }), 'en')
  assert.match(english.text, /It’s the saga of a boy who hunts demons for his sister\./)
})

test('nothing is asked back after suggestions', () => {
  const [first, ...others] = sampleFaq()
  assert.ok(first !== undefined)
  const { brief: _, details: __, ...entry } = first
  const asking = { ...entry, answer: { ja: 'ご予算は？', en: 'What is your budget?' } }
  const stating = { ...asking, answer: { ja: '包装は330円です。', en: 'Wrapping is 330 yen.' } }
  const textOf = (own: typeof asking) => {
    const grounding = suggesting({ products: [known], faq: [own, ...others] })
    return compose({ ...grounding, intent: { ...grounding.intent, also: own.id } }, 'en').text
  }
  assert.doesNotMatch(textOf(asking), /budget/)
  assert.match(textOf(stating), /Wrapping is 330 yen/)
})

test('after an answer about the service only the service is offered, and not what was just asked', () => {
  const labels = (id: string) => compose(meaning({ kind: 'faq', id }), 'ja').suggestions.map(({ label }) => label)
  for (const id of ['shipping-fee', 'shipping-time', 'payment-methods'])
    assert.deepEqual(labels(id), ['スタッフに連絡する', '返品について'])
  assert.deepEqual(labels('returns'), ['スタッフに連絡する', '送料は？'])
  assert.ok(labels('popular-series').includes('10巻以内で完結'), 'what others read is about books')
})
