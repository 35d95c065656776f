// What init writes for flags and answers, which models it offers at which price, and what it never does unasked.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfigWithSources } from '#config/load-config.ts'
import { sampleJudged } from '#fixtures/turns/routing.ts'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import { storeRecords } from '../testing/store-records.ts'
import { tempWorkspace } from '../testing/temp-workspace.ts'

const repository = resolve(import.meta.dirname, '../../../../..')
/** No server listens there, and there are no AWS files. */
const NOTHING_HERE = { OLLAMA_HOST: '127.0.0.1:1', HOME: '/nowhere' }

function setUp(context: TestContext, { env = {}, typed = '' }: { env?: Record<string, string>; typed?: string } = {}) {
  const workspaceRoot = tempWorkspace(context)
  const path = join(workspaceRoot, 'mangaassist.config.ts')
  const terminal = fakeTerminal(context, { env: { ...NOTHING_HERE, ...env }, typed, workspaceRoot })
  return {
    terminal,
    workspaceRoot,
    path,
    run: (...flags: string[]) => main(['init', ...flags], terminal),
    text: () => readFileSync(path, 'utf8'),
    load: () => loadConfigWithSources({ env: {}, clock: systemClock(), workspaceRoot }),
  }
}

async function fakeOllama(context: TestContext, models: readonly string[]): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url !== '/v1/models') return void response.writeHead(404).end()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  context.after(() => server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function typeCheck(workspaceRoot: string): Promise<void> {
  const compilerOptions = {
    module: 'nodenext',
    target: 'esnext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
  }
  const project = join(workspaceRoot, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, files: ['mangaassist.config.ts'] }))
  await promisify(execFile)(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', project])
}

test('--yes asks nothing, uses no paid model even when keys are set, and prints the next command', async (context) => {
  const keys = {
    OPENAI_API_KEY: 'sk-s3cret',
    ANTHROPIC_API_KEY: 'sk-s3cret',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
  }
  const { load, path, run, terminal, text } = setUp(context, { env: keys })
  assert.equal(await run('--yes'), 0, terminal.printed.out + terminal.printed.err)
  const { config, sources, warnings } = await load()
  assert.equal(sources.file, path)
  assert.deepEqual(warnings, [])
  assert.deepEqual(config.models, { embedded: { provider: 'embedded' } })
  assert.deepEqual([config.server.host, config.server.port], ['127.0.0.1', 8080])
  assert.match(text(), /import \{ defineConfig \} from '@mangaassist\/server\/config'/)
  assert.match(terminal.printed.out, /✓ configuration file: [^]*✓ models: [^]*^Next: npm start$/m)
  assert.doesNotMatch(terminal.printed.out + text(), /s3cret/)
})

test('piped answers can choose a server on this machine, and the file loads and type-checks', async (context) => {
  const OLLAMA_HOST = await fakeOllama(context, ['qwen3:4b', 'nomic-embed-text:latest'])
  const typed = [
    '猫の手書店',
    'Cat’s Paw Books',
    '3000',
    'https://assistant.cats.example',
    'openai-compatible:qwen3:4b',
    '',
  ]
  const { load, run, terminal, text, workspaceRoot } = setUp(context, { env: { OLLAMA_HOST }, typed: typed.join('\n') })
  assert.equal(await run(), 0, terminal.printed.out + terminal.printed.err)
  const { config, warnings } = await load()
  assert.deepEqual(warnings, [])
  assert.deepEqual(config.store.name, { ja: '猫の手書店', en: 'Cat’s Paw Books' })
  assert.equal(config.server.port, 3000)
  assert.deepEqual(config.server.allowedOrigins, [])
  assert.equal(config.server.trustProxy, true)
  const baseURL = `http://${OLLAMA_HOST}/v1`
  assert.deepEqual(config.models['primary'], { provider: 'openai-compatible', id: 'qwen3:4b', baseURL, price: [0, 0] })
  assert.deepEqual(config.ladder, ['primary', 'last'])
  assert.match(
    terminal.printed.out,
    new RegExp(`openai-compatible:qwen3:4b: no price known; set one if .*; the server at ${baseURL}`),
  )
  assert.doesNotMatch(terminal.printed.out, /nomic-embed/)
  assert.match(text(), /trustProxy: true[^]*Price: no price known; set one if the server relays to a paid vendor/)
  assert.match(terminal.printed.out, /^Next: npx mangaassist doctor --models .*, then npm start$/m)
  await typeCheck(workspaceRoot)
})

