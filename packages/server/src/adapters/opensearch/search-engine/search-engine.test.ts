// Runs the contract of a search engine on OpenSearch's client and a stand-in, and tests what only OpenSearch has: bulk requests that fail
// in part, aliases that are moved while others search, signatures, Serverless.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { EngineFault } from '@mangaassist/simulation/search-engine/engine-faults'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { asyncContext } from '#adapters/system/async-context.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { bundledVectors } from '#fixtures/shop/word-vectors.ts'
import { startedEngine } from '#fixtures/stores/search-engine.ts'
import type { EngineTestOptions } from '#fixtures/stores/search-engine.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import { NEVER } from '#lib/async/never.ts'
import { candidateQuery, editionOf, searchEngineContract } from '#ports/search-engine/contract.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import { openSearchClient } from '../client/client.ts'
import { openSearchEngine } from './search-engine.ts'

const { dimensions } = bundledVectors()
const started = (context: TestContext, over: Partial<EngineTestOptions> = {}) =>
  startedEngine(context, { dimensions, ...over })

searchEngineContract('OpenSearch', async (context) => {
  const { client, engine, names } = await started(context)
  return { engine, other: openSearchEngine({ client, names, callMs: 2000, clock: systemClock() }) }
})

const SERVERLESS = {
  isServerless: true,
  auth: { kind: 'aws', accessKeyId: 'AKIATEST', region: 'ap-northeast-1', service: 'aoss' },
  signIn: {
    kind: 'aws',
    region: 'ap-northeast-1',
    service: 'aoss',
    credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'very-secret' },
  },
} as const

searchEngineContract('OpenSearch Serverless', async (context) => {
  const { client, engine, names } = await started(context, SERVERLESS)
  return { engine, other: openSearchEngine({ client, names, callMs: 2000, clock: systemClock() }) }
})

const many = (count: number) => Array.from({ length: count }, (_, at) => sampleProduct({ id: `p${at}` }))

test('documents that are refused for the moment are sent again, and those of a lost answer too', async (context) => {
  const { engine, names, standIn } = await started(context)
  standIn.faults({ kind: 'document', status: 429, times: 3 }, { kind: 'truncated', on: 'bulk', times: 1 })
  assert.equal(await engine.index(editionOf('one', many(20)), NEVER), 'indexed')
  assert.equal(standIn.state.index(names.indexOf('one')).documents.length, 20)
})

test('a document that is refused for good ends the edition, and leaves no index behind', async (context) => {
  const { engine, standIn } = await started(context)
  standIn.faults({ kind: 'document', status: 400, times: 1 })
  await assert.rejects(engine.index(editionOf('one', many(3)), NEVER), /refused a document: 400/)
  assert.deepEqual([...standIn.state.indexes.keys()], [])
})

test('without its template nothing is written, and the message says how to make it', async (context) => {
  const { engine, names, standIn } = await started(context)
  standIn.state.templates.delete(names.template)
  await assert.rejects(
    engine.index(editionOf('one', many(3)), NEVER),
    /shop-template is missing: run mangaassist setup/,
  )
})

test('without its pipeline nothing is written, and the message says how to make it', async (context) => {
  const { engine, names, standIn } = await started(context)
  standIn.state.pipelines.delete(names.pipeline)
  await assert.rejects(engine.index(editionOf('one', many(3)), NEVER), /shop-hybrid is missing: run mangaassist setup/)
  assert.equal(standIn.state.indexes.size, 0)
})

test('searches find one whole edition at any moment while the alias is moved', async (context) => {
  const { engine, standIn } = await started(context)
  const edition = (name: string) => editionOf(name, [sampleProduct({ id: name }), sampleProduct({ id: `${name}-2` })])
  await engine.index(edition('e0'), NEVER)
  const seen = new Set<string>()
  const search = async () => {
    for (let question = 0; question < 40; question += 1) {
      const { candidates, edition: name } = await engine.candidates(candidateQuery({ text: '鬼滅の刃' }), NEVER)
      assert.deepEqual(candidates.map(({ id }) => id).toSorted(), [name, `${name}-2`])
      seen.add(name ?? '')
    }
  }
  const searching = Promise.all([search(), search(), search()])
  for (const name of ['e1', 'e2', 'e3']) assert.equal(await engine.index(edition(name), NEVER), 'indexed')
  await searching
  assert.ok(seen.has('e0') || seen.has('e1'))
  // An index is removed two rounds after it was replaced.
  await engine.index(edition('e3'), NEVER)
  await engine.index(edition('e3'), NEVER)
  assert.deepEqual([...standIn.state.indexes.keys()], ['shop-v1-e3'])
})

