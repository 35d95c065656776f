// What setup makes at OpenSearch, and what doctor finds there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { startSearchEngine } from '@mangaassist/simulation/search-engine/start-search-engine'
import type { SearchEngineOptions } from '@mangaassist/simulation/search-engine/start-search-engine'
import { systemClock } from '#adapters/system/clock.ts'
import { bundledVectors } from '#fixtures/shop/word-vectors.ts'
import { sampleShelves } from '#fixtures/turns/samples.ts'
import { NEVER } from '#lib/async/never.ts'
import { candidateQuery, editionOf } from '#ports/search-engine/contract.ts'
import { openSearchClient } from '../client/client.ts'
import type { OpenSearchAuth } from '../client/client.ts'
import { openSearchEngine } from '../search-engine/search-engine.ts'
import { engineNames } from '../search-engine/template.ts'
import { examineOpenSearch } from './examine.ts'
import { openSearchPolicies } from './policies.ts'
import { openSearchSteps, removeAll } from './steps.ts'

const names = engineNames('shop')
const clock = systemClock()
const { dimensions } = bundledVectors()

async function started(context: TestContext, options: Partial<SearchEngineOptions> = {}, auth?: OpenSearchAuth) {
  const standIn = await startSearchEngine({ clock, ...options })
  context.after(() => standIn.close())
  const client = openSearchClient({ node: standIn.url, auth: auth ?? { kind: 'none' }, connectMs: 500, clock })
  context.after(() => client[Symbol.dispose]())
  return { standIn, client, parts: { client, names, dimensions } }
}

async function prepared(context: TestContext, options: Partial<SearchEngineOptions> = {}, auth?: OpenSearchAuth) {
  const opened = await started(context, options, auth)
  for (const step of await openSearchSteps(opened.parts)) await step.apply?.()
  return opened
}

const RIGHTS =
  'read the index template, read the search pipeline, search, change a mapping, remove an index, move the alias'

const statesOf = async (parts: Parameters<typeof openSearchSteps>[0]) =>
  (await openSearchSteps(parts)).map(({ state }) => state)

test('setup makes the template and the pipeline, and finds them the next time', async (context) => {
  const { parts, standIn } = await started(context)
  assert.deepEqual(await statesOf(parts), ['missing', 'missing'])
  assert.equal(standIn.state.templates.size, 0)
  for (const step of await openSearchSteps(parts)) await step.apply?.()
  assert.deepEqual(await statesOf(parts), ['present', 'present'])
  for (const step of await openSearchSteps(parts)) await step.apply?.()
  assert.deepEqual(await statesOf(parts), ['present', 'present'])
})

test('what an older version has made differs, and is replaced', async (context) => {
  const { parts } = await prepared(context)
  assert.deepEqual(await statesOf({ ...parts, dimensions: 8 }), ['differs', 'present'])
  for (const step of await openSearchSteps({ ...parts, dimensions: 8 })) await step.apply?.()
  assert.deepEqual(await statesOf({ ...parts, dimensions: 8 }), ['present', 'present'])
})

test('a collection of Serverless gets a template without shards', async (context) => {
  const { parts } = await prepared(
    context,
    { isServerless: true },
    {
      kind: 'aws',
      region: 'ap-northeast-1',
      service: 'aoss',
      credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' },
    },
  )
  assert.deepEqual(await statesOf(parts), ['present', 'present'])
})

test('what was made for a trial is removed as a whole', async (context) => {
  const { client, parts, standIn } = await prepared(context)
  await openSearchEngine({ client, names, callMs: 1000, clock }).index(editionOf('one', sampleShelves()), NEVER)
  await removeAll(parts)
  const { indexes, pipelines, templates } = standIn.state
  assert.deepEqual([indexes.size, pipelines.size, templates.size], [0, 0, 0])
})

test('doctor finds a server that has everything in order', async (context) => {
  const { client, parts, standIn } = await prepared(context)
  await openSearchEngine({ client, names, callMs: 1000, clock }).index(editionOf('one', sampleShelves()), NEVER)
  assert.deepEqual(
    (await examineOpenSearch(parts)).map(({ check, detail, state }) => `${state} ${check}: ${detail}`),
    [
      'ok OpenSearch: version 3.3.0',
      'ok OpenSearch plugins: analysis-kuromoji, opensearch-knn, opensearch-neural-search',
      'ok alias shop: shop-v1-one, 3 series',
      `ok rights at OpenSearch: ${RIGHTS}, create an index, write documents`,
    ],
  )
  assert.deepEqual(
    [...standIn.state.indexes.values()].map(({ documents }) => documents.length),
    [3],
  )
})

/** What a statement of a policy for Amazon OpenSearch Service allows. */
interface Statement {
  readonly Action: readonly string[]
  readonly Resource: readonly string[]
}

const serverPolicy = openSearchPolicies({ service: 'es', region: 'eu-west-1', names })[0]?.policy as {
  readonly Statement: readonly Statement[]
}

function allowedBy({ Statement }: typeof serverPolicy, method: string, path: string): boolean {
  return Statement.some(
    ({ Action, Resource }) =>
      Action.some((action) => action.toLowerCase() === `es:eshttp${method.toLowerCase()}`) &&
      Resource.some((resource) => matchesGlob(path, resource.split('domain/DOMAIN')[1] ?? '')),
  )
}

