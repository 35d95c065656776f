// Vectors of the catalogue, the FAQ and questions while the embedder works, is slow, fails and comes back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { memoryShelf } from '@mangaassist/bookseller/retrieval/memory-shelf'
import { memoryEmbedder } from '#adapters/memory/embedder.ts'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { memoryVectorStore } from '#adapters/memory/vector-store.ts'
import { NodeLane } from '#domain/lane/node-lane.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import { failure } from '#domain/model/model-failure.ts'
import { bundledVectors } from '#fixtures/shop/word-vectors.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleFaq, sampleProduct } from '#fixtures/turns/samples.ts'
import type { Embedded } from '#ports/embedder/port.ts'
import { createEmbeddings } from './embeddings.ts'
import { guardedEmbedder } from './guarded-embedder.ts'

const BOOKS = ['pirates sail to the island', 'a cook opens a small restaurant', 'a detective solves a murder at night']

const book = (id: string, en: string): Product =>
  sampleProduct({ id, hooks: { ja: [], en: [en] }, themes: { ja: [], en: ['friendship', `about ${en}`] } })
const shelves = () => BOOKS.map((en, place) => book(`book-${place}`, en))
const failed = (error: Parameters<typeof failure>[0], retryAfterMs?: number): Embedded => ({
  kind: 'failed',
  failure: { ...failure(error, 'as the test wishes'), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
})

async function setUp(context: TestContext) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const embedder = memoryEmbedder(128, 4)
  const products = memoryProductStore()
  await products.replaceAll(shelves(), 'test')
  const store = memoryVectorStore()
  let faq = sampleFaq()
  const open = () => {
    const lane = new NodeLane({
      name: 'embedder',
      policy: dependencyPolicy({}, 'embedder'),
      now: clock.now,
      float: () => 0.5,
    })
    const guarded = guardedEmbedder({ embedder, lane, clock, telemetry, inputMicroUsdPerMillion: 20_000 })
    const parts = { guarded, lane, store, products, faq: () => faq, clock, float: () => 0.5, telemetry }
    const embeddings = createEmbeddings({ ...parts, questionMs: 150, callsMax: 2 })
    context.after(() => embeddings[Symbol.dispose]())
    return embeddings
  }
  const shelf = () => memoryShelf(shelves(), bundledVectors()).shelf
  const outcomes = () =>
    telemetry.counted.flatMap(({ name, fields }) => (name === 'embedder_questions_total' ? [fields['outcome']] : []))
  const embeddings = open()
  return {
    clock,
    telemetry,
    embedder,
    products,
    open,
    embeddings,
    outcomes,
    shelf: shelf(),
    setFaq: (entries: typeof faq) => (faq = entries),
  }
}

test('series and FAQ are embedded in batches, each text once; then a question is compared with them', async (context) => {
  const { embedder, embeddings, outcomes, shelf } = await setUp(context)
  assert.equal(embeddings.status().state, 'unknown')
  assert.equal(await embeddings.ask({ text: 'pirates', shelf }), undefined)
  assert.deepEqual(outcomes(), ['not-ready'])
  await embeddings.embedMissing()
  const { documents, embedded, state } = embeddings.status()
  assert.deepEqual([state, documents, embedded], ['ready', BOOKS.length + sampleFaq().length, documents])
  // Asked again as questions, to measure the scale.
  const texts = embedder.embedded.filter((text) => text === 'friendship')
  assert.equal(texts.length, 1, 'a text that several series have')
  const meaning = await embeddings.ask({ text: 'a cook opens a restaurant', shelf })
  assert.equal(meaning?.model, 'memory')
  const scores = BOOKS.map((_, product) => meaning?.match(product, 5)?.score ?? 0)
  assert.equal(scores.indexOf(Math.max(...scores)), 1)
  assert.ok(scores[1]! > 0.5 && scores[0]! < 0.3, scores.join())
  const near = BOOKS.map((_, product) => meaning?.near(product) ?? 0)
  assert.equal(near.indexOf(Math.max(...near)), 1)
})

test('a restart uses what is stored, and embeds nothing', async (context) => {
  const { embedder, embeddings, open, shelf } = await setUp(context)
  await embeddings.embedMissing()
  const before = embedder.embedded.length
  const again = open()
  await again.survey()
  assert.equal(again.status().state, 'ready')
  assert.ok((await again.ask({ text: BOOKS[0]!, shelf })) !== undefined)
  await again.embedMissing()
  assert.deepEqual(embedder.embedded.slice(before), [BOOKS[0]])
})