test('of two nodes at once one writes the edition; after the end of its work the other finds it', async (context) => {
  const { client, engine, names, standIn } = await started(context)
  const other = openSearchEngine({ client, names, callMs: 2000, clock: systemClock() })
  standIn.faults({ kind: 'slow', ms: 100, on: 'bulk' })
  const outcomes = await Promise.all([engine, other].map((node) => node.index(editionOf('one', many(5)), NEVER)))
  assert.deepEqual(outcomes.toSorted(), ['elsewhere', 'indexed'])
  assert.equal(await other.index(editionOf('one', many(5)), NEVER), 'current')
})

test('an edition whose writer has died is written by another node after a minute', async (context) => {
  const { client, names, standIn } = await started(context)
  const clock = manualClock()
  const engine = openSearchEngine({ client, names, callMs: 2000, clock })
  standIn.state.createIndex(names.indexOf('one'), {})
  assert.equal(await engine.index(editionOf('one', many(3)), NEVER), 'elsewhere')
  await clock.advance(30_000)
  assert.equal(await engine.index(editionOf('one', many(3)), NEVER), 'elsewhere')
  await clock.advance(40_000)
  assert.equal(await engine.index(editionOf('one', many(3)), NEVER), 'indexed')
})

test('a writer that fails leaves the index that another node has completed and put in use', async (context) => {
  const { client, engine, names, standIn } = await started(context)
  const clock = manualClock()
  const other = openSearchEngine({ client, names, callMs: 2000, clock })
  const edition = editionOf('one', many(3))
  const [begun, lost] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* documents() {
    for await (const document of edition.documents()) {
      yield document
      begun.resolve()
      await lost.promise
    }
  }
  const first = engine.index({ ...edition, documents }, NEVER)
  await begun.promise
  assert.equal(await other.index(edition, NEVER), 'elsewhere')
  await clock.advance(61_000)
  assert.equal(await other.index(edition, NEVER), 'indexed')
  lost.reject(new EngineFailure('unreachable', 'lost'))
  await assert.rejects(first, /lost/)
  assert.equal(standIn.state.index(names.indexOf('one')).documents.length, 3)
})

test('an index that was abandoned half-written is removed when it has not grown for ten minutes', async (context) => {
  const { client, names, standIn } = await started(context)
  const clock = manualClock()
  const engine = openSearchEngine({ client, names, callMs: 2000, clock })
  await engine.index(editionOf('two', many(3)), NEVER)
  standIn.state.createIndex(names.indexOf('one'), {})
  const indexes = async () => {
    assert.equal(await engine.index(editionOf('two', many(3)), NEVER), 'current')
    return [...standIn.state.indexes.keys()].toSorted()
  }
  const both = ['shop-v1-one', 'shop-v1-two']
  assert.deepEqual(await indexes(), both)
  await clock.advance(500_000)
  standIn.state.index('shop-v1-one').write('p1', { id: 'p1' })
  standIn.state.index('shop-v1-one').refresh()
  assert.deepEqual(await indexes(), both)
  await clock.advance(500_000)
  assert.deepEqual(await indexes(), both)
  await clock.advance(100_001)
  assert.deepEqual(await indexes(), ['shop-v1-two'])
})

test('an edition that was imported again replaces the one that had replaced it, for all nodes', async (context) => {
  const { engine } = await started(context)
  for (const name of ['one', 'two']) await engine.index(editionOf(name, many(3)), NEVER)
  for (let round = 0; round < 2; round += 1) await engine.index(editionOf('two', many(3)), NEVER)
  assert.equal(await engine.index(editionOf('one', many(3), { isNew: true }), NEVER), 'indexed')
  assert.equal(await engine.index(editionOf('two', many(3)), NEVER), 'superseded')
})