const matchesGlob = (path: string, glob: string) => new RegExp(`^${glob.replaceAll('*', '.*')}$`, 'u').test(path)

test('the printed policy of the server is enough to write editions, to search and for doctor', async (context) => {
  let isServer = false
  const allows = (method: string, path: string) => !isServer || allowedBy(serverPolicy, method, path)
  const { client, parts } = await prepared(context, { auth: { kind: 'policy', allows } })
  isServer = true
  const engine = openSearchEngine({ client, names, callMs: 1000, clock })
  assert.equal(await engine.index(editionOf('one', sampleShelves()), NEVER), 'indexed')
  assert.equal(await engine.index(editionOf('two', sampleShelves()), NEVER), 'indexed')
  for (let round = 0; round < 3; round += 1)
    assert.equal(await engine.index(editionOf('two', sampleShelves()), NEVER), 'current')
  assert.equal((await engine.candidates(candidateQuery({ text: '海賊' }), NEVER)).edition, 'two')
  assert.deepEqual(
    (await examineOpenSearch(parts)).map(({ state }) => state),
    ['ok', 'ok', 'ok', 'ok'],
  )
  assert.deepEqual(await statesOf(parts), ['present', 'present'])
})

test('a right that is missing for one check of doctor leaves the others', async (context) => {
  const allows = (_: string, path: string) => !path.startsWith('/_cat')
  const { parts } = await prepared(context, { auth: { kind: 'policy', allows } })
  const found = await examineOpenSearch(parts)
  assert.deepEqual(
    found.map(({ check, state }) => `${state} ${check}`),
    ['ok OpenSearch', 'wrong OpenSearch plugins', 'warning alias shop', 'warning rights at OpenSearch'],
  )
  assert.match(found.at(-1)?.detail ?? '', /; not tried: create an index, write documents$/)
})

test('doctor tries each right of a server by itself', async (context) => {
  const denials: readonly (readonly [right: string, path: string])[] = [
    ['move the alias', '/_aliases'],
    ['write documents', '/_bulk'],
    ['change a mapping', '/shop-v1-doctor-only-asks/_mapping'],
    ['read the search pipeline', '/_search/pipeline/shop-hybrid'],
  ]
  let denied = ''
  const allows = (_: string, path: string) => path !== denied
  const { client, parts } = await prepared(context, { auth: { kind: 'policy', allows } })
  await openSearchEngine({ client, names, callMs: 1000, clock }).index(editionOf('one', sampleShelves()), NEVER)
  for (const [right, path] of denials) {
    denied = path
    assert.equal((await examineOpenSearch(parts)).at(-1)?.detail, `denied: ${right}`)
  }
})

test('doctor names the version, the plugin and the alias that are missing, each with its fix', async (context) => {
  const { client } = await started(context, {
    version: '2.11.1',
    plugins: ['opensearch-knn', 'opensearch-neural-search'],
  })
  const found = await examineOpenSearch({ client, names })
  const fixes = Object.fromEntries(found.map(({ check, fix, state }) => [check, `${state}: ${fix ?? ''}`]))
  assert.match(fixes['OpenSearch'] ?? '', /^wrong: Use version 2\.13 or newer/)
  assert.match(fixes['OpenSearch plugins'] ?? '', /^wrong: .*opensearch-plugin install analysis-kuromoji;/)
  assert.match(fixes['alias shop'] ?? '', /^warning: A running server writes/)
})

test('doctor names the rights that are denied', async (context) => {
  const auth = { kind: 'basic', username: 'shop', password: 'secret' } as const
  const { client } = await started(context, { auth: { ...auth, methods: ['GET'] } }, auth)
  const [rights] = (await examineOpenSearch({ client, names })).slice(-1)
  assert.equal(rights?.detail, 'denied: search, change a mapping, remove an index, move the alias')
  assert.match(rights.fix ?? '', /shop-v1-\*/)
})

test('doctor says that OpenSearch cannot be reached, or that the credentials are wrong', async (context) => {
  const auth = { kind: 'basic', username: 'shop', password: 'secret' } as const
  const { client, standIn } = await started(context, { auth })
  assert.match((await examineOpenSearch({ client, names }))[0]?.fix ?? '', /^Check opensearch\.auth/)
  await standIn.close()
  const [found, ...more] = await examineOpenSearch({ client, names })
  assert.deepEqual([found?.state, more], ['wrong', []])
  assert.match(found?.detail ?? '', /cannot be reached/)
})

test('the policies name the domain or the collection, and nothing else', () => {
  const es = JSON.stringify(openSearchPolicies({ service: 'es', region: 'eu-west-1', names }))
  assert.match(es, /arn:aws:es:eu-west-1:ACCOUNT:domain\/DOMAIN\/shop-\*/)
  assert.ok(!es.includes('"*"'))
  const aoss = JSON.stringify(openSearchPolicies({ service: 'aoss', region: 'eu-west-1', names }))
  assert.match(aoss, /aoss:APIAccessAll/)
  assert.match(aoss, /index\/COLLECTION\/shop\*/)
})
