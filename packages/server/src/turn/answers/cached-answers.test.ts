// The cache of answers as a turn uses it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharesOf } from '#domain/turn/first-word.ts'
import { memoryAnswerCache } from '#adapters/memory/answer-cache.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { defaults } from '#config/config.ts'
import { introducing } from '@mangaassist/bookseller/fixtures/dialogue'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { AnswerCache } from '#ports/answer-cache/port.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { fails, hangs } from '#fixtures/stores/ports.ts'
import {
  sampleAttempt,
  sampleFaq,
  sampleOutcome,
  sampleProduct,
  sampleStart,
  sampleStoredTurn,
} from '#fixtures/turns/samples.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import { changedSettings } from '#fixtures/turns/normal-settings.ts'
import { cachedSource } from '#domain/answers/cached-source.ts'
import { createCachedAnswers } from './cached-answers.ts'
import type { Routed } from '../turn.ts'

const OUTCOME = sampleOutcome({
  tier: 'primary',
  model: 'model-1',
  productIds: ['kimetsu-no-yaiba'],
  attempts: [sampleAttempt()],
})
const HOUR_MS = 3_600_000

function opened(over: Partial<AnswerCache> = {}, shelves: Partial<Pick<ProductStore, 'byIds'>> = {}) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const cache = { ...memoryAnswerCache({ clock, limits: defaults.answers }), ...over }
  const primary = sampleRung(scriptedModel(clock, answering('x'), 'model-1'))
  const routeOf = () => ({ name: 'primary', first: primary })
  let shelf = [sampleProduct()]
  let edition = { version: 1, offers: 0, source: 'test', digest: 'a', factsDigest: 'a' }
  const byIds = async (ids: readonly string[]) => shelf.filter(({ id }) => ids.includes(id))
  const parts = {
    cache,
    clock,
    telemetry,
    config: defaults,
    products: { byIds, edition: async () => edition, ...shelves },
    faq: sampleFaq(),
    routeOf,
  }
  const settings = changedSettings()
  const answers = createCachedAnswers({ ...parts, settings })
  const restock = (product: Product) => (shelf = [product])
  const reissue = (factsDigest: string) => (edition = { ...edition, factsDigest })
  const economy = sampleRung(scriptedModel(clock, answering('x'), 'model-2'), { tier: 'economy' })
  const routed = (more: Partial<Routed> = {}) =>
    sampleRouted({
      grounding: introducing({ products: [sampleProduct()] }),
      ladder: [primary, economy],
      ...more,
    })
  return { answers, cache, clock, telemetry, routed, restock, reissue, settings }
}

test('while an operator has switched it off, nothing is found and nothing is stored', async () => {
  const { answers, routed, settings, telemetry } = opened()
  await answers.keep(routed(), OUTCOME, 'はい。')
  settings.off.add('answer-cache')
  assert.deepEqual(await answers.lookUp(routed()), { kind: 'unshared', why: 'switched-off' })
  assert.equal(await answers.keep(routed(), OUTCOME, 'はい。'), undefined)
  assert.ok(telemetry.counted.some(({ fields }) => fields?.['reason'] === 'switched-off'))
  settings.off.clear()
  assert.equal((await answers.lookUp(routed())).kind, 'fresh')
})

test('a good answer is found fresh by the next same question, and stale after its hour', async () => {
  const { answers, clock, routed } = opened()
  assert.equal((await answers.lookUp(routed())).kind, 'none')
  await answers.keep(routed(), OUTCOME, 'はい。')
  const other = routed({ start: sampleStart({ turnId: 'turn_2', message: '鬼滅の刃もありますか' }) })
  const same = routed({ start: sampleStart({ turnId: 'turn_2', message: '鬼滅の刃は、ある?' }) })
  assert.equal((await answers.lookUp(other)).kind, 'none')
  const fresh = await answers.lookUp(same)
  assert.ok(fresh.kind === 'fresh')
  assert.deepEqual(fresh.answer, {
    text: 'はい。',
    productIds: ['kimetsu-no-yaiba'],
    tier: 'primary',
    model: 'model-1',
    madeAt: clock.now(),
    madeFor: 'guest_1',
  })
  await clock.advance(HOUR_MS)
  assert.equal((await answers.lookUp(same)).kind, 'stale')
  await clock.advance(23 * HOUR_MS)
  assert.equal((await answers.lookUp(same)).kind, 'none')
})