test('models with keys or credentials are offered with their price, and Enter chooses none of them', async (context) => {
  const env = {
    OPENAI_API_KEY: 'sk-s3cret',
    ANTHROPIC_API_KEY: 'sk-s3cret',
    GEMINI_API_KEY: 'sk-s3cret',
    AWS_ACCESS_KEY_ID: 's3cret',
    AWS_SECRET_ACCESS_KEY: 's3cret',
  }
  const { load, run, terminal } = setUp(context, { env, typed: '\n\n\n\n\n' })
  assert.equal(await run(), 0, terminal.printed.out + terminal.printed.err)
  const { out } = terminal.printed
  assert.match(out, / 1 {2}embedded: free; the built-in responder/)
  assert.match(
    out,
    /openai:gpt-6-luna: 0\.10 USD in, 0\.50 USD out per million tokens \(2026-\d\d-\d\d\); OPENAI_API_KEY\n/,
  )
  assert.match(out, /anthropic:claude-haiku-5-5: 0\.10 USD in.*; ANTHROPIC_API_KEY\n/)
  assert.match(
    out,
    /google:gemini-3\.8-flash: .*; GEMINI_API_KEY\n +first run: npm install @ai-sdk\/google --workspace packages\/server\n/,
  )
  assert.match(out, /bedrock:global\.anthropic\.claude-haiku-5-5: .*; AWS credentials\n/)
  assert.doesNotMatch(out, /mistral:|s3cret/)
  const { config } = await load()
  assert.deepEqual(config.models, { embedded: { provider: 'embedded' } })
})

test('a paid model is used only when it is chosen by number or --model', async (context) => {
  const env = { GEMINI_API_KEY: 'k', OPENAI_API_KEY: 'k' }
  const flagged = setUp(context, { env })
  assert.equal(await flagged.run('--yes', '--model', 'openai:gpt-6-luna', '--name-en', 'Paw', '--port', '9000'), 0)
  const { config, warnings } = await flagged.load()
  assert.deepEqual(warnings, [])
  assert.deepEqual(config.models['primary'], { provider: 'openai', id: 'gpt-6-luna' })
  assert.deepEqual(config.store.name, { ja: 'Paw', en: 'Paw' })
  assert.match(flagged.terminal.printed.out, /^Next: npx mangaassist doctor --models .*, then npm start$/m)
  assert.match(flagged.text(), /0\.10 USD in, 0\.50 USD out.*OPENAI_API_KEY/)

  const listing = setUp(context, { env, typed: '\n\n\n\n\n' })
  assert.equal(await listing.run(), 0)
  const number = /^ +(\d+) {2}openai:/m.exec(listing.terminal.printed.out)?.[1] ?? assert.fail()
  const chosen = setUp(context, { env, typed: `${number}\n` })
  assert.equal(await chosen.run('--name-ja', 'a', '--name-en', 'b', '--port', '1', '--address', 'none'), 0)
  assert.equal((await chosen.load()).config.models['primary']?.provider, 'openai')
})

test('a model without its package or key is written, and init exits with 1 and says what to do', async (context) => {
  const google = setUp(context, { env: { GEMINI_API_KEY: 'k' } })
  assert.equal(await google.run('--yes', '--model', 'gemini-3.8-flash'), 1)
  assert.match(google.text(), /apiKeyEnv: 'GEMINI_API_KEY'/)
  assert.match(google.terminal.printed.out, /Next: npm install @ai-sdk\/google --workspace packages\/server, then/)
  const keyless = setUp(context)
  assert.equal(await keyless.run('--yes', '--model', 'openai:gpt-6-luna'), 1)
  assert.match(
    keyless.terminal.printed.out,
    /✗ models\.primary\.apiKeyEnv: .*OPENAI_API_KEY[^]*Next: fix what is marked/,
  )
})

