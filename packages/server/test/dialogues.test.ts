// Conversations with the whole bookshop: what was said before counts, and every answer along the way is grounded.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Language } from '@mangaassist/protocol'
import type { Product } from '#domain/catalogue.ts'
import { detectLanguage } from '#domain/language.ts'
import { readFaq } from '#wiring/bundled-data.ts'
import { openBookshop } from './fixtures/bookshop.ts'
import { assertGrounded } from './fixtures/claims.ts'

const shop = await openBookshop()
const store = { products: shop.products, faq: await readFaq(join(import.meta.dirname, '../../..')) }

interface Said {
  readonly text: string
  readonly language: Language
  readonly shown: readonly Product[]
}

function conversation(): (message: string) => Promise<Said> {
  let sessionId: string | undefined
  return async (message) => {
    const reply = await shop.ask(message, sessionId === undefined ? {} : { sessionId })
    sessionId = reply.sessionId
    const language = detectLanguage(reply.text)
    assertGrounded(reply.text, language, store)
    const shown = reply.products.map(({ id }) => store.products.find((product) => product.id === id)!)
    return { text: reply.text, language, shown }
  }
}

const idsOf = ({ shown }: Said) => shown.map(({ id }) => id)
const every = ({ shown }: Said, is: (product: Product) => boolean) => shown.length > 0 && shown.every(is)
const least = (products: readonly Product[], of: (product: Product) => number) => Math.min(...products.map(of))

test('shorter ones are all shorter than the shortest shown, and the second one is the second card', async () => {
  const say = conversation()
  const healing = await say('癒やされる漫画を教えて')
  assert.ok(every(healing, ({ moods }) => moods.includes('cosy') || moods.includes('heartwarming')))
  const shorter = await say('もっと短いのは？')
  assert.ok(every(shorter, ({ volumes }) => volumes < least(healing.shown, (product) => product.volumes)))
  const second = await say('2番目のは在庫ある？')
  assert.deepEqual(idsOf(second), [shorter.shown[1]?.id])
  assert.match(second.text, new RegExp(`${shorter.shown[1]?.stock}点`))
})

test('the second one stays the one that is talked about', async () => {
  const say = conversation()
  const thrillers = await say('Can you recommend a thriller?')
  assert.ok(every(thrillers, ({ genres }) => genres.includes('thriller')))
  const second = thrillers.shown[1]
  assert.deepEqual(idsOf(await say('is the second one in stock?')), [second?.id])
  const price = await say('And how much is it?')
  assert.deepEqual(idsOf(price), [second?.id])
  assert.ok(price.text.includes(`¥${second?.pricePerVolumeYen}`))
})

test('a series is asked about without its name, and then for its like', async () => {
  const say = conversation()
  assert.match((await say('進撃の巨人ってどんな話？')).text, /巨人におびえて/)
  assert.match((await say('それは何巻？')).text, /全34巻/)
  assert.match((await say('いくら？')).text, /『進撃の巨人』は1巻550円/)
  const similar = await say('似たのある？')
  assert.ok(every(similar, ({ id, moods }) => id !== 'shingeki-no-kyojin' && moods.includes('dark')))
})

test('what is sold out is said to be, and what is like it and in stock is', async () => {
  const say = conversation()
  assert.match((await say('Do you have Banana Fish?')).text, /out of stock/)
  const similar = await say('Okay, something similar then, but in stock')
  assert.ok(every(similar, ({ id, stock }) => id !== 'banana-fish' && stock > 0))
})

test('wishes gather: each one keeps those before it', async () => {
  const say = conversation()
  const isSf = ({ genres }: Product) => genres.includes('sci-fi')
  assert.ok(every(await say('SFが読みたいです'), isSf))
  const finished = await say('完結してるのがいい')
  assert.ok(every(finished, (product) => isSf(product) && product.status === 'completed'))
  const short = await say('10巻以内で')
  assert.ok(every(short, (product) => isSf(product) && product.status === 'completed' && product.volumes <= 10))
})

test('a lighter mood drives the sad one out, and other ones are others', async () => {
  const say = conversation()
  const isRomance = ({ genres }: Product) => genres.includes('romance')
  assert.ok(every(await say('I want a sad romance'), (product) => isRomance(product) && product.moods.includes('sad')))
  const lighter = await say('something lighter')
  assert.ok(every(lighter, (product) => isRomance(product) && product.moods.includes('light')))
  const others = await say('other ones?')
  assert.ok(every(others, (product) => isRomance(product) && !idsOf(lighter).includes(product.id)))
})

test('what is not wanted stays away, and cheaper ones are cheaper than the cheapest shown', async () => {
  const say = conversation()
  await say('Looking for fantasy')
  const isWanted = ({ genres }: Product) => genres.includes('fantasy') && !genres.includes('romance')
  const without = await say('without romance please')
  assert.ok(every(without, isWanted))
  const cheaper = await say('cheaper?')
  const limit = least(without.shown, ({ pricePerVolumeYen }) => pricePerVolumeYen)
  assert.ok(every(cheaper, (product) => isWanted(product) && product.pricePerVolumeYen < limit))
})

test('who changes the language is answered in it, about the same series', async () => {
  const say = conversation()
  const horror = await say('ホラーのおすすめある？')
  const shortest = await say('Sorry, can you answer in English? Which one is the shortest?')
  assert.deepEqual([horror.language, shortest.language, idsOf(shortest)], ['ja', 'en', idsOf(horror)])
  const fewest = horror.shown.find(({ volumes }) => volumes === least(horror.shown, (product) => product.volumes))
  assert.match(shortest.text, new RegExp(`\\*\\*${fewest?.title.en}\\*\\* is[^.]*short`))
  const japanese = conversation()
  assert.equal((await japanese('Tell me about Mushishi')).language, 'en')
  const stock = await japanese('日本語でお願いします。在庫はありますか？')
  assert.deepEqual([stock.language, idsOf(stock)], ['ja', ['mushishi']])
})

test('the shortest of an author’s is picked from those shown', async () => {
  const say = conversation()
  const works = await say('高橋留美子の漫画ある？')
  assert.ok(every(works, ({ author }) => author.ja === '高橋留美子'))
  const fewest = works.shown.find(({ volumes }) => volumes === least(works.shown, (product) => product.volumes))
  assert.ok((await say('一番短いのはどれ？')).text.includes(`『${fewest?.title.ja}』（${fewest?.volumes}巻）`))
})

test('the only one of its kind is shown, and no other is called that', async () => {
  const say = conversation()
  assert.deepEqual(idsOf(await say('百合ある？')), ['yagate-kimi-ni-naru'])
  const others = await say('他には？')
  assert.deepEqual(idsOf(others), [])
  assert.match(others.text, /見つかりませんでした/)
})

test('the shop’s own matters and courtesies need no cards', async () => {
  const say = conversation()
  assert.match((await say('ドラえもんほしい')).text, /品切れ/)
  for (const [message, answer] of [
    ['入荷したら知らせてもらえる？', /お知らせをお申し込み/],
    ['ありがとう！', /どういたしまして|うれしいです/],
  ] as const) {
    const said = await say(message)
    assert.match(said.text, answer)
    assert.deepEqual(idsOf(said), [])
  }
})

test('a series that we do not have is not there, whatever was shown before', async () => {
  const say = conversation()
  await say('蟲師の在庫は？')
  const absent = await say('チェンソーマンは置いていますか？いくらですか？')
  assert.match(absent.text, /見つかりませんでした/)
  assert.deepEqual(idsOf(absent), [])
})