test('changed content is embedded again, and nothing else; what is gone is removed', async (context) => {
  const { embedder, embeddings, products } = await setUp(context)
  await embeddings.embedMissing()
  const before = embedder.embedded.length
  const [first, ...others] = shelves()
  const changed = { ...first!, hooks: { ja: [], en: ['pirates find a treasure'] } }
  await products.replaceAll([changed, ...others], 'import')
  await embeddings.embedMissing()
  assert.deepEqual(embedder.embedded.slice(before), ['pirates find a treasure'])
  await products.replaceAll([changed, ...others.map((other) => ({ ...other, volumes: 99 }))], 'import')
  await embeddings.embedMissing()
  await products.replaceAll([changed, others[0]!], 'import')
  await embeddings.embedMissing()
  assert.equal(embedder.embedded.length, before + 1, 'other facts and fewer series need no vector')
  assert.equal(embeddings.status().documents, 2 + sampleFaq().length)
})

test('until a new edition is embedded as a whole, words are compared', async (context) => {
  const { embedder, embeddings, products, shelf } = await setUp(context)
  await embeddings.embedMissing()
  await products.replaceAll([...shelves(), book('new', 'a knight without a horse')], 'import')
  assert.equal(await embeddings.ask({ text: 'pirates', shelf }), undefined)
  embedder.answer = async () => failed('access-denied')
  await embeddings.embedMissing()
  assert.deepEqual(embeddings.status(), {
    state: 'embedding',
    documents: 4 + sampleFaq().length,
    embedded: 3 + sampleFaq().length,
    failure: 'access-denied: as the test wishes',
  })
  assert.equal(await embeddings.ask({ text: 'pirates', shelf }), undefined)
})

test('a throttled call is tried again after the vendor’s pause, and the rest is embedded', async (context) => {
  const { clock, embedder, embeddings } = await setUp(context)
  let calls = 0
  embedder.answer = async () => {
    calls += 1
    if (calls === 2) embedder.answer = undefined
    return failed('throttled', 4000)
  }
  const done = embeddings.embedMissing()
  await clock.advance(3900)
  assert.equal(embedder.embedded.length, 0)
  await clock.advance(60_000)
  await done
  assert.equal(embeddings.status().state, 'ready')
})

test('a vendor that fails is left alone for a while, longer each time, and reported once', async (context) => {
  const { clock, embedder, embeddings, telemetry } = await setUp(context)
  let calls = 0
  embedder.answer = async () => {
    calls += 1
    return failed('access-denied')
  }
  const perRound: number[] = []
  for (let second = 0; second < 120; second += 5) {
    const before = calls
    await embeddings.embedMissing()
    if (calls > before) perRound.push(second)
    await clock.advance(5000)
  }
  assert.deepEqual(perRound, [0, 15, 45, 105])
  assert.equal(telemetry.logged.filter(({ event }) => event === 'embedder.failed').length, 1)
  embedder.answer = undefined
  await clock.advance(300_000)
  await embeddings.embedMissing()
  assert.equal(embeddings.status().state, 'ready')
  assert.equal(telemetry.logged.filter(({ event }) => event === 'embedder.embedded').length, 1)
})

test('a batch that fails in the middle keeps what was embedded before', async (context) => {
  const { clock, embedder, embeddings } = await setUp(context)
  const usual = embedder.embed
  let texts = 0
  embedder.answer = async (asked) => {
    if (asked.some((text) => text.includes('murder'))) return failed('invalid')
    texts += asked.length
    embedder.answer = undefined
    const answer = await usual({ texts: asked, purpose: 'document', signal: new AbortController().signal })
    embedder.answer = async (next) =>
      next.some((text) => text.includes('murder')) ? failed('invalid') : usualAgain(next)
    return answer
  }
  const usualAgain = async (asked: readonly string[]) => {
    const kept = embedder.answer
    embedder.answer = undefined
    const answer = await usual({ texts: asked, purpose: 'document', signal: new AbortController().signal })
    embedder.answer = kept
    return answer
  }
  await embeddings.embedMissing()
  const { embedded, state } = embeddings.status()
  assert.equal(state, 'embedding')
  assert.ok(embedded < BOOKS.length + sampleFaq().length && texts > 0)
  const before = embedder.embedded.length
  embedder.answer = undefined
  await clock.advance(20_000)
  await embeddings.embedMissing()
  assert.equal(embeddings.status().state, 'ready')
  assert.ok(embedder.embedded.slice(before).some((text) => text.includes('murder')))
})