test('beside a dear model a cheaper one is proposed with its saving, and none is used that is not chosen', async (context) => {
  const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }
  const flags = ['--name-ja', 'a', '--name-en', 'b', '--port', '1', '--address', 'none']
  const dear = ['--model', 'anthropic:claude-sonnet-5-5']
  const asked = setUp(context, { env, typed: '\n' })
  assert.equal(await asked.run(...flags, ...dear), 0, asked.terminal.printed.out + asked.terminal.printed.err)
  assert.match(
    asked.terminal.printed.out,
    /Most questions do not need anthropic:claude-sonnet-5-5\. With routing[^]* 1 {2}anthropic:claude-haiku-5-5: 0\.10 USD in.*; saves \d\d % over 755 bundled turns\n[^]* 2 {2}openai:gpt-6-luna.*saves/,
  )
  const without = (await asked.load()).config
  assert.deepEqual([without.ladder, without.routing.enabled], [['primary', 'last'], false])

  const chosen = setUp(context, { env, typed: 'anthropic:claude-sonnet-5-5\nembedded\n1\n' })
  assert.equal(await chosen.run(...flags), 0, chosen.terminal.printed.out + chosen.terminal.printed.err)
  assert.match(chosen.terminal.printed.out, /The economy model goes beside a model that costs more/)
  const { config, warnings } = await chosen.load()
  assert.deepEqual(warnings, [])
  assert.deepEqual(config.models['economy'], { provider: 'anthropic', id: 'claude-haiku-5-5' })
  assert.deepEqual([config.ladder, config.routing.enabled], [['primary', 'economy', 'last'], true])
  await typeCheck(chosen.workspaceRoot)

  const quiet = setUp(context, { env })
  assert.equal(await quiet.run('--yes', ...dear), 0)
  assert.match(
    quiet.terminal.printed.out,
    /^Routing simple and moderate questions to anthropic:claude-haiku-5-5 would save \d\d % over 755 bundled turns: --economy anthropic:claude-haiku-5-5$/m,
  )
  assert.doesNotMatch(quiet.text(), /routing/)
  assert.equal(await quiet.run('--yes', '--force', ...dear, '--economy', 'openai:gpt-6-luna'), 0)
  assert.match(quiet.text(), /economy: \{ provider: 'openai', id: 'gpt-6-luna' \}[^]*routing: \{ enabled: true \}/)
})

