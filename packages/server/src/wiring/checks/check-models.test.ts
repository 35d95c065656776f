// The start-up report on models that cannot work: every problem at once, each with its path and its fix.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ConfigError } from '#config/load-config.ts'
import type { ConfigProblem } from '#config/load-config.ts'
import { configure } from '../configure.ts'

type Found = Promise<readonly ConfigProblem[]>

async function problemsOf(context: TestContext, models: object, env: Record<string, string> = {}, more = {}): Found {
  return (await foundIn(context, models, env, more)).problems
}

async function warningsOf(context: TestContext, models: object, env: Record<string, string> = {}, more = {}): Found {
  const { problems, warnings } = await foundIn(context, models, env, more)
  assert.deepEqual(problems, [])
  return warnings
}

async function foundIn(context: TestContext, models: object, env: Record<string, string>, more: object) {
  const workspaceRoot = mkdtempSync(join(tmpdir(), 'mangaassist-models-'))
  context.after(() => rmSync(workspaceRoot, { recursive: true }))
  writeFileSync(join(workspaceRoot, 'package.json'), '{ "type": "module" }')
  const config = JSON.stringify({ models, ...more })
  writeFileSync(join(workspaceRoot, 'mangaassist.config.ts'), `export default ${config}`)
  try {
    const { warnings } = await configure({ env, workspaceRoot })
    return { problems: [], warnings }
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error
  }
}

const pathsOf = (problems: readonly ConfigProblem[]) => problems.map(({ path }) => path)
const KEYS = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
const haiku = { provider: 'bedrock', id: 'anthropic.claude-3-haiku-20240307-v1:0' }
const ollama = { provider: 'openai-compatible', id: 'qwen3:4b', baseURL: 'http://127.0.0.1:11434/v1', price: [0, 0] }

test('models of several vendors can share a ladder', async (context) => {
  const models = {
    primary: { ...haiku, region: 'us-east-1', guardrail: { id: 'g', version: '1' }, fallbacks: ['spare'] },
    economy: ollama,
    spare: { provider: 'anthropic', id: 'claude-haiku-5-5', firstTokenMs: 5000 },
    cloud: { provider: 'openai', id: 'gpt-6-luna', apiKeyEnv: 'OTHER_KEY' },
  }
  const env = { ...KEYS, ANTHROPIC_API_KEY: 'k', OTHER_KEY: 'k' }
  assert.deepEqual(await problemsOf(context, models, env), [])
})

test('the price of a model is never guessed', async (context) => {
  const [problem] = await problemsOf(context, { primary: { ...haiku, id: `${haiku.id}0` } }, KEYS)
  assert.equal(problem?.path, 'models.primary.price')
  assert.match(problem?.fix ?? '', /Did you mean anthropic\.claude-3-haiku-20240307-v1:0\? .*\[input, output\] in USD/)
})

test('a missing package is reported with the command that installs it', async (context) => {
  const models = {
    primary: { provider: 'google', id: 'gemini-3.8-flash' },
    other: { provider: 'ai-sdk', package: '@ai-sdk/nobody', id: 'x', price: [1, 2] },
    nameless: { provider: 'ai-sdk', id: 'x', price: [1, 2] },
  }
  const problems = await problemsOf(context, models, { GOOGLE_GENERATIVE_AI_API_KEY: 'k' })
  assert.deepEqual(pathsOf(problems), ['models.primary.provider', 'models.other.package', 'models.nameless.package'])
  assert.equal(problems[0]?.fix, 'Run: npm install @ai-sdk/google --workspace packages/server')
})

test('a missing key is reported by its variable, and no key is needed for a server on this machine', async (context) => {
  const models = {
    primary: { provider: 'openai', id: 'gpt-6-luna' },
    aws: haiku,
    named: { ...ollama, apiKeyEnv: 'MY_KEY' },
    simulated: { ...haiku, baseURL: 'http://127.0.0.1:9000' },
    local: { provider: 'openai', id: 'gpt-6-luna', baseURL: 'http://localhost:9000/v1' },
  }
  const problems = await problemsOf(context, models, { HOME: '/nowhere', AWS_EC2_METADATA_DISABLED: 'true' })
  assert.deepEqual(pathsOf(problems), ['models.primary.apiKeyEnv', 'models.aws.provider', 'models.named.apiKeyEnv'])
  assert.match(problems[0]?.fix ?? '', /OPENAI_API_KEY/)
  for (const env of [KEYS, { AWS_BEARER_TOKEN_BEDROCK: 't' }, { AWS_PROFILE: 'p' }]) {
    assert.deepEqual(await problemsOf(context, { primary: haiku }, env), [])
  }
})

