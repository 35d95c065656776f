// Warnings about doubtful settings and about files and variables that are not read, and the position of a problem.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { systemClock } from '#adapters/system/clock.ts'
import { ConfigSchema } from './config.ts'
import { ConfigError, loadConfigWithSources } from './load-config.ts'
import type { ConfigProblem } from './load-config.ts'
import type { SchemaNode } from './load/schema-node.ts'

function workspace(context: TestContext, files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'mangaassist-doubts-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files }))
    writeFileSync(join(folder, name), text)
  return folder
}

async function outcome(context: TestContext, file: string | undefined, env: Record<string, string> = {}, more = {}) {
  const files = file === undefined ? {} : { 'mangaassist.config.ts': file }
  const workspaceRoot = workspace(context, { ...files, ...more })
  try {
    const { config, sources, warnings } = await loadConfigWithSources({ env, clock: systemClock(), workspaceRoot })
    return { config, problems: [] as readonly ConfigProblem[], warnings, sources, workspaceRoot }
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    const { problems, sources, warnings } = error
    return { config: undefined, problems, warnings, sources, workspaceRoot }
  }
}

const doubtful: readonly (readonly [string, string, RegExp])[] = [
  ['tiers.free.microUsdPerDay', '{ tiers: { free: { microUsdPerDay: 1 } } }', /0\.000001 USD.*1 USD is 1000000/],
  ['alarms.userMicroUsdPerDay', '{ alarms: { userMicroUsdPerDay: 10 } }', /0\.000010 USD/],
  ['summaries.microUsdPerDay', '{ summaries: { microUsdPerDay: 5 } }', /0\.000005 USD/],
  ['server.proxies', '{ server: { proxies: 3 } }', /trustProxy is false/],
  ['store.name.ja', "{ store: { name: { en: 'Cat’s Paw Books' } } }", /placeholder.*マンガアシスト書店/],
  ['store.name.en', "{ store: { name: { ja: '猫の手書店' } } }", /placeholder.*MangaAssist Books/],
  ['store.contact.ja', "{ store: { contact: { en: 'help@cats.example' } } }", /placeholder/],
  [
    'models.spare',
    "{ models: { primary: { provider: 'embedded' }, spare: { provider: 'embedded' } } }",
    /not on the ladder.*\/v1/,
  ],
]

for (const [path, settings, words] of doubtful) {
  test(`a doubtful ${path} is a warning and does not stop the start`, async (context) => {
    const { problems, warnings } = await outcome(context, `export default ${settings}`)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      warnings.map((warning) => warning.path),
      [path],
    )
    const { given, allowed, fix } = warnings[0] ?? assert.fail()
    assert.match(`${given} ${allowed} ${fix}`, words)
  })
}

const oldNames: readonly (readonly [string, string | undefined, Record<string, string>, string])[] = [
  ['streaming.lookMs', 'export default { streaming: { lookMs: 250 } }', {}, 'streaming.stalledPollMs'],
  ['MANGA_STREAMING__LOOKMS', undefined, { MANGA_STREAMING__LOOKMS: '250' }, 'MANGA_STREAMING__STALLEDPOLLMS'],
]
for (const [oldName, file, env, newName] of oldNames) {
  test(`the old name ${oldName} still works, with a warning that has the new name`, async (context) => {
    const { config, problems, warnings } = await outcome(context, file, env)
    assert.deepEqual([problems, config?.streaming.stalledPollMs], [[], 250])
    assert.deepEqual(
      warnings.map(({ path, fix }) => [path, fix]),
      [[oldName, `Rename it to ${newName}.`]],
    )
  })
}

test('under the old and the new name in the file, the new one counts', async (context) => {
  const file = 'export default { streaming: { lookMs: 1, stalledPollMs: 251 } }'
  const { config, warnings } = await outcome(context, file)
  assert.deepEqual([config?.streaming.stalledPollMs, warnings.length], [251, 1])
})

