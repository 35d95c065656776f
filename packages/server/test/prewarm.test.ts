// The prewarm in the whole app over memory ports and virtual time, and its lease on a real Redis.
import assert from 'node:assert/strict'
import { currentFaq } from '#domain/catalogue/current-faq.ts'
import { test } from 'node:test'
import { releaseQuestions } from '@mangaassist/bookseller/catalogue/release-questions'
import { redisTasks } from '#adapters/redis/tasks/tasks.ts'
import { createApp } from '#app/app.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { collect } from '#fixtures/time/streams.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { MADE, PREWARM_AT, prewarmNode, RELEASE_DAY } from '#fixtures/turns/prewarm.ts'
import { PRICED, GUEST, sampleReceived } from '#fixtures/turns/turns.ts'
import { readCatalogue, readFaq } from '#wiring/bundled-data.ts'
import type { Config } from '#config/config.ts'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { Model } from '#ports/model/port.ts'

const never = new AbortController().signal
const MINUTE_MS = 60_000
const open = cleanRedis()

const FACTS: ModelFacts = {
  price: PRICED,
  contextTokensMax: 100_000,
  outputTokensMax: 4000,
  trailingAssistant: true,
  temperature: true,
  tokenizer: 'claude-3',
}
const vendor: Config = { ...testConfig, models: { primary: { provider: 'bedrock', id: 'p' } }, ladder: ['primary'] }

/** The bundled shop at 23:29 of the Tuesday before RELEASE_DAY. */
async function setUp(config: Config) {
  const clock = manualClock(PREWARM_AT - MINUTE_MS)
  const ports = await testPorts(clock)
  const { products } = await readCatalogue()
  await ports.products.replaceAll(products, 'test')
  const called: string[] = []
  const modelOf = (name: string): Model => ({
    id: `${name}-id`,
    ...(config === testConfig ? {} : { facts: FACTS }),
    stream: (request) => (
      called.push(name),
      scriptedModel(clock, answering('はい、あります。'), `${name}-id`).stream(request)
    ),
  })
  const models = new Map(config.ladder.map((name) => [name, modelOf(name)]))
  const app = createApp({ ...ports, faq: currentFaq(await readFaq()), models, lanes: testLanes(ports, config) }, config)
  app.start()
  let asked = 0
  const ask = async (message: string) => {
    asked += 1
    const principal = { ...GUEST, id: `guest_${asked}` }
    const { turnId } = await app.chat(sampleReceived({ principal, requestId: `r${asked}`, message }))
    const frames = collect(await app.read(principal, { turnId, offset: 0 }, never))
    await clock.advance(1000)
    const done = (await frames).at(-1)
    assert.ok(done?.type === 'done')
    return done
  }
  const released = products.flatMap((product) =>
    (product.releases ?? []).filter(({ date }) => date === RELEASE_DAY).map((release) => ({ product, release })),
  )
  const close = async () => {
    const drained = app.drain()
    await clock.advance(MINUTE_MS)
    await drained
  }
  return { clock, ports, ask, called, close, calls: () => called.length, questions: releaseQuestions(released) }
}

test('what is asked about a new volume is answered from the cache on its day, in both languages, at the shop’s cost', async () => {
  const { clock, ports, ask, close, calls, questions } = await setUp(vendor)
  assert.ok(questions.length >= 20)
  assert.equal((await ports.ledger.totals({ principalId: 'shop' })).rows, 0)
  await clock.advance(2 * MINUTE_MS)
  const { costMicroUsd, rows } = await ports.ledger.totals({ principalId: 'shop', sessionId: 'prewarm' })
  assert.ok(costMicroUsd > 0 && costMicroUsd <= vendor.store.prewarm.microUsdMax)
  assert.equal(rows, calls())
  const before = calls()
  const tiers = new Map<string, string>()
  for (const { message } of questions) tiers.set(message, (await ask(message)).tier)
  for (const { message } of questions) {
    const typed = ` ${message.replace(/(?<!い)ですか？$|？$/u, '').toLowerCase()}`
    tiers.set(typed, (await ask(typed)).tier)
  }
  const missed = [...tiers].filter(([, tier]) => tier !== 'cached')
  assert.deepEqual(missed, [])
  assert.equal(calls(), before)
  await close()
})