const FAULTS: readonly (readonly [fault: EngineFault, kind: EngineFailure['kind'], said: RegExp])[] = [
  [{ kind: 'slow', ms: 2000 }, 'late', /within 200 ms/],
  [{ kind: 'status', status: 429 }, 'overload', /429 injected_fault/],
  [{ kind: 'status', status: 503 }, 'overload', /503/],
  [{ kind: 'status', status: 500 }, 'unreachable', /500/],
  [{ kind: 'cut' }, 'unreachable', /cannot be reached/],
  [{ kind: 'truncated' }, 'unreachable', /cannot be reached/],
]
for (const [fault, kind, said] of FAULTS) {
  test(`${fault.kind} ${'status' in fault ? fault.status : ''} is a failure of the kind ${kind}, after one attempt`, async (context) => {
    const { engine, standIn } = await started(context, { callMs: 200 })
    await engine.index(editionOf('one', sampleShelves()), NEVER)
    const before = standIn.requests().length
    standIn.faults(fault)
    await assert.rejects(engine.candidates(candidateQuery({ text: '海賊' }), NEVER), (error) => {
      assert.ok(error instanceof EngineFailure)
      assert.equal(error.kind, kind)
      assert.match(error.message, said)
      return true
    })
    assert.equal(standIn.requests().length, before + 1)
  })
}

test('a search is a span of the stage that made it, with the index and nothing of the question', async (context) => {
  const { client, engine: indexing, names, standIn } = await started(context)
  await indexing.index(editionOf('one', sampleShelves()), NEVER)
  const telemetry = memoryTelemetry({ context: asyncContext })
  const engine = openSearchEngine({ client, names, callMs: 2000, clock: systemClock(), telemetry })
  const stage = telemetry.scope({ door: 'ws', name: 'chat' }).span('context')
  const search = (signal = NEVER) => engine.candidates(candidateQuery({ text: '海賊' }), signal)
  await search()
  await stage.within(async () => {
    await search()
    standIn.faults({ kind: 'status', status: 429, times: 1 })
    await assert.rejects(search(), EngineFailure)
    await assert.rejects(search(AbortSignal.abort(new Error('stopped'))), /stopped/)
  })
  const about = {
    dbSystem: 'opensearch',
    dbOperation: 'search',
    dbCollection: names.alias,
    serverAddress: new URL(standIn.url).host,
  }
  assert.deepEqual(
    telemetry.spans.map(({ attributes: { requestId: _, turnId: __, ...said }, outcome }) => [outcome, said]),
    [
      ['completed', about],
      ['failed', { ...about, errorClass: 'overload', dbStatus: '429' }],
      ['failed', { ...about, errorClass: 'cancelled' }],
    ],
  )
  assert.ok(telemetry.spans.every(({ parentSpanId }) => parentSpanId === stage.trace?.spanId))
})

test('an engine that is not there is unreachable, and nothing was sent', async (context) => {
  const { names, standIn } = await started(context)
  await standIn.close()
  using client = openSearchClient({ node: standIn.url, auth: { kind: 'none' }, connectMs: 500, clock: systemClock() })
  const engine = openSearchEngine({ client, names, callMs: 1000, clock: systemClock() })
  await assert.rejects(engine.candidates(candidateQuery({ text: '海賊' }), NEVER), (error) => {
    assert.ok(error instanceof EngineFailure && error.kind === 'unreachable' && !error.mayHaveHappened)
    return true
  })
})

test('a wrong password and a missing right are refusals that contain no secret', async (context) => {
  const auth = { kind: 'basic', username: 'shop', password: 'right' } as const
  const { client, engine } = await started(context, { auth, signIn: auth })
  assert.equal(await engine.index(editionOf('one', many(2)), NEVER), 'indexed')
  assert.equal(client.isServerless, false)
  const wrong = await started(context, { auth }).catch((error: unknown) => error)
  assert.ok(wrong instanceof EngineFailure)
  assert.match(wrong.message, /401 security_exception/)
  const reader = { ...auth, methods: ['GET', 'POST'] }
  const limited = await started(context, { auth: reader, signIn: auth }).catch((error: unknown) => error)
  assert.ok(limited instanceof EngineFailure)
  assert.match(limited.message, /403 security_exception/)
  for (const error of [wrong, limited]) assert.ok(!JSON.stringify(error).includes('right') && error.cause === undefined)
})

test('a request that is signed for another region is refused', async (context) => {
  const signIn = { ...SERVERLESS.signIn, region: 'us-east-1' } as const
  await assert.rejects(started(context, { ...SERVERLESS, signIn }), /403 security_exception/)
})
