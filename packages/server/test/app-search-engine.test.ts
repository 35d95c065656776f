// A whole app with a search engine that becomes unavailable: products are found as before, and operators see what chose them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memorySearchEngine } from '#adapters/memory/search-engine.ts'
import { createApp } from '#app/app.ts'
import { engineNode } from '#fixtures/stores/engine-search.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { switchableStore } from '#fixtures/stores/switchable-store.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { NEVER } from '#lib/async/never.ts'

test('without its search engine an app finds products by its own index, and says so', async (context) => {
  const ports = await testPorts()
  const { clock } = ports
  const { port: engine, store } = switchableStore(memorySearchEngine())
  const { products, search } = await engineNode(context, { engine, clock })
  const app = createApp({ ...ports, products, search, engineSearch: search }, testConfig)
  const found = async () => {
    const page = await app.products({ text: '海賊', language: 'ja', limit: 5, after: '', filters: {} }, NEVER)
    return page.items.map(({ id }) => id)
  }
  await search.keepIndexed()
  assert.deepEqual(await found(), ['one-piece'])
  assert.deepEqual(app.health()['search'], {
    status: 'ok',
    engine: 'memory',
    chosenBy: 'engine',
    edition: 'current',
  })
  store.isUnavailable = true
  assert.deepEqual(await found(), ['one-piece'])
  assert.deepEqual(app.health()['search'], {
    status: 'degraded',
    engine: 'memory',
    chosenBy: 'own-index',
    edition: 'current',
    reason: 'the store is unavailable',
  })
  assert.ok((await app.admin.lanes()).some(({ lane }) => lane === 'opensearch'))
  await app.drain()
})