test('an answer is stored for another wording too, unless that is understood otherwise or is personal', async () => {
  const { answers, routed } = opened()
  const worded = (message: string, more: Partial<Routed> = {}) =>
    routed({ start: sampleStart({ turnId: 'turn_2', message }), ...more })
  const asked = routed()
  const answer = (await answers.keep(asked, OUTCOME, 'はい。')) ?? assert.fail('it may be shared')
  const { grounding } = asked
  const wordings = [
    worded('鬼滅の刃の在庫'),
    worded('鬼滅の刃の値段', { grounding: { ...grounding, intent: { kind: 'talk', topic: 'identity' } } }),
    worded('鬼滅の刃の電話', { missing: ['retrieval'] }),
    worded('090-1234-5678 鬼滅の刃'),
  ]
  for (const wording of wordings) await answers.keepFor(wording, { routed: asked, answer })
  const [same, ...others] = await Promise.all(wordings.map((wording) => answers.lookUp(wording)))
  assert.deepEqual(same?.kind === 'fresh' && same.answer, answer)
  assert.deepEqual(
    others.map(({ kind }) => kind),
    ['none', 'unshared', 'unshared'],
  )
  // While retrieval is missing it is found by its words, as any other.
  assert.equal((await answers.lookUp(worded('鬼滅の刃の在庫', { missing: ['retrieval'] }))).kind, 'stale')
})

test('an answer is not found once a price or the stock it was made from has changed', async () => {
  const { answers, routed } = opened()
  await answers.keep(routed(), OUTCOME, 'はい。')
  const { grounding } = routed()
  const changed = { ...grounding, products: [sampleProduct({ stock: 11 })] }
  assert.equal((await answers.lookUp(routed({ grounding: changed }))).kind, 'none')
})

test('an answer is not found in another edition of the catalogue, also while retrieval is missing', async () => {
  const { answers, reissue, routed } = opened()
  const missing = routed({ grounding: UNGROUNDED, missing: ['retrieval'] })
  await answers.keep(routed(), OUTCOME, 'はい。')
  assert.equal((await answers.lookUp(missing)).kind, 'stale')
  reissue('b')
  assert.equal((await answers.lookUp(routed())).kind, 'none')
  assert.equal((await answers.lookUp(missing)).kind, 'unshared')
  reissue('a')
  assert.equal((await answers.lookUp(routed())).kind, 'fresh')
})

test('an answer that was made with another version of the prompt is not found', async () => {
  const { answers, routed } = opened()
  const asked = (promptVersion: string) => routed({ promptVersion })
  await answers.keep(asked('bookseller-1.aaaaaaaa'), OUTCOME, 'はい。')
  assert.equal((await answers.lookUp(asked('bookseller-1.aaaaaaaa'))).kind, 'fresh')
  assert.equal((await answers.lookUp(asked('bookseller-2.bbbbbbbb'))).kind, 'none')
})

test('an answer that the store contradicts is not stored for others', async () => {
  const { answers, routed } = opened()
  const outcome = { ...OUTCOME, mismatches: [{ kind: 'price', productId: 'kimetsu-no-yaiba' } as const] }
  assert.equal(await answers.keep(routed(), outcome, 'はい。'), undefined)
  assert.equal((await answers.lookUp(routed())).kind, 'none')
})

test('a question that depends on its conversation or mentions a person is neither looked up nor stored', async () => {
  const { answers, routed, telemetry } = opened()
  const talking = routed({ history: [sampleStoredTurn()] })
  const later = routed({ start: sampleStart({ sessionVersion: 3 }) })
  const personal = routed({ start: sampleStart({ message: '注文番号 48213 の鬼滅の刃は？' }) })
  const begun = routed({ begun: { text: 'は', attempts: [] } })
  for (const [one, why] of [
    [talking, 'conversation'],
    [later, 'conversation'],
    [personal, 'personal'],
    [begun, 'conversation'],
  ] as const) {
    assert.equal(await answers.keep(one, OUTCOME, 'はい。'), undefined)
    assert.deepEqual(await answers.lookUp(one), { kind: 'unshared', why })
  }
  assert.equal(telemetry.counted.filter(({ name }) => name === 'answer_cache_lookups_total').length, 4)
  assert.equal(telemetry.counted.filter(({ name }) => name === 'answer_cache_unshared_total').length, 4)
})

