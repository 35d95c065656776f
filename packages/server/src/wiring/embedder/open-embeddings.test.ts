// Embedders over the vendors' real clients, with the vectors in a file and the search over both: what shoppers get while the vendor
// works, throttles, is slow, answers nonsense or is down.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { sqliteSearch } from '#adapters/sqlite/search/search.ts'
import { defaults } from '#config/config.ts'
import { bundledVectors } from '#fixtures/shop/word-vectors.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { vendorClock } from '#fixtures/models/vendor-models.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { sampleFaq, sampleProduct } from '#fixtures/turns/samples.ts'
import { NEVER } from '#lib/async/never.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import type { EmbedderConfig } from './embedder-book.ts'
import { openEmbeddings, vectorPath } from './open-embeddings.ts'

const TITAN = { provider: 'bedrock', id: 'amazon.titan-embed-text-v2:0', dimensions: 256 } as const
const COHERE = { provider: 'bedrock', id: 'cohere.embed-multilingual-v3' } as const
const SDK = { provider: 'ai-sdk', package: '@ai-sdk/openai-compatible', id: 'text-embedding-3-small' } as const

const STORIES = [
  'a glassblower inherits a lighthouse and its debts',
  'two rival astronomers share a telescope',
  'the last postman of a flooded valley',
]
const shelves = () =>
  STORIES.map((en, place) =>
    sampleProduct({
      id: `story-${place}`,
      synopsis: { ja: `物語${place}`, en },
      hooks: { ja: [], en: [`${en}, they say`] },
    }),
  )

async function setUp(context: TestContext, settings: EmbedderConfig) {
  const simulator = await startSimulator({ clock: vendorClock })
  context.after(() => simulator.close())
  const telemetry = memoryTelemetry()
  const products = memoryProductStore()
  await products.replaceAll(shelves(), 'test')
  const dataDir = tempDir(context)
  const baseURL = settings.provider === 'bedrock' ? simulator.url : `${simulator.url}/v1`
  const config = {
    ...defaults,
    server: { ...defaults.server, dataDir },
    search: { embedder: { questionMs: 2000, ...settings, baseURL } },
  }
  async function open() {
    const parts = { clock: vendorClock, random: seededRandom(1), telemetry, env: {}, products, faq: sampleFaq }
    const embeddings = await openEmbeddings(config, parts)
    assert.ok(embeddings !== undefined)
    const search = await sqliteSearch({
      folder: join(dataDir, 'search'),
      products,
      vectors: bundledVectors(),
      embeddings,
      clock: vendorClock,
      telemetry,
    })
    let isOpen = true
    const close = () => {
      if (isOpen) for (const part of [search, embeddings]) part[Symbol.dispose]()
      isOpen = false
    }
    context.after(close)
    const explain = (text: string) => search.explain({ text, language: 'en', limit: 3 }, NEVER)
    return { embeddings, search, close, explain }
  }
  return { simulator, telemetry, products, dataDir, open, ...(await open()) }
}

for (const [name, settings, model] of [
  ['Titan', TITAN, TITAN.id],
  ['Cohere', COHERE, COHERE.id],
  ['an AI SDK vendor', SDK, SDK.id],
] as const)
  test(`${name}: the catalogue is embedded, and a question is ranked by the cosine`, async (context) => {
    const { embeddings, explain, dataDir, simulator } = await setUp(context, settings)
    await embeddings.embedMissing()
    assert.deepEqual(embeddings.status(), { state: 'ready', documents: 5, embedded: 5 })
    const answer = await explain('a glassblower inherits a lighthouse, they say')
    assert.deepEqual([answer.embedder, answer.ranked[0]?.id], [model, 'story-0'])
    assert.ok(answer.ranked[0]!.parts.meaning > 0.4, JSON.stringify(answer.ranked[0]?.parts))
    const dimensions = settings === TITAN ? 256 : settings === COHERE ? 1024 : 1536
    assert.ok(existsSync(vectorPath(dataDir, settings.provider, { model, dimensions })))
    assert.ok(simulator.attempts().every(({ outcome }) => outcome === 'answered'))
  })

test('a restart uses the file: the vendor is asked for the question alone', async (context) => {
  const { close, embeddings, open, simulator } = await setUp(context, COHERE)
  await embeddings.embedMissing()
  close()
  const before = simulator.attempts().length
  const again = await open()
  await again.embeddings.survey()
  assert.equal((await again.explain('rival astronomers')).embedder, COHERE.id)
  await again.embeddings.embedMissing()
  assert.deepEqual(
    simulator
      .attempts()
      .slice(before)
      .map(({ body }) => (body as { readonly texts: unknown }).texts),
    [['rival astronomers']],
  )
})