test('a slow vendor is waited for 150 ms; then words are compared, and a text that failed is not tried at once', async (context) => {
  const { clock, embedder, embeddings, outcomes, shelf } = await setUp(context)
  await embeddings.embedMissing()
  let calls = 0
  embedder.answer = () => {
    calls += 1
    return new Promise(() => {})
  }
  const asked = embeddings.ask({ text: 'slow', shelf })
  await clock.advance(2000)
  assert.equal(await asked, undefined)
  const at = clock.now()
  embedder.answer = undefined
  await clock.advance(1000)
  assert.ok((await embeddings.ask({ text: 'slow', shelf })) !== undefined)
  assert.ok(clock.now() - at <= 1000)
  assert.deepEqual([calls, outcomes()], [1, ['late', 'embedded']])
})

test('the same question is embedded once, also when it is asked twice at the same time', async (context) => {
  const { embedder, embeddings, outcomes, shelf } = await setUp(context)
  await embeddings.embedMissing()
  const before = embedder.embedded.length
  await Promise.all([embeddings.ask({ text: 'twice', shelf }), embeddings.ask({ text: 'twice', shelf })])
  await embeddings.ask({ text: 'twice', shelf })
  assert.deepEqual(embedder.embedded.slice(before), ['twice'])
  assert.deepEqual(outcomes(), ['embedded', 'cached'])
})

test('after repeated failures the circuit is open: questions fall back at once, and probes close it', async (context) => {
  const { clock, embedder, embeddings, outcomes, shelf } = await setUp(context)
  await embeddings.embedMissing()
  let calls = 0
  embedder.answer = async () => {
    calls += 1
    return failed('unavailable')
  }
  for (let question = 0; question < 6; question += 1) {
    await embeddings.ask({ text: `question ${question}`, shelf })
    await clock.advance(600)
    embeddings.lane.tick()
    if (embeddings.lane.view().phase === 'open') break
  }
  assert.equal(embeddings.lane.view().phase, 'open')
  const made = calls
  assert.equal(await embeddings.ask({ text: 'while open', shelf }), undefined)
  assert.deepEqual([calls, outcomes().at(-1)], [made, 'refused'])
  assert.match(embeddings.status().failure ?? '', /circuit of the embedder is open/u)
  embedder.answer = undefined
  for (let second = 0; second < 60 && embeddings.lane.view().phase !== 'closed'; second += 1) {
    await clock.advance(1000)
    embeddings.lane.tick()
    await embeddings.heal()
  }
  assert.ok((await embeddings.ask({ text: 'afterwards', shelf })) !== undefined)
  assert.equal(embeddings.status().failure, undefined)
})

test('an FAQ entry is found by what it means; anything else is not taken for one', async (context) => {
  const { embeddings } = await setUp(context)
  await embeddings.embedMissing()
  const [entry] = sampleFaq()
  assert.equal(await embeddings.faqFor(`${entry!.questions.en[0]} please`), entry!.id)
  assert.equal(await embeddings.faqFor('zebra quantum umbrella'), undefined)
})

test('a new FAQ is embedded too', async (context) => {
  const { embedder, embeddings, setFaq } = await setUp(context)
  await embeddings.embedMissing()
  const before = embedder.embedded.length
  const [entry, ...others] = sampleFaq()
  setFaq([{ ...entry!, answer: { ...entry!.answer, en: 'Something else entirely.' } }, ...others])
  await embeddings.embedMissing()
  assert.deepEqual(embedder.embedded.slice(before), ['Something else entirely.'])
})

test('what the calls used is counted with its cost, once', async (context) => {
  const { embedder, embeddings } = await setUp(context)
  assert.equal(embeddings.takeUsage(), undefined)
  await embeddings.embedMissing()
  const used = embeddings.takeUsage()
  const tokens = embedder.embedded.join('').length
  assert.deepEqual(used && { ...used, calls: 0 }, {
    calls: 0,
    inputTokens: tokens,
    isEstimated: false,
    costMicroUsd: Math.ceil((tokens * 20_000) / 1_000_000),
  })
  assert.equal(embeddings.takeUsage(), undefined)
})