test('Bedrock without credentials is only a warning, because an instance role cannot be detected', async (context) => {
  const warnings = await warningsOf(context, { primary: haiku }, { HOME: '/nowhere' })
  assert.deepEqual(pathsOf(warnings), ['models.primary.provider'])
  assert.match(warnings[0]?.fix ?? '', /instance role/)
  const ecs = { HOME: '/nowhere', AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials' }
  for (const env of [KEYS, ecs]) assert.deepEqual(await warningsOf(context, { primary: haiku }, env), [])
})

test('an address without /v1, or with the path of a call, is a warning with the right address', async (context) => {
  for (const path of ['', '/', '/v1/chat/completions']) {
    const [warning] = await warningsOf(context, { primary: { ...ollama, baseURL: `http://127.0.0.1:11434${path}` } })
    assert.equal(warning?.path, 'models.primary.baseURL')
    assert.match(warning?.fix ?? '', /http:\/\/127\.0\.0\.1:11434\/v1/)
  }
  const elsewhere = { ...ollama, baseURL: 'http://127.0.0.1:11434/openai' }
  assert.deepEqual(await warningsOf(context, { primary: elsewhere }), [])
})

test('a key or a webhook over http to another machine is a warning', async (context) => {
  const remote = { ...ollama, baseURL: 'http://me:hunter2@llm.shop.example/v1', apiKeyEnv: 'MY_KEY' }
  const warnings = await warningsOf(context, { primary: remote }, { MY_KEY: 'sk-secret' })
  assert.deepEqual(pathsOf(warnings), ['models.primary.baseURL'])
  assert.match(warnings[0]?.given ?? '', /llm\.shop\.example, with a key/)
  assert.doesNotMatch(JSON.stringify(warnings), /hunter2|sk-secret/)
  const { apiKeyEnv: _, ...keyless } = remote
  assert.deepEqual(await warningsOf(context, { primary: keyless }), [])
  const hook = (handover: object) =>
    warningsOf(context, { primary: ollama }, { HOOK: 'http://h.example/s3cret' }, { store: { handover } })
  assert.deepEqual(pathsOf(await hook({ url: 'http://hooks.example/x' })), ['store.handover.url'])
  assert.deepEqual(pathsOf(await hook({ urlEnv: 'HOOK' })), ['store.handover.urlEnv'])
  assert.doesNotMatch(JSON.stringify(await hook({ urlEnv: 'HOOK' })), /s3cret/)
  for (const url of ['https://hooks.example/x', 'http://127.0.0.1:9/x']) assert.deepEqual(await hook({ url }), [])
})

test('an address must be valid, and a compatible server must have one', async (context) => {
  const { baseURL: _, ...nowhere } = ollama
  const problems = await problemsOf(context, { one: { ...ollama, baseURL: '127.0.0.1:11434' }, two: nowhere })
  assert.deepEqual(pathsOf(problems), ['models.one.baseURL', 'models.two.baseURL'])
})

test('unknown names, missing ids and settings of other providers are reported', async (context) => {
  const models = {
    primary: { ...ollama, fallbacks: ['nobody', 'primary'], guardrail: { id: 'g', version: '1' } },
    economy: { provider: 'embedded', region: 'us-east-1' },
    third: { provider: 'openai-compatible', baseURL: ollama.baseURL, price: [0, 0] },
  }
  const problems = await problemsOf(context, models, {}, { ladder: ['primary', 'ghost'] })
  assert.deepEqual(pathsOf(problems).toSorted(), [
    'ladder',
    'models.economy.region',
    'models.primary.fallbacks',
    'models.primary.guardrail',
    'models.third.id',
  ])
})

test('a price is two numbers, and limits must fit the deadlines', async (context) => {
  const models = { one: { ...ollama, price: [1] }, two: { ...ollama, firstTokenMs: 20_000, stallMs: 25_000 } }
  const problems = await problemsOf(context, models)
  const expected = ['models.one.price', 'models.two.firstTokenMs', 'models.two.stallMs']
  assert.deepEqual(pathsOf(problems).toSorted(), expected)
  assert.equal(problems[0]?.allowed, 'a list of 2, each item a number of at least 0')
})
