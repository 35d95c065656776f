// A node's search with a search engine that may fail: whatever it does, questions are answered, and what answered is said.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { memorySearchEngine } from '#adapters/memory/search-engine.ts'
import { openSearchEngine } from '#adapters/opensearch/search-engine/search-engine.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { bundledVectors } from '#fixtures/shop/word-vectors.ts'
import { engineNode } from '#fixtures/stores/engine-search.ts'
import { startedEngine } from '#fixtures/stores/search-engine.ts'
import { switchableStore } from '#fixtures/stores/switchable-store.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import { NEVER } from '#lib/async/never.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import type { SearchEngine } from '#ports/search-engine/port.ts'
import { searchContract } from '#ports/search/contract.ts'
import type { EngineSearch } from '#ports/search/engine-search.ts'

searchContract('search with OpenSearch', async (context) => {
  const { engine } = await startedEngine(context, { dimensions: bundledVectors().dimensions })
  const { products, search } = await engineNode(context, { engine, clock: systemClock() })
  await search.refresh()
  assert.equal(search.status().chosenBy, 'engine')
  return {
    search,
    products,
    async replaceProducts(shelves) {
      await products.replaceAll(shelves, 'test')
      await search.refresh()
      assert.equal(search.status().chosenBy, 'engine')
    },
  }
})

const QUERY = { text: '海賊', language: 'ja', limit: 5 } as const
const best = async (search: EngineSearch) => (await search.find(QUERY, NEVER))[0]?.id
const chosenBy = async (search: EngineSearch) => (await search.explain(QUERY, NEVER)).chosenBy

async function node(context: TestContext, engine: SearchEngine, clock = manualClock()) {
  const opened = await engineNode(context, { engine, clock })
  const outcomes = () =>
    opened.telemetry.counted
      .filter(({ name }) => name === 'search_engine_questions_total')
      .map(({ fields }) => fields?.['outcome'])
  const events = () => opened.telemetry.logged.map(({ event }) => event)
  return { ...opened, clock, outcomes, events }
}

test('before the edition is in the engine, the own index answers, and the reason is said', async (context) => {
  const { outcomes, search } = await node(context, memorySearchEngine())
  assert.equal(await best(search), 'one-piece')
  assert.deepEqual(await chosenBy(search), {
    by: 'own-index',
    reason: 'it is not yet known which edition the search engine has',
  })
  await search.keepIndexed()
  assert.equal(await best(search), 'one-piece')
  assert.deepEqual(await chosenBy(search), { by: 'engine' })
  assert.deepEqual(outcomes(), ['other-edition', 'other-edition', 'answered', 'answered'])
  assert.deepEqual(search.status(), { chosenBy: 'engine', edition: 'current' })
})

test('while the engine is unavailable the own index answers; it is logged once, and said until it answers again', async (context) => {
  const { port, store } = switchableStore(memorySearchEngine())
  const { clock, events, lane, outcomes, search } = await node(context, port)
  await search.keepIndexed()
  store.isUnavailable = true
  for (let question = 0; question < 30; question += 1) {
    assert.equal(await best(search), 'one-piece')
    await clock.advance(100)
    lane.tick()
  }
  assert.ok(outcomes().includes('unreachable') && outcomes().includes('circuit-open'))
  assert.equal(events().filter((event) => event === 'search.engine-unavailable').length, 1)
  assert.deepEqual(search.status(), {
    chosenBy: 'own-index',
    edition: 'current',
    reason: 'the store is unavailable',
  })
  assert.deepEqual(await chosenBy(search), { by: 'own-index', reason: 'the store is unavailable' })
  store.isUnavailable = false
  for (let round = 0; round < 10; round += 1) {
    await clock.advance(5000)
    lane.tick()
    await search.heal()
  }
  assert.equal(await best(search), 'one-piece')
  assert.deepEqual(search.status(), { chosenBy: 'engine', edition: 'current' })
  assert.equal(events().filter((event) => event === 'search.engine-available').length, 1)
})

test('a late engine counts as overloaded', async (context) => {
  const engine = memorySearchEngine()
  const late = { ...engine, candidates: () => Promise.reject(new EngineFailure('late', 'no answer within 250 ms')) }
  const { lane, outcomes, search } = await node(context, late)
  await search.keepIndexed()
  assert.equal(await best(search), 'one-piece')
  assert.deepEqual(outcomes(), ['late'])
  assert.equal(lane.view().recent.failures, 1)
})

test('an edition that is imported is written to the engine, and the own index answers meanwhile', async (context) => {
  const { events, products, search } = await node(context, memorySearchEngine())
  await search.keepIndexed()
  await products.replaceAll([sampleProduct({ id: 'new' })], 'test')
  assert.equal((await search.find({ ...QUERY, text: '鬼滅の刃' }, NEVER))[0]?.id, 'new')
  await search.keepIndexed()
  assert.deepEqual(await chosenBy(search), { by: 'engine' })
  assert.equal(events().filter((event) => event === 'search.engine-indexed').length, 2)
})

