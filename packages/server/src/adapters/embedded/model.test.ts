// The built-in responder behind the model port: grounded, bilingual, streamed, and stopped by an abort.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { textMessage } from '#domain/model/model-message.ts'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { introducing, sampleAspect, sampleQuest, suggesting } from '@mangaassist/bookseller/fixtures/dialogue'
import type { Intent } from '@mangaassist/bookseller/dialogue/intent'
import { modelContract, sampleModelRequest } from '#ports/model/contract.ts'
import type { ModelPart, ModelRequest } from '#ports/model/port.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleFaq, sampleShelves } from '#fixtures/turns/samples.ts'
import { collect } from '#fixtures/time/streams.ts'
import { compose } from '@mangaassist/bookseller/dialogue/compose'
import { EMBEDDED_MODEL_ID, embeddedModel } from './model.ts'

const LANGUAGES = ['ja', 'en'] as const
const ids = ['one-piece', 'yotsuba-to']
const quest = sampleQuest()
/** One of every kind: a new kind must be added here. */
const INTENTS: { readonly [Kind in Intent['kind']]: Extract<Intent, { kind: Kind }> } = {
  suggest: { kind: 'suggest', quest, occasion: 'wish' },
  identify: { kind: 'identify', quest },
  introduce: { kind: 'introduce', ids, isGuessed: false },
  inform: { kind: 'inform', ids, facts: ['status', 'price'] },
  sum: { kind: 'sum', ids },
  fit: { kind: 'fit', ids, aspects: [sampleAspect()] },
  compare: { kind: 'compare', ids, measures: ['longer'] },
  works: { kind: 'works', people: ['尾田栄一郎'], part: 'any', quest },
  explain: { kind: 'explain', ids },
  unstocked: { kind: 'unstocked', name: 'X', quest },
  choose: { kind: 'choose', ids },
  buy: { kind: 'buy', ids },
  order: { kind: 'order', topic: 'status' },
  complaint: { kind: 'complaint', grievance: 'late' },
  person: { kind: 'person' },
  faq: { kind: 'faq', id: 'shipping' },
  ask: { kind: 'ask', what: 'series' },
  talk: { kind: 'talk', topic: 'greet' },
}
const meaning = (intent: Intent, over: Partial<Grounding> = {}): Grounding => ({ ...UNGROUNDED, intent, ...over })
const recommending = suggesting()
const question = 'おすすめは？'

const request = (over: Partial<ModelRequest> = {}) =>
  sampleModelRequest({ grounding: recommending, messages: [textMessage('user', question)], ...over })
const fast = () => embeddedModel({ clock: manualClock(), tokensPerSecond: 0 })
const textOf = (parts: readonly ModelPart[]) =>
  parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')

modelContract('embedded', async () => fast())

const anyGrounding: fc.Arbitrary<Grounding> = fc
  .record({
    intent: fc.constantFrom(...Object.values(INTENTS)),
    products: fc.shuffledSubarray([...sampleShelves()]),
    liked: fc.shuffledSubarray([...sampleShelves()]),
    faq: fc.shuffledSubarray([...sampleFaq()]),
  })
  .map((found) => ({ ...UNGROUNDED, ...found }))

test('an answer names only retrieved titles, whatever the question', () => {
  fc.assert(
    fc.property(anyGrounding, fc.constantFrom(...LANGUAGES), (grounding, language) => {
      const { text } = compose(grounding, language)
      const retrieved = new Set([...grounding.products, ...grounding.liked].map(({ id }) => id))
      for (const { id, title } of sampleShelves()) {
        if (!retrieved.has(id)) assert.ok(!text.includes(title[language]), `${title[language]} in ${text}`)
      }
    }),
  )
})