test('a fallback’s answer is never stored: not the next model’s, the FAQ’s, or a cached one', async () => {
  const { answers, routed } = opened()
  const lesser = [
    { ...OUTCOME, tier: 'economy', model: 'model-2' },
    { ...OUTCOME, tier: 'faq', model: 'faq', attempts: [] },
    { ...OUTCOME, tier: 'message', model: 'message', attempts: [] },
    { ...OUTCOME, tier: 'cached', attempts: [] },
    { ...OUTCOME, finishReason: 'interrupted' },
  ] as const
  for (const outcome of lesser) assert.equal(await answers.keep(routed(), outcome, 'はい。'), undefined)
  assert.equal(await answers.keep(routed({ missing: ['retrieval'] }), OUTCOME, 'はい。'), undefined)
  assert.equal((await answers.lookUp(routed())).kind, 'none')
})

test('an answer shortened by a small budget is not stored for others', async () => {
  const { answers, routed } = opened()
  const [, economy] = routed().ladder
  assert.ok(economy !== undefined)
  const cheaper = { ...OUTCOME, tier: 'economy', model: 'model-2' } as const
  assert.equal(await answers.keep(routed({ ladder: [economy] }), cheaper, 'はい。'), undefined)
  const { hold } = sampleStart()
  const start = sampleStart({ hold: { ...hold, granted: { ...hold.granted, inputTokens: 900 } } })
  assert.equal(await answers.keep(routed({ start }), OUTCOME, 'はい。'), undefined)
})

test('a cache that is unavailable or slow has nothing, and delays no turn', async () => {
  const failing = opened({ find: fails, keep: fails })
  assert.equal((await failing.answers.lookUp(failing.routed())).kind, 'none')
  assert.equal((await failing.answers.keep(failing.routed(), OUTCOME, 'はい。'))?.text, 'はい。')
  const silent = opened({ find: hangs })
  const lookup = silent.answers.lookUp(silent.routed())
  await silent.clock.advance(sharesOf(defaults.answers.firstWordMs).lookupMs)
  assert.equal((await lookup).kind, 'none')
  assert.equal(silent.clock.timers(), 0)
})

test('a cached answer is marked as cached, and a stale one as a fallback', async () => {
  const { answers, clock, routed } = opened()
  await answers.keep(routed(), OUTCOME, 'はい。')
  const source = { type: 'source', tier: 'cached', model: 'model-1', cached: true }
  const fresh = await answers.lookUp(routed())
  assert.ok(fresh.kind === 'fresh')
  assert.deepEqual(cachedSource(fresh, ''), { ...source, degraded: false, confidence: 1 })
  await clock.advance(HOUR_MS)
  const stale = await answers.lookUp(routed())
  assert.ok(stale.kind === 'stale')
  const expected = { ...source, degraded: true, confidence: 0.5, reason: 'timeout' }
  assert.deepEqual(cachedSource(stale, 'timeout'), expected)
})

/** The state of a turn while search is down: only the words are known. */
const WITHOUT = { missing: ['retrieval'], grounding: UNGROUNDED } as const satisfies Partial<Routed>

test('while retrieval is missing the last answer to the same words is found, and counts as stale', async () => {
  const { answers, routed } = opened()
  assert.deepEqual(await answers.lookUp(routed(WITHOUT)), { kind: 'unshared', why: 'missing' })
  await answers.keep(routed(), OUTCOME, 'はい。')
  const lookup = await answers.lookUp(routed(WITHOUT))
  assert.ok(lookup.kind === 'stale')
  assert.equal(lookup.answer.text, 'はい。')
  const { tier, degraded, confidence, reason } = cachedSource(lookup, 'circuits-open')
  assert.deepEqual([tier, degraded, confidence, reason], ['cached', true, 0.5, 'circuits-open'])
  const typedOtherwise = routed({ ...WITHOUT, start: sampleStart({ message: '鬼滅の刃は　ある？' }) })
  assert.equal((await answers.lookUp(typedOtherwise)).kind, 'stale')
  const otherWords = routed({ ...WITHOUT, start: sampleStart({ message: '別の質問です' }) })
  assert.equal((await answers.lookUp(otherWords)).kind, 'unshared')
})