/** As people type them, not copied from the wordings of a prewarm; two of the day's series. */
const TYPED: Readonly<Record<'asked' | 'other', readonly string[]>> = {
  asked: [
    'ワンピース 新刊',
    'ワンピース新刊',
    'ONE PIECE 115巻 在庫',
    'ONE PIECEの115巻ありますか',
    'ワンピースの最新刊ある？',
    'ワンピース 115巻 在庫',
    'ワンピースの新刊ありますか',
    'ワンピース 115巻 発売日',
    'ワンピースの新刊いつ？',
    'ダンダダン 23巻 いくら？',
    'ダンダダン 新刊 値段',
    'ダンダダンの新刊の発売日は？',
    'ダンダダンって面白い？',
    'ダンダダンってどんな話？',
    'ダンダダン あらすじ',
    'ダンダダンみたいな漫画教えて',
    'One Piece 115',
    'one piece volume 115',
    'new one piece volume',
    'Do you have One Piece 115?',
    'do you have the new one piece',
    'Is the new One Piece out yet?',
    'When does One Piece 115 come out?',
    'one piece 115 release date',
    'How much is Dandadan 23?',
    'How much is the new Dandadan?',
    'Dandadan 23 price',
    'Is Dandadan worth reading?',
    "What's Dandadan about?",
    'tell me about dandadan',
    'manga like Dandadan',
  ],
  other: [
    'ワンピース 114巻はありますか',
    'ワンピースは全巻でいくらですか',
    'ワンピースは完結していますか',
    'ナルト 新刊',
    'Do you have One Piece 114?',
    'How much is all of Dandadan?',
    'Is Dandadan finished?',
    'How much is Naruto 23?',
  ],
}

test('a question about a new volume is answered from the cache in the words that people use, and another question is not', async () => {
  const { clock, ask, close, calls, questions } = await setUp(vendor)
  await clock.advance(2 * MINUTE_MS)
  // One call for each question, whatever the number of its wordings.
  assert.equal(calls(), questions.length)
  const tierOf = async (message: string) => (await ask(message)).tier
  // Some the catalogue answers surely, without any model.
  const free = new Set(['cached', 'embedded'])
  const missed = []
  for (const message of TYPED.asked) if (!free.has(await tierOf(message))) missed.push(message)
  assert.deepEqual(missed, [])
  assert.equal(calls(), questions.length)
  for (const message of TYPED.other) assert.notEqual(await tierOf(message), 'cached', message)
  await close()
})

test('every wording of the questions is found, but where the reader takes it for something else', async () => {
  const { clock, ask, close, questions } = await setUp(vendor)
  await clock.advance(2 * MINUTE_MS)
  const missed = []
  let asked = 0
  for (const { wordings } of questions)
    for (const message of wordings) {
      asked += 1
      if ((await ask(message)).tier === 'primary') missed.push(message)
    }
  assert.ok(missed.length <= asked / 50, missed.join(' | '))
  await close()
})

test('with routing each question is prewarmed by the model that a guest’s question would ask first', async () => {
  const models = { primary: { provider: 'bedrock', id: 'p' }, economy: { provider: 'bedrock', id: 'e' } } as const
  const { clock, ask, called, close, questions } = await setUp({
    ...vendor,
    models,
    ladder: ['primary', 'economy'],
    routing: { ...vendor.routing, enabled: true },
  })
  await clock.advance(2 * MINUTE_MS)
  const prewarmed = [...called]
  assert.ok(prewarmed.filter((name) => name === 'economy').length > prewarmed.length / 2)
  for (const { message } of questions) assert.equal((await ask(message)).tier, 'cached')
  assert.deepEqual(called, prewarmed)
  await close()
})

test('with the built-in responder alone it costs nothing, and fills the cache as well', async () => {
  const { clock, ports, ask, close, calls, questions } = await setUp(testConfig)
  await clock.advance(2 * MINUTE_MS)
  const { costMicroUsd } = await ports.ledger.totals({ principalId: 'shop' })
  assert.equal(costMicroUsd, 0)
  const before = calls()
  assert.equal((await ask(questions[0]?.message ?? '')).tier, 'cached')
  assert.equal(calls(), before)
  await close()
})

test('of two nodes on one Redis one does it; when it dies, the other continues where it was', async (context) => {
  const clock = manualClock(PREWARM_AT)
  const tasks = redisTasks({ redis: await open(context, clock) })
  const stuck = Promise.withResolvers<typeof MADE>()
  const one = prewarmNode({
    clock,
    tasks,
    name: 'one',
    answer: async ({ message }) => (message === 'q2' ? stuck.promise : MADE),
  })
  const two = prewarmNode({ clock, tasks, name: 'two' })
  const dying = one.round()
  await waitUntil('the first node asks the third question', () => one.asked.includes('q2'))
  await two.round()
  assert.deepEqual(two.asked, [])
  await clock.advance(4 * MINUTE_MS)
  await two.round()
  assert.deepEqual(
    [one.asked, two.asked],
    [
      ['q0', 'q1', 'q2'],
      ['q2', 'q3'],
    ],
  )
  stuck.resolve(MADE)
  await dying
  assert.deepEqual(one.asked, ['q0', 'q1', 'q2'])
  for (const node of [one, two, prewarmNode({ clock, tasks, name: 'three' })]) {
    const asked = node.asked.length
    await node.round()
    assert.equal(node.asked.length, asked)
  }
})