test('every kind of question gets an answer in both languages, even with nothing retrieved', () => {
  for (const intent of Object.values(INTENTS)) {
    const said = LANGUAGES.map((language) => compose(meaning(intent), language).text)
    assert.ok(said.every((text) => text.length > 10))
    assert.match(said[0] ?? '', /[ぁ-ん]/u)
    assert.doesNotMatch(said[1] ?? '', /[ぁ-ん]/u)
  }
})

test('price, stock and volumes are those of the catalogue', () => {
  const products = sampleShelves().map((product) => ({ ...product, pricePerVolumeYen: 1234, stock: 0 }))
  const grounding = introducing({ products })
  assert.match(compose(grounding, 'ja').text, /鬼滅の刃.*全23巻.*1巻1,234円.*在庫切れ/u)
  assert.match(compose(grounding, 'en').text, /Demon Slayer.*out of stock.*23 volumes.*¥1,234/u)
})

test('an FAQ question gets the FAQ’s own answer', () => {
  const grounding = meaning(INTENTS.faq, { products: sampleShelves(), faq: sampleFaq() })
  assert.equal(compose(grounding, 'en').text, 'Free from 3,000 yen.')
})

test('the stream is well formed, and its deltas are the text', async () => {
  for (const language of LANGUAGES) {
    const parts = await collect(fast().stream(request({ language })))
    assert.deepEqual(parts[0], { type: 'message-start', model: EMBEDDED_MODEL_ID })
    assert.deepEqual(parts.at(-1), { type: 'message-end', stopReason: 'end' })
    assert.equal(textOf(parts), compose(recommending, language).text)
    const usage = parts.find((part) => part.type === 'usage')
    assert.equal(usage?.outputTokens, genericCounter.text(textOf(parts)))
    assert.ok((usage?.inputTokens ?? 0) > 0)
  }
})

test('the answer ends at the output limit, with finish reason length', async () => {
  const parts = await collect(fast().stream(request({ maxOutputTokens: 5 })))
  const spoken = textOf(parts)
  assert.ok(spoken.length > 0 && genericCounter.text(spoken) <= 5, spoken)
  assert.ok(compose(recommending, 'ja').text.startsWith(spoken))
  assert.deepEqual(parts.at(-1), { type: 'message-end', stopReason: 'length' })
})

test('the answer is streamed at the configured pace', async () => {
  const clock = manualClock()
  const said: ModelPart[] = []
  const speaking = (async () => {
    for await (const part of embeddedModel({ clock, tokensPerSecond: 10 }).stream(request({ maxOutputTokens: 6 })))
      said.push(part)
  })()
  await clock.advance(0)
  assert.equal(said.filter((part) => part.type === 'text-delta').length, 1)
  await clock.advance(100)
  assert.equal(said.filter((part) => part.type === 'text-delta').length, 2)
  await clock.advance(100)
  await speaking
})

test('an abort ends the stream at once with a cancelled error, and leaves no timer', async () => {
  const clock = manualClock()
  const controller = new AbortController()
  const parts = collect(embeddedModel({ clock, tokensPerSecond: 1 }).stream(request({ signal: controller.signal })))
  await clock.advance(1500)
  controller.abort()
  const last = (await parts).at(-1)
  assert.ok(last?.type === 'model-error' && last.class === 'cancelled')
  assert.equal(clock.timers(), 0)
})

test('a signal that is already aborted yields no text', async () => {
  const parts = await collect(fast().stream(request({ signal: AbortSignal.abort() })))
  assert.deepEqual(
    parts.map(({ type }) => type),
    ['model-error'],
  )
})

test('a continuation repeats the shown text and continues it; a different beginning is refused', async () => {
  const whole = textOf(await collect(fast().stream(request())))
  const again = await collect(fast().stream(request({ shown: whole.slice(0, 5) })))
  assert.equal(textOf(again), whole)
  const [part, ...others] = await collect(fast().stream(request({ shown: `${whole.slice(0, 5)}…` })))
  assert.deepEqual([part?.type === 'model-error' && part.class, others.length], ['invalid', 0])
})