test('different values in the variables of the old and the new name are a problem; the old one is to be unset', async (context) => {
  const [old, renamed] = [{ MANGA_STREAMING__LOOKMS: '251' }, { MANGA_STREAMING__STALLEDPOLLMS: '252' }]
  for (const env of [
    { ...old, ...renamed },
    { ...renamed, ...old },
  ]) {
    const { problems } = await outcome(context, undefined, env)
    assert.deepEqual(
      problems.map(({ path, fix }) => [path, fix]),
      [['streaming.stalledPollMs', 'Unset MANGA_STREAMING__LOOKMS.']],
    )
  }
})

test('a setting that follows from another one now has no effect, with a warning that names that one', async (context) => {
  const file = 'export default { deadlines: { usefulMs: 5000, retrievalMs: 7000 }, answers: { lookupMs: 100 } }'
  const { config, problems, warnings } = await outcome(context, file, { MANGA_ANSWERS__FOLLOWMS: '200' })
  assert.deepEqual([problems, config?.answers.firstWordMs], [[], 3000])
  const gone = ['deadlines.usefulMs', 'deadlines.retrievalMs', 'answers.lookupMs', 'MANGA_ANSWERS__FOLLOWMS']
  assert.deepEqual(
    warnings.map(({ path, fix }) => [path, fix]),
    gone.map((path) => [path, 'Remove it, and set answers.firstWordMs if needed.']),
  )
})

test('sensible settings cause no warning', async (context) => {
  for (const settings of [
    "{ store: { name: { ja: '猫の手書店', en: 'Cat’s Paw Books' } } }",
    '{ server: { proxies: 3, trustProxy: true } }',
    '{ summaries: { microUsdPerDay: 0 } }',
    "{ models: { primary: { provider: 'embedded', fallbacks: ['a'] }, a: { provider: 'embedded', fallbacks: ['b'] }, b: { provider: 'embedded' } } }",
  ]) {
    const { problems, warnings } = await outcome(context, `export default ${settings}`)
    assert.deepEqual([problems, warnings], [[], []], settings)
  }
})

test('a file that looks like a configuration but is not read causes a warning', async (context) => {
  const names = ['js', 'json', 'mjs', 'cjs', 'yaml', 'yml', 'toml'].map((end) => `mangaassist.config.${end}`)
  const more = Object.fromEntries([...names, 'mangaassist.json'].map((name) => [name, '']))
  const { problems, warnings, sources } = await outcome(context, undefined, {}, more)
  assert.deepEqual(problems, [])
  assert.deepEqual(warnings.map(({ path }) => path).toSorted(), [...names, 'mangaassist.json'].toSorted())
  assert.equal(sources.file, undefined)
})

test('a variable that looks like a setting but is not read causes a warning with the right name', async (context) => {
  const env = {
    MANGAASSIST_PORT: '1',
    MANGAASSIST_STREAMING__FLUSHMS: '1',
    MangaPort: '1',
    MANGAASSIST_ADMIN_TOKEN: 'x',
    HOME: '/',
  }
  const { problems, warnings } = await outcome(context, undefined, env)
  assert.deepEqual(problems, [])
  assert.deepEqual(
    warnings.map(({ path, fix }) => [path, fix]),
    [
      ['MANGAASSIST_PORT', 'Did you mean PORT?'],
      ['MANGAASSIST_STREAMING__FLUSHMS', 'Did you mean MANGA_STREAMING__FLUSHMS?'],
      ['MangaPort', 'Did you mean PORT?'],
    ],
  )
})

test('a configuration reports its sources, even when it is invalid', async (context) => {
  const env = { PORT: '1', MANGA_STREAMING__FLUSHMS: '50', OTHER: 'x' }
  const good = await outcome(context, 'export default {}', env)
  assert.equal(good.sources.file, join(good.workspaceRoot, 'mangaassist.config.ts'))
  assert.deepEqual(good.sources.variables, ['PORT', 'MANGA_STREAMING__FLUSHMS'])
  const bad = await outcome(context, 'export default { colour: 1 }', env)
  assert.equal(bad.problems.length, 1)
  assert.deepEqual(bad.sources.variables, good.sources.variables)
})