test('an answer whose series has changed price or stock, or was removed, is not found by its words', async () => {
  for (const change of [{ pricePerVolumeYen: 999 }, { stock: 0 }, { id: 'another' }]) {
    const { answers, routed, restock } = opened()
    await answers.keep(routed(), OUTCOME, 'はい。')
    restock(sampleProduct(change))
    assert.deepEqual(
      await answers.lookUp(routed(WITHOUT)),
      { kind: 'unshared', why: 'missing' },
      JSON.stringify(change),
    )
  }
})

test('an FAQ answer is found by its words while its entry is unchanged', async () => {
  const [entry] = sampleFaq()
  assert.ok(entry !== undefined)
  const { answers, routed } = opened()
  const intent = { kind: 'faq' as const, id: entry.id }
  await answers.keep(routed({ grounding: { ...UNGROUNDED, intent, faq: [entry] } }), OUTCOME, 'はい。')
  assert.equal((await answers.lookUp(routed(WITHOUT))).kind, 'stale')
  const former = { ...entry, answer: { ...entry.answer, ja: '送料は以前のものです' } }
  const fresh = opened()
  await fresh.answers.keep(fresh.routed({ grounding: { ...UNGROUNDED, intent, faq: [former] } }), OUTCOME, '以前。')
  assert.equal((await fresh.answers.lookUp(fresh.routed(WITHOUT))).kind, 'unshared')
})

test('a cached answer is not used when the catalogue cannot be read in time', async () => {
  for (const byIds of [fails, hangs]) {
    const { answers, clock, routed } = opened({}, { byIds })
    await answers.keep(routed(), OUTCOME, 'はい。')
    const pending = answers.lookUp(routed(WITHOUT))
    await clock.advance(sharesOf(defaults.answers.firstWordMs).lookupMs)
    assert.deepEqual(await pending, { kind: 'unshared', why: 'missing' })
  }
})

test('words inside a conversation find nothing: there they may mean something else', async () => {
  const { answers, routed } = opened()
  await answers.keep(routed(), OUTCOME, 'はい。')
  const later = routed({ ...WITHOUT, start: sampleStart({ sessionVersion: 3 }) })
  assert.deepEqual(await answers.lookUp(later), { kind: 'unshared', why: 'conversation' })
})

test('a person’s answers are removed with their copies, and counted once', async () => {
  const { answers, cache, routed } = opened()
  await answers.keep(routed(), OUTCOME, 'はい。')
  assert.equal(await cache.forgetOf(routed().start.principal.id), 1)
  assert.deepEqual(
    [(await answers.lookUp(routed())).kind, (await answers.lookUp(routed(WITHOUT))).kind],
    ['none', 'unshared'],
  )
})

test('an answer is stored with what was shown with it', async () => {
  const { answers, routed } = opened()
  const suggestions = [{ label: '全巻', message: '全巻でいくら？' }]
  const sources = [{ kind: 'product', id: 'kimetsu-no-yaiba', at: '2026-11-04T03:00:00.000Z' }] as const
  await answers.keep(routed(), { ...OUTCOME, suggestions, sources }, 'はい。')
  const lookup = await answers.lookUp(routed())
  assert.ok(lookup.kind === 'fresh')
  assert.deepEqual(cachedSource(lookup, '').shownWith, { suggestions, sources })
})

test('without retrieval an answer from the page of another series is not found', async () => {
  const { answers, routed } = opened()
  const on = (productId: string) => routed({ start: sampleStart({ page: { productId } }) })
  await answers.keep(on('kimetsu-no-yaiba'), OUTCOME, 'はい。')
  const missing = { missing: ['retrieval'], grounding: UNGROUNDED } as const
  const foundOn = async (productId: string) => (await answers.lookUp({ ...on(productId), ...missing })).kind
  assert.equal(await foundOn('kimetsu-no-yaiba'), 'stale')
  assert.equal(await foundOn('one-piece'), 'unshared')
})