test('a shop that is set up again sees the saving of its own turns', async (context) => {
  const { run, terminal } = setUp(context, { env: { ANTHROPIC_API_KEY: 'k' } })
  const weighed = { judged: sampleJudged('simple', 0.98), plain: [], promptTokens: 900 }
  const turns = Array.from({ length: 200 }, (_, index) =>
    sampleTurnRecord({ turnId: `turn_${index}`, sessionId: `sess_${index}`, position: 0, isCached: false, weighed }),
  )
  await storeRecords(terminal, turns)
  assert.equal(await run('--yes', '--model', 'anthropic:claude-sonnet-5-5'), 0, terminal.printed.out)
  assert.match(terminal.printed.out, /would save 94 % over the last 200 turns of this shop \(\$/)
})

test('nothing is proposed beside a model that is free or has no far cheaper one', async (context) => {
  const OLLAMA_HOST = await fakeOllama(context, ['qwen3:4b'])
  for (const [env, model] of [
    [{ OLLAMA_HOST }, 'openai-compatible:qwen3:4b'],
    [{ ANTHROPIC_API_KEY: 'k' }, 'anthropic:claude-haiku-5-5'],
  ] as const) {
    const { run, terminal } = setUp(context, { env })
    assert.equal(await run('--yes', '--model', model), 0, terminal.printed.out)
    assert.doesNotMatch(terminal.printed.out, /[Rr]outing/)
  }
})

test('an existing file is replaced only with --force', async (context) => {
  const { path, run, terminal, text } = setUp(context)
  writeFileSync(path, 'export default { server: { port: 4 } }')
  assert.equal(await run('--yes'), 1)
  assert.match(terminal.printed.err, /exists.*--force/)
  assert.equal(text(), 'export default { server: { port: 4 } }')
  assert.equal(await run('--yes', '--force', '--port', '5'), 0, terminal.printed.out)
  assert.match(text(), /port: 5,/)
})

test('answers that end too early, or are wrong three times, write nothing', async (context) => {
  for (const [typed, words] of [
    ['only a name\n', /ended too early.*--yes/],
    ['a\nb\nhttp\n0\n99999\n', /A port is a whole number from 1 to 65535/],
  ] as const) {
    const { path, run, terminal } = setUp(context, { typed })
    assert.equal(await run(), 1)
    assert.match(terminal.printed.err, words)
    assert.equal(existsSync(path), false)
  }
  const again = setUp(context, { typed: 'a\nb\nhttp\n3001\nshop.example\nnone\nnobody:knows\nembedded\n' })
  assert.equal(await again.run(), 0, again.terminal.printed.out + again.terminal.printed.err)
  assert.equal((await again.load()).config.server.port, 3001)
})

test('invalid flags are refused with 2 before anything is asked or written', async (context) => {
  for (const [flags, words] of [
    [['--port', 'http'], /A port is/],
    [['--address', 'shop.example'], /An address begins with/],
    [['--address', 'https://shop.example/path'], /has no path/],
    [['--name-en', ''], /A name has/],
    [['--name-ja', 'a\nb'], /control characters/],
    [['--economy', 'none', '--model', 'nobody:knows'], /Unknown model/],
    [['--economy', 'openai:gpt-6-luna'], /goes beside a model that costs more/],
    [
      ['--model', 'openai:gpt-6-luna', '--economy', 'anthropic:claude-sonnet-5-5'],
      /goes beside a model that costs more/,
    ],
    [['--model', 'opnai:gpt'], /Unknown model "opnai:gpt". Found here: embedded/],
    [['--modle', 'x'], /--modle/],
  ] as const) {
    const { path, run, terminal } = setUp(context)
    assert.equal(await run('--yes', ...flags), 2)
    assert.match(terminal.printed.err, words)
    assert.equal(existsSync(path), false)
  }
})

test('every name of a shop is written and read back unchanged', async (context) => {
  for (const name of ['Cat\'s "Paw" \\ ${1} `x`', '*/ // 猫', "'", '\u2028']) {
    const { load, run, terminal } = setUp(context)
    assert.equal(await run('--yes', '--name-en', name), 0, terminal.printed.out + terminal.printed.err)
    assert.deepEqual((await load()).config.store.name, { ja: name, en: name })
  }
})

test('with a plain http address the server listens on all addresses and does not trust a proxy', async (context) => {
  const { load, run, workspaceRoot } = setUp(context)
  assert.equal(await run('--yes', '--address', 'http://192.168.1.5:8080/'), 0)
  const { config } = await load()
  assert.deepEqual([config.server.host, config.server.trustProxy], ['0.0.0.0', false])
  assert.deepEqual(config.server.allowedOrigins, [])
  await typeCheck(workspaceRoot)
})

test('with a loopback address the server is not open to the network', async (context) => {
  for (const address of [
    'http://localhost:3000',
    'http://shop.localhost',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
  ]) {
    const { load, run, text } = setUp(context)
    assert.equal(await run('--yes', '--address', address), 0)
    assert.equal((await load()).config.server.host, '127.0.0.1', address)
    assert.match(text(), /This machine only/)
  }
  const { load, run } = setUp(context)
  assert.equal(await run('--yes', '--address', 'http://localhost.shop.example'), 0)
  assert.equal((await load()).config.server.host, '0.0.0.0')
})
