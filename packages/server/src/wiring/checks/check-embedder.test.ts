// The start-up report on an embedder that cannot work: every problem at once, each with its path and its fix.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ConfigError } from '#config/load-config.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { configure } from '../configure.ts'

const KEYS = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }

async function found(
  context: TestContext,
  settings: Readonly<Record<string, string>>,
  more: Record<string, string> = {},
) {
  const named = Object.entries(settings).map(([name, value]) => [`MANGA_SEARCH__EMBEDDER__${name}`, value])
  const env = { ...Object.fromEntries(named), ...more }
  try {
    const { config, warnings } = await configure({ env, workspaceRoot: tempDir(context) })
    return { problems: [], warnings, config }
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return { problems: error.problems, warnings: error.warnings, config: undefined }
  }
}

test('no embedder is configured by default', async (context) => {
  assert.equal((await found(context, {})).config?.search.embedder, undefined)
})

test('Titan, Cohere and a package that is installed are accepted with nothing more than their names', async (context) => {
  for (const id of [
    'amazon.titan-embed-text-v2:0',
    'cohere.embed-multilingual-v3',
    'us.cohere.embed-multilingual-v3',
  ]) {
    const { problems, warnings } = await found(context, { PROVIDER: 'bedrock', ID: id }, KEYS)
    assert.deepEqual([problems, warnings], [[], []], id)
  }
  const sdk = { PROVIDER: 'ai-sdk', PACKAGE: '@ai-sdk/openai-compatible', ID: 'text-embedding-3-small' }
  assert.deepEqual((await found(context, { ...sdk, BASEURL: 'http://127.0.0.1:1/v1' })).problems, [])
})

const refused: readonly (readonly [
  what: string,
  settings: Readonly<Record<string, string>>,
  path: string,
  fix: RegExp,
])[] = [
  ['without an id', { PROVIDER: 'bedrock' }, 'id', /Add search\.embedder\.id/u],
  ['with an unknown provider', { PROVIDER: 'titan', ID: 'x' }, 'provider', /./u],
  [
    'with a chat model of Bedrock',
    { PROVIDER: 'bedrock', ID: 'anthropic.claude-3-haiku-20240307-v1:0' },
    'id',
    /cohere\.embed-multilingual-v3/u,
  ],
  [
    'with dimensions that Titan does not have',
    { PROVIDER: 'bedrock', ID: 'amazon.titan-embed-text-v2:0', DIMENSIONS: '300' },
    'dimensions',
    /remove search\.embedder\.dimensions for 1024/u,
  ],
  [
    'with a package that is not installed',
    { PROVIDER: 'ai-sdk', PACKAGE: '@ai-sdk/nobody', ID: 'mistral-embed' },
    'package',
    /npm .*@ai-sdk\/nobody/u,
  ],
  ['without a package', { PROVIDER: 'ai-sdk', ID: 'mistral-embed' }, 'package', /Add search\.embedder\.package/u],
  [
    'with a package for Bedrock',
    { PROVIDER: 'bedrock', ID: 'cohere.embed-multilingual-v3', PACKAGE: '@ai-sdk/cohere' },
    'package',
    /Remove it/u,
  ],
  [
    'with a key that is not set',
    { PROVIDER: 'ai-sdk', PACKAGE: '@ai-sdk/openai-compatible', ID: 'mistral-embed', APIKEYENV: 'MY_KEY' },
    'apiKeyEnv',
    /Set MY_KEY in the environment/u,
  ],
  [
    'with an address without its scheme',
    { PROVIDER: 'bedrock', ID: 'cohere.embed-multilingual-v3', BASEURL: '127.0.0.1:9' },
    'baseURL',
    /http:\/\//u,
  ],
  [
    'that may take as long as retrieval',
    { PROVIDER: 'bedrock', ID: 'cohere.embed-multilingual-v3', QUESTIONMS: '8000' },
    'questionMs',
    /Lower it/u,
  ],
]
for (const [what, settings, path, fix] of refused)
  test(`an embedder ${what} is refused, with what to do`, async (context) => {
    const { problems } = await found(context, settings, KEYS)
    assert.deepEqual(
      problems.map((problem) => problem.path),
      [`search.embedder.${path}`],
    )
    assert.match(problems[0]?.fix ?? '', fix)
  })

test('an unknown model needs its dimensions and its price, and the nearest known one is named', async (context) => {
  const sdk = { PROVIDER: 'ai-sdk', PACKAGE: '@ai-sdk/openai-compatible', ID: 'text-embedding-3-smal' }
  const { problems } = await found(context, sdk)
  assert.deepEqual(
    problems.map(({ path }) => path),
    ['search.embedder.dimensions', 'search.embedder.price'],
  )
  assert.match(problems[0]?.fix ?? '', /Did you mean text-embedding-3-small\?/u)
  assert.deepEqual((await found(context, { ...sdk, DIMENSIONS: '768', PRICE: '0' })).problems, [])
})

test('credentials of AWS that are nowhere are a warning, because a role cannot be seen here', async (context) => {
  const titan = { PROVIDER: 'bedrock', ID: 'amazon.titan-embed-text-v2:0' }
  const { problems, warnings } = await found(context, titan, { HOME: tempDir(context) })
  assert.deepEqual([problems, warnings.map(({ path }) => path)], [[], ['search.embedder.provider']])
})
