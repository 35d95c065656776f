// Conversations about the service and beside the point, as the whole assistant with its trained FAQ reads them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { converse } from '#cli/evaluate/assistant.ts'
import { wireSearches } from '#wiring/profiles/look-up.ts'

const searches = await wireSearches({})
after(() => searches[Symbol.dispose]())

function conversation() {
  const respond = converse(searches.lookUp)
  return (message: string) => respond({ message, interfaceLanguage: detectLanguage(message) })
}

test('what is said after a complaint is still about it, and goes to the staff with the number of the order', async () => {
  const damaged = conversation()
  await damaged('one of the books you sent arrived with a torn cover')
  const volume = await damaged("it's volume 3 of Berserk")
  assert.match(volume.text, /support@/)
  assert.doesNotMatch(volume.text, /¥/)
  const order = await damaged('my order number is 12345')
  assert.match(order.text, /12345/)
  assert.doesNotMatch(order.text, /tracking/)
  const late = conversation()
  await late('注文した本がまだ届きません')
  assert.match((await late('もう10日たってます')).text, /おわび|申し訳|スタッフ/)
  const angry = conversation()
  await angry("I've been waiting three weeks for my order")
  assert.match((await angry("that's not good enough")).text, /staff/)
})

test('small talk refuses nothing', async () => {
  const say = conversation()
  await say('こんにちは')
  assert.doesNotMatch((await say('今日はいい天気ですね')).text, /変えましょうか/)
})

test('a misspelt question for the volumes buys nothing, and a price asked "complete" asks for no status', async () => {
  const say = conversation()
  await say('do you have Demon Slayer?')
  assert.match((await say('how manny volums')).text, /23 volumes/)
  const two = conversation()
  await two("What's the difference between Monster and 20th Century Boys?")
  const cheaper = await two('and which is cheaper to buy complete?')
  assert.match(cheaper.text, /¥12,870/)
  assert.doesNotMatch(cheaper.text, /(?:is|it’s) (?:finished|complete)/i)
})

test('what a series contains is said once where its age is asked', async () => {
  const say = conversation()
  await say('鬼滅の刃は全巻でいくら？')
  const { text } = await say('小学3年生でも読める？')
  assert.equal(text.match(/激しい暴力の場面/gu)?.length, 1, text)
})

test('the age of a child is no title, and similar series may be asked for in hiragana alone', async () => {
  const gift = await conversation()('gift for a ten year old boy who likes dinosaurs, max 3000 yen')
  assert.doesNotMatch(gift.text, /Old Boy/)
  const say = conversation()
  await say('鬼滅の刃ありますか')
  const similar = await say('にたやつおしえて')
  assert.ok(similar.cards.length > 1 && !similar.cards.includes('kimetsu-no-yaiba'), similar.text)
})

const ORDER = 'order_Isjr9ddGhCbo2XmWR3EXmr'
for (const [before, asked, language] of [
  ['進撃の巨人みたいなのある？', `${ORDER} はどこ？`, 'ja'],
  ['荷物が届きません', ORDER, 'ja'],
  ['こんにちは', `注文 ${ORDER} をキャンセルしたい`, 'ja'],
  ['something like Naruto', `where is ${ORDER}?`, 'en'],
  ['hello', `Please cancel ${ORDER}`, 'en'],
] as const)
  test(`the id of an order is quoted as it was written, in the language of the chat: ${before} / ${asked}`, async () => {
    const respond = converse(searches.lookUp)
    await respond({ message: before, interfaceLanguage: language })
    const { text, cards } = await respond({ message: asked, interfaceLanguage: language })
    assert.ok(text.includes(ORDER), text)
    assert.deepEqual([detectLanguage(text), cards], [language, []])
  })

for (const message of ['I want to send a book back', 'how do I give a book back', '買ったやつ返品したい'])
  test(`the answer to a wish to return a book states until when, and how: ${message}`, async () => {
    const { text } = await conversation()(message)
    assert.match(text, /30(?: days|日)/)
    assert.match(text, /order number|注文番号/)
    assert.match(text, /\(\/support\)/)
  })

test('the answer about an opened book states that it cannot be returned', async () => {
  assert.match((await conversation()('I opened it, can I send the book back?')).text, /only return unopened books/)
})