test('a node that is behind does not put its edition back, and says that it is behind', async (context) => {
  const state = { superseded: new Set<string>() }
  const [behind, ahead] = [
    await node(context, memorySearchEngine(state)),
    await node(context, memorySearchEngine(state)),
  ]
  await behind.search.keepIndexed()
  await ahead.search.keepIndexed()
  await ahead.products.replaceAll([sampleProduct({ id: 'new' })], 'test')
  await ahead.search.keepIndexed()
  assert.equal(await best(behind.search), 'one-piece')
  assert.deepEqual(behind.outcomes(), ['other-edition'])
  await behind.clock.advance(15_000)
  await behind.search.keepIndexed()
  assert.deepEqual(behind.search.status(), {
    chosenBy: 'own-index',
    edition: 'behind',
    reason: 'the search engine has a newer edition than this node',
  })
  assert.deepEqual(await chosenBy(ahead.search), { by: 'engine' })
})

const withNew = (id: string) => [...sampleShelves(), sampleProduct({ id })]
const editions = async (...nodes: readonly Awaited<ReturnType<typeof node>>[]) => {
  for (const { clock, search } of nodes) {
    await clock.advance(16_000)
    await search.keepIndexed()
  }
  return nodes.map(({ search }) => search.status().edition)
}

test('a node that has imported an edition does not put it back over the next one', async (context) => {
  const { client, names } = await startedEngine(context, { dimensions: bundledVectors().dimensions })
  const started = () => node(context, openSearchEngine({ client, names, callMs: 2000, clock: systemClock() }))
  const [one, two] = [await started(), await started()]
  for (const { products } of [one, two]) await products.replaceAll(withNew('b'), 'test')
  assert.deepEqual(await editions(one, two), ['current', 'current'])
  for (const { products } of [one, two]) await products.replaceAll(withNew('c'), 'test')
  assert.deepEqual(await editions(one, two), ['current', 'current'])
  await one.products.replaceAll(withNew('d'), 'test')
  for (let round = 0; round < 3; round += 1) assert.deepEqual(await editions(one, two), ['current', 'behind'])
})

test('a node of the version before, which once imported, leaves the edition of a new node in place', async (context) => {
  const state = { superseded: new Set<string>() }
  const old = await node(context, memorySearchEngine(state))
  await editions(old)
  await old.products.replaceAll(withNew('b'), 'test')
  await editions(old)
  const fresh = await node(context, memorySearchEngine(state))
  await fresh.products.replaceAll(withNew('d'), 'test')
  for (let round = 0; round < 3; round += 1) assert.deepEqual(await editions(fresh, old), ['current', 'behind'])
})

test('nodes that are behind write their edition after an operator has deleted the index in use', async (context) => {
  const { client, names, standIn } = await startedEngine(context, { dimensions: bundledVectors().dimensions })
  const clock = manualClock()
  const started = () => node(context, openSearchEngine({ client, names, callMs: 2000, clock }), clock)
  const [left, right] = [await started(), await started()]
  await editions(left, right)
  await right.products.replaceAll(withNew('b'), 'test')
  assert.deepEqual(await editions(right, left), ['current', 'behind'])
  const [inUse = ''] = standIn.state.aliases.get(names.alias) ?? []
  standIn.state.deleteIndex(inUse)
  // The index of its own edition was still there, so another node might be writing it.
  assert.deepEqual(await editions(left), ['writing'])
  await clock.advance(60_000)
  assert.deepEqual(await editions(left), ['current'])
})

test('an edition that cannot be written is tried again, less and less often, and logged once', async (context) => {
  const { port, store } = switchableStore(memorySearchEngine())
  store.isUnavailable = true
  const { clock, events, search } = await node(context, port)
  for (let round = 0; round < 12; round += 1) {
    await search.keepIndexed()
    await clock.advance(5000)
  }
  assert.deepEqual(events(), ['search.engine-not-indexed'])
  store.isUnavailable = false
  await clock.advance(300_000)
  await search.keepIndexed()
  assert.equal(search.status().chosenBy, 'engine')
})

test('a caller that leaves says nothing about the engine', async (context) => {
  const engine = memorySearchEngine()
  const leaving = new AbortController()
  const asked = Promise.withResolvers<void>()
  const waiting: SearchEngine = {
    ...engine,
    candidates(_query, signal) {
      asked.resolve()
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  }
  const { lane, outcomes, search } = await node(context, waiting)
  await search.keepIndexed()
  const found = search.find(QUERY, leaving.signal)
  await asked.promise
  leaving.abort(new Error('gone'))
  await assert.rejects(found, /gone/)
  assert.equal(lane.view().recent.failures, 0)
  assert.deepEqual(outcomes(), [])
})

test('a question that asks for nothing says nothing about an engine that is unavailable', async (context) => {
  const { engine, standIn } = await startedEngine(context, { dimensions: bundledVectors().dimensions })
  const { clock, events, lane, outcomes, search } = await node(context, engine)
  await search.keepIndexed()
  await standIn.close()
  for (let question = 0; question < 30 && lane.view().phase !== 'open'; question += 1) await best(search)
  for (let second = 0; second < 60 && lane.view().phase !== 'half-open'; second += 1) {
    await clock.advance(1000)
    lane.tick()
  }
  const asked = outcomes().length
  for (let question = 0; question < 30; question += 1) {
    assert.deepEqual(await search.find({ ...QUERY, text: '！！！' }, NEVER), [])
    lane.tick()
  }
  assert.equal(lane.view().phase, 'half-open')
  assert.equal(search.status().chosenBy, 'own-index')
  assert.equal(outcomes().length, asked)
  assert.ok(!events().includes('search.engine-available'))
})