test('an error in the file is reported with line and column', async (context) => {
  for (const [file, path] of [
    ['export default {\n  server: {{ port: 1 }}\n}', 'mangaassist.config.ts:2:12'],
    ['export default {\n  server: { port: 1 }},\n}', 'mangaassist.config.ts:2:23'],
    ['export default {\n  server: { port: Number.parseInt(missing) },\n}', 'mangaassist.config.ts:2:35'],
    ['enum A { B }\nexport default {}', 'mangaassist.config.ts:1:1'],
  ] as const) {
    const { problems } = await outcome(context, file)
    assert.equal(problems[0]?.path, path)
  }
})

test('the fix of a missing import is the full import line', async (context) => {
  const { problems } = await outcome(context, 'export default defineConfig({})')
  assert.equal(problems[0]?.path, 'mangaassist.config.ts:1:1')
  assert.match(problems[0]?.fix ?? '', /import \{ defineConfig \} from '@mangaassist\/server\/config'/)
})

test('a wrong value is reported with its position, and a misspelt enum value with the right one', async (context) => {
  const file = `// provider: 'opnai'
const port: number = 1
export default {
  server: { port, allowedOrigins: ['https://shop.example/'] },
  models: {
    primary: { id: 'provider: x', provider: 'opnai' },
  },
}`
  const { problems } = await outcome(context, file)
  const [origin, provider] = problems
  assert.equal(origin?.path, 'server.allowedOrigins[0]')
  assert.match(origin?.allowed ?? '', /without a trailing slash/)
  assert.match(origin?.fix ?? '', /mangaassist\.config\.ts:4:19/)
  assert.match(
    provider?.fix ?? '',
    /Did you mean "openai"\? Change models\.primary\.provider in mangaassist\.config\.ts:6:35/,
  )
})

test('a secret in the file is not shown, and the fix names the setting for its variable', async (context) => {
  for (const name of ['apiKey', 'apikey', 'api_key', 'key']) {
    const { problems } = await outcome(
      context,
      `export default { models: { primary: { provider: 'openai', id: 'gpt', ${name}: 'sk-secret' } } }`,
    )
    assert.match(problems[0]?.fix ?? '', /environment variable.*models\.primary\.apiKeyEnv/)
    assert.doesNotMatch(JSON.stringify(problems), /sk-secret/)
  }
})

test('too large an output limit and a removed setting are refused', async (context) => {
  const { problems } = await outcome(context, 'export default { tiers: { premium: { outputTokensPerRequest: 9999 } } }')
  assert.match(problems[0]?.allowed ?? '', /from 1 to 2048/)
  for (const [file, env] of [
    ['export default { tokens: { outputPerRequestMax: 50 } }', {}],
    ['export default {}', { MANGA_TOKENS__OUTPUTPERREQUESTMAX: '50' }],
  ] as const) {
    const removed = await outcome(context, file, env)
    assert.equal(removed.problems.length, 1)
    assert.match(JSON.stringify(removed.problems), /removed.*tiers\.NAME\.outputTokensPerRequest/)
  }
})

test('every pattern in the schema has a description in words', () => {
  const bare: string[] = []
  const visit = (node: SchemaNode, path: string): void => {
    const isNamed = node.patternProperties !== undefined
    if ((node.pattern !== undefined || isNamed) && node.description === undefined) bare.push(path)
    for (const [name, child] of Object.entries(node.properties ?? {})) visit(child, `${path}.${name}`)
    for (const child of Object.values(node.patternProperties ?? {})) visit(child, `${path}.*`)
    if (node.items) visit(node.items, `${path}[]`)
  }
  visit(ConfigSchema, '')
  assert.deepEqual(bare, [])
})