test('another model, or other dimensions, have a file of their own', async (context) => {
  const dataDir = tempDir(context)
  const paths = [
    vectorPath(dataDir, 'bedrock', { model: TITAN.id, dimensions: 256 }),
    vectorPath(dataDir, 'bedrock', { model: TITAN.id, dimensions: 512 }),
    vectorPath(dataDir, 'bedrock', { model: COHERE.id, dimensions: 1024 }),
    vectorPath(dataDir, 'ai-sdk', { model: COHERE.id, dimensions: 1024 }),
  ]
  assert.equal(new Set(paths).size, paths.length)
})

test('an import embeds what it changes, and nothing else', async (context) => {
  const { embeddings, products, simulator } = await setUp(context, COHERE)
  await embeddings.embedMissing()
  const before = simulator.attempts().length
  const [first, ...others] = shelves()
  await products.replaceAll([{ ...first!, synopsis: { ja: '物語0', en: 'a new beginning' } }, ...others], 'import')
  await embeddings.embedMissing()
  assert.deepEqual(
    simulator
      .attempts()
      .slice(before)
      .map(({ body }) => (body as { readonly texts: unknown }).texts),
    [['a new beginning']],
  )
})

test('a vendor that throttles is asked again, and everything is embedded in the end', async (context) => {
  const { embeddings, simulator } = await setUp(context, COHERE)
  simulator.faults({ fault: 'error', error: 'throttled', times: 1 })
  await embeddings.embedMissing()
  assert.deepEqual(embeddings.status(), { state: 'ready', documents: 5, embedded: 5 })
  assert.equal(simulator.attempts()[0]?.outcome, 'refused')
})

for (const [what, fault, reason] of [
  ['vectors of other dimensions', { fault: 'vectors', shape: 'wrong-dimensions' }, /264 dimensions, not 256/u],
  ['a body that is not JSON', { fault: 'malformed' }, /internal: /u],
  ['a refused key', { fault: 'error', error: 'access-denied' }, /^access-denied: /u],
] as const)
  test(`${what}: nothing is stored, the reason is shown, and words are compared`, async (context) => {
    const { embeddings, explain, simulator } = await setUp(context, TITAN)
    simulator.faults(fault)
    await embeddings.embedMissing()
    const { embedded, failure, state } = embeddings.status()
    assert.deepEqual([state, embedded], ['embedding', 0])
    assert.match(failure ?? '', reason)
    const answer = await explain('the glassblower and the lighthouse')
    assert.deepEqual([answer.embedder, answer.ranked[0]?.id], [undefined, 'story-0'])
  })

test('a silent vendor: the search answers by words after the deadline', async (context) => {
  const { embeddings, explain, simulator, telemetry } = await setUp(context, { ...COHERE, questionMs: 100 })
  await embeddings.embedMissing()
  simulator.faults({ fault: 'silence' })
  const answer = await explain('two astronomers')
  assert.deepEqual([answer.embedder, answer.ranked[0]?.id], [undefined, 'story-1'])
  assert.equal(embeddings.status().failure, 'no answer in time')
  assert.ok(telemetry.counted.some(({ fields }) => fields['outcome'] === 'late'))
  simulator.heal()
  assert.equal((await explain('a postman')).embedder, COHERE.id)
  assert.equal(embeddings.status().failure, undefined)
})

test('a vendor that is down: the circuit opens, and then no question waits for it', async (context) => {
  const { embeddings, explain, simulator } = await setUp(context, COHERE)
  await embeddings.embedMissing()
  simulator.faults({ fault: 'error', error: 'unavailable' })
  let asked = 0
  await waitUntil('the circuit is open', async () => {
    await explain(`a postman ${(asked += 1)}`)
    embeddings.lane.tick()
    return embeddings.lane.view().phase === 'open'
  })
  const before = simulator.attempts().length
  const answer = await explain('a flooded valley')
  assert.deepEqual([answer.embedder, answer.ranked[0]?.id], [undefined, 'story-2'])
  assert.equal(simulator.attempts().length, before)
})

test('a command reads the stored vectors beside the server, and works without any', async (context) => {
  const { dataDir, embeddings, products, simulator, telemetry } = await setUp(context, COHERE)
  const config = {
    ...defaults,
    server: { ...defaults.server, dataDir },
    search: { embedder: { ...COHERE, baseURL: simulator.url } },
  }
  const parts = {
    clock: vendorClock,
    random: seededRandom(1),
    telemetry,
    env: {},
    products,
    faq: sampleFaq,
    isCommand: true,
  }
  await embeddings.embedMissing()
  using beside = await openEmbeddings(config, parts)
  await beside?.survey()
  assert.equal(beside?.status().state, 'ready')
  using elsewhere = await openEmbeddings({ ...config, server: { ...config.server, dataDir: tempDir(context) } }, parts)
  await elsewhere?.survey()
  assert.deepEqual(elsewhere?.status(), { state: 'embedding', documents: 5, embedded: 0 })
})
