// Checks of the OpenSearch section that depend on the environment and on other sections.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharesOf } from '#domain/turn/first-word.ts'
import { defaults } from '#config/config.ts'
import type { Config } from '#config/config.ts'
import { checkOpenSearch } from './check-opensearch.ts'

async function paths(over: Partial<Config['opensearch']>, env: Readonly<Record<string, string>> = {}) {
  const opensearch = { ...defaults.opensearch, node: 'https://search.example', ...over }
  const config: Config = { ...defaults, stores: { search: 'opensearch' }, opensearch }
  const problems = await checkOpenSearch({ env })(config, () => false)
  return problems.map(({ path }) => path)
}

test('a user with a password needs both in the environment', async () => {
  assert.deepEqual(await paths({ auth: 'basic' }), ['opensearch.usernameEnv', 'opensearch.passwordEnv'])
  assert.deepEqual(await paths({ auth: 'basic' }, { OPENSEARCH_USERNAME: 'shop', OPENSEARCH_PASSWORD: 'x' }), [])
})

test('credentials are not sent in the clear to another machine', async () => {
  assert.deepEqual(await paths({ auth: 'aws', node: 'http://search.example' }), ['opensearch.node'])
  assert.deepEqual(await paths({ auth: 'aws', node: 'http://127.0.0.1:9200' }), [])
  assert.deepEqual(await paths({ node: 'http://search.example' }), [])
})

test('the own index must have time to answer in place of OpenSearch', async () => {
  assert.deepEqual(await paths({ callMs: sharesOf(defaults.answers.firstWordMs).retrievalMs }), ['opensearch.callMs'])
})
