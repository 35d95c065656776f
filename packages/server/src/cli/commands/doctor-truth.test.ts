// doctor fails where serve would, with the same message; it reports its sources, and is right beside a running server.
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { serve } from '#main.ts'
import { lendIndex } from '#fixtures/stores/stored-index.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import { tempWorkspace } from '../testing/temp-workspace.ts'

const QUIET = { MANGA_SERVER__LOGLEVEL: 'silent' }
const REMOTE = `export default { models: { primary: { provider: 'openai', id: 'gpt-6-luna' } } }`

interface Broken {
  readonly what: string
  readonly env?: Record<string, string>
  readonly breakIt?: (root: string) => void
  readonly breakData?: (dataDir: string) => void
  /** Part of the message of both. */
  readonly words: RegExp
}

const broken: readonly Broken[] = [
  {
    what: 'a line of the catalogue that is no JSON',
    breakIt: (root) => appendFileSync(join(root, 'data/catalogue.jsonl'), '{nothing\n'),
    words: /catalogue\.jsonl:\d+: is not valid JSON/,
  },
  {
    what: 'a catalogue that is not there',
    breakIt: (root) => rmSync(join(root, 'data/catalogue.jsonl')),
    words: /ENOENT.*catalogue\.jsonl/,
  },
  {
    what: 'an entry of the FAQ without what it needs',
    breakIt: (root) => appendFileSync(join(root, 'data/faq.yaml'), '\n- id: lonely\n'),
    words: /faq\.yaml:\d+: /,
  },
  {
    what: 'no weights of understanding',
    breakIt: (root) => rmSync(join(root, 'data/understanding/weights.bin')),
    words: /weights\.bin: ENOENT/,
  },
  {
    what: 'weights of complexity of another version',
    breakIt: (root) => writeFileSync(join(root, 'data/understanding/complexity.bin'), 'none'),
    words: /complexity\.bin: /,
  },
  {
    what: 'no weights of the FAQ',
    breakIt: (root) => rmSync(join(root, 'data/understanding/faq.bin')),
    words: /faq\.bin: ENOENT/,
  },
  {
    what: 'word vectors of another version',
    breakIt: (root) => writeFileSync(join(root, 'data/vectors/words.bin'), 'none'),
    words: /words\.bin: /,
  },
  {
    what: 'a models file that is no list, when a vendor is configured',
    env: { OPENAI_API_KEY: 'k' },
    breakIt: (root) => {
      writeFileSync(join(root, 'data/models.yaml'), 'none')
      writeFileSync(join(root, 'mangaassist.config.ts'), REMOTE)
    },
    words: /models\.yaml: must be a list/,
  },
  {
    what: 'web pages without a page',
    breakIt: (root) => rmSync(join(root, 'packages/web/dist/index.html')),
    words: /web pages in .*dist cannot be read \(ENOENT\)/,
  },
  {
    what: 'secrets that are none',
    breakData: (dataDir) => {
      mkdirSync(dataDir, { recursive: true })
      writeFileSync(join(dataDir, 'secrets.json'), '{}')
    },
    words: /secrets in .* cannot be read/,
  },
  {
    what: 'a database that is none, before there are secrets',
    breakData: (dataDir) => {
      mkdirSync(dataDir, { recursive: true })
      writeFileSync(join(dataDir, 'mangaassist.sqlite'), 'something else')
    },
    words: /mangaassist\.sqlite is not a database/,
  },
  {
    what: 'a folder in the place of the database, before there are secrets',
    breakData: (dataDir) => mkdirSync(join(dataDir, 'mangaassist.sqlite'), { recursive: true }),
    words: /mangaassist\.sqlite cannot be read as a file \(EISDIR\)/,
  },
  {
    what: 'a models file that is not there, when a vendor is configured',
    env: { OPENAI_API_KEY: 'k' },
    breakIt: (root) => {
      rmSync(join(root, 'data/models.yaml'))
      writeFileSync(join(root, 'mangaassist.config.ts'), REMOTE)
    },
    words: /ENOENT.*models\.yaml/,
  },
  {
    what: 'a webhook whose variable holds no address',
    env: { HOOK: 'nowhere', MANGA_STORE__HANDOVER__URLENV: 'HOOK' },
    words: /HOOK .*holds no http address/,
  },
  {
    what: 'a package that is no provider of models',
    env: {
      MANGA_MODELS__PRIMARY__PROVIDER: 'ai-sdk',
      MANGA_MODELS__PRIMARY__PACKAGE: 'yaml',
      MANGA_MODELS__PRIMARY__ID: 'x',
      MANGA_MODELS__PRIMARY__PRICE: '[0,0]',
    },
    words: /yaml has no create… function/,
  },
]

for (const { what, env = {}, breakIt, breakData, words } of broken) {
  test(`doctor and serve fail alike: ${what}`, async (context) => {
    const workspaceRoot = tempWorkspace(context)
    breakIt?.(workspaceRoot)
    const terminals = ['doctor', 'serve'].map(() => {
      const terminal = fakeTerminal(context, { env: { ...QUIET, ...env }, workspaceRoot, isIndexed: true })
      breakData?.(terminal.env['DATA_DIR'] ?? '')
      return terminal
    })
    const [checked, served] = terminals
    assert.ok(checked && served)
    assert.equal(await main(['doctor'], checked), 1, checked.printed.out)
    assert.match(checked.printed.out, new RegExp(`^✗ .*${words.source}`, 'm'))
    assert.equal(await main(['serve'], served), 1, served.printed.out)
    assert.match(served.printed.err, words)
  })
}

test('a broken models file that no model needs stops neither', async (context) => {
  const workspaceRoot = tempWorkspace(context, { 'data/models.yaml': 'none' })
  const terminal = fakeTerminal(context, { env: QUIET, workspaceRoot })
  assert.equal(await main(['doctor'], terminal), 0, terminal.printed.out)
  await (await serveFrom(context, workspaceRoot)).close()
})

test('a folder in place of the database is a finding about the data, and the other checks still run', async (context) => {
  const terminal = fakeTerminal(context, { env: QUIET, workspaceRoot: tempWorkspace(context) })
  mkdirSync(join(terminal.env['DATA_DIR'] ?? '', 'mangaassist.sqlite'), { recursive: true })
  assert.equal(await main(['doctor'], terminal), 1)
  const { out } = terminal.printed
  assert.match(out, /^✗ data: .*mangaassist\.sqlite cannot be read as a file \(EISDIR\)/m)
  assert.match(out, /^✓ port: [^]*^✓ catalogue: [^]*^✓ models: [^]*^✓ lanes: /m)
  assert.doesNotMatch(out, /models file/)
})

test('a models file that cannot be read is reported with the other problems of the configuration', async (context) => {
  const workspaceRoot = tempWorkspace(context, { 'mangaassist.config.ts': REMOTE })
  rmSync(join(workspaceRoot, 'data/models.yaml'))
  const terminal = fakeTerminal(context, { env: QUIET, workspaceRoot })
  assert.equal(await main(['doctor'], terminal), 1)
  assert.match(terminal.printed.out, /^✗ data\/models\.yaml: .*ENOENT[^]*^✗ models\.primary\.apiKeyEnv: /m)
})

test('an empty catalogue is a warning with the file to fill', async (context) => {
  const workspaceRoot = tempWorkspace(context, { 'data/catalogue.jsonl': '\n' })
  const terminal = fakeTerminal(context, { env: QUIET, workspaceRoot })
  assert.equal(await main(['doctor'], terminal), 0, terminal.printed.out)
  assert.match(terminal.printed.out, /^! catalogue: 0 series\n.*catalogue\.jsonl/m)
})

test('pages that were not built are a warning: the API is served without them', async (context) => {
  const workspaceRoot = tempWorkspace(context)
  rmSync(join(workspaceRoot, 'packages/web/dist'), { recursive: true })
  const terminal = fakeTerminal(context, { workspaceRoot })
  assert.equal(await main(['doctor'], terminal), 0, terminal.printed.out)
  assert.match(terminal.printed.out, /^! web pages: not built/m)
})

test('doctor names the file and the variables that it read, and no value of a secret', async (context) => {
  const file = `import { defineConfig } from '@mangaassist/server/config'
export default defineConfig({
  models: { primary: { provider: 'openai', id: 'gpt-6-luna' } },
  auth: { admins: [{ name: 'aki', tokenEnv: 'AKI_TOKEN' }] },
})`
  const workspaceRoot = tempWorkspace(context, { 'mangaassist.config.ts': file })
  const secrets = { OPENAI_API_KEY: 'sk-s3cret', AKI_TOKEN: `maa-${'s3cret'.repeat(8)}` }
  const env = { ...secrets, ...QUIET, UNRELATED: 'x', ANTHROPIC_API_KEY: 'sk-s3cret' }
  const terminal = fakeTerminal(context, { env, workspaceRoot })
  assert.equal(await main(['doctor'], terminal), 0, terminal.printed.out)
  assert.match(terminal.printed.out, new RegExp(`✓ configuration file: ${workspaceRoot}/mangaassist.config.ts`))
  const names = 'PORT, DATA_DIR, MANGA_SERVER__LOGLEVEL, OPENAI_API_KEY, AKI_TOKEN'
  assert.match(terminal.printed.out, new RegExp(`✓ environment: ${names}$`, 'm'))
  assert.doesNotMatch(terminal.printed.out, /s3cret/)
})

test('warnings are printed, are in the JSON too, and do not fail the check', async (context) => {
  const workspaceRoot = tempWorkspace(context, { 'mangaassist.config.js': 'export default {}' })
  const env = { MANGAASSIST_PORT: '1', MANGA_SERVER__PROXIES: '3' }
  const terminal = fakeTerminal(context, { env, workspaceRoot })
  assert.equal(await main(['doctor'], terminal), 0, terminal.printed.out)
  assert.match(terminal.printed.out, /✓ configuration file: no mangaassist\.config\.ts/)
  assert.match(terminal.printed.out, /^! mangaassist\.config\.js: [^]*^! MANGAASSIST_PORT: [^]*^! server\.proxies: /m)
  const asJson = fakeTerminal(context, { env, workspaceRoot })
  assert.equal(await main(['doctor', '--json'], asJson), 0)
  const { findings } = JSON.parse(asJson.printed.out) as { findings: { check: string; isWarning?: boolean }[] }
  const warned = findings.filter(({ isWarning }) => isWarning).map(({ check }) => check)
  assert.deepEqual(warned, ['mangaassist.config.js', 'MANGAASSIST_PORT', 'server.proxies'])
})

test('problems and warnings are printed together', async (context) => {
  const env = { MANGAASSIST_PORT: '1', PORT: 'http' }
  const terminal = fakeTerminal(context, { env, workspaceRoot: tempWorkspace(context) })
  assert.equal(await main(['doctor'], terminal), 1)
  assert.match(
    terminal.printed.out,
    /✓ environment: PORT, DATA_DIR\n✗ server\.port: [^]*\n! MANGAASSIST_PORT: [^]*✓ FAQ/,
  )
})

async function serveFrom(context: TestContext, workspaceRoot: string, printed: string[] = [], more = {}) {
  const { env } = fakeTerminal(context, { env: { ...QUIET, ...more }, workspaceRoot })
  lendIndex(env['DATA_DIR'] ?? '')
  const serving = await serve({ env, workspaceRoot, print: (line) => printed.push(line) })
  context.after(() => serving.close())
  return Object.assign(serving, { env, port: new URL(serving.address).port })
}

test('beside a running server with this data folder and port, doctor succeeds and reports the server', async (context) => {
  const workspaceRoot = tempWorkspace(context)
  const running = await serveFrom(context, workspaceRoot)
  const env = { DATA_DIR: running.env['DATA_DIR'] ?? '', PORT: running.port }
  const terminal = fakeTerminal(context, { env, workspaceRoot })
  assert.equal(await main(['doctor'], terminal), 0, terminal.printed.out)
  const running1 = `a server is running here \\(process ${process.pid}, ${running.address}, ready\\)`
  assert.match(terminal.printed.out, new RegExp(`✓ server: ${running1}`))
  assert.doesNotMatch(terminal.printed.out, /✗|^. port:/m)
})

test('a server with another data folder or another port counts as a conflict', async (context) => {
  const workspaceRoot = tempWorkspace(context)
  const running = await serveFrom(context, workspaceRoot)
  const otherData = fakeTerminal(context, { env: { PORT: running.port }, workspaceRoot })
  assert.equal(await main(['doctor'], otherData), 1)
  assert.match(otherData.printed.out, /✗ port: .* is in use by a MangaAssist with another data folder/)
  const env = { DATA_DIR: running.env['DATA_DIR'] ?? '' }
  const otherPort = fakeTerminal(context, { env, workspaceRoot })
  assert.equal(await main(['doctor'], otherPort), 1)
  assert.match(otherPort.printed.out, /✗ data: .*in use by process/)
})

test('another program on the port is a conflict, even while our data folder is in use', async (context) => {
  const workspaceRoot = tempWorkspace(context)
  const running = await serveFrom(context, workspaceRoot)
  const stranger = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  context.after(() => stranger.close())
  const env = { DATA_DIR: running.env['DATA_DIR'] ?? '', PORT: `${(stranger.address() as AddressInfo).port}` }
  const terminal = fakeTerminal(context, { env, workspaceRoot })
  assert.equal(await main(['doctor'], terminal), 1)
  assert.match(terminal.printed.out, /✗ data: [^]*✗ port: /)
})

test('both report an address that does not belong to this machine as such', async (context) => {
  const env = { HOST: '203.0.113.7', ...QUIET }
  const workspaceRoot = tempWorkspace(context)
  for (const command of ['doctor', 'serve']) {
    const terminal = fakeTerminal(context, { env, workspaceRoot })
    assert.equal(await main([command], terminal), 1)
    const said = terminal.printed.out + terminal.printed.err
    assert.match(said, /is not an address of this machine \(EADDRNOTAVAIL\)[^]*Set HOST to an address of this machine/)
    assert.doesNotMatch(said, /Stop what listens/)
  }
})

test('only a server without a configuration prints a line about init', async (context) => {
  const lines: string[] = []
  const { MANGA_SERVER__LOGLEVEL: _, ...plain } = { ...QUIET }
  const workspaceRoot = tempWorkspace(context)
  const { env } = fakeTerminal(context, { env: plain, workspaceRoot })
  const unconfigured = await serve({ env, workspaceRoot, print: (line) => lines.push(line) })
  await unconfigured.close()
  assert.equal(lines.length, 2)
  assert.match(lines[0] ?? '', /ready at http:\/\/127\.0\.0\.1:\d+/)
  assert.match(lines[1] ?? '', /npx mangaassist init/)
  assert.equal(lines.filter((line) => /ready/.test(line)).length, 1)
  for (const [files, more] of [
    [{ 'mangaassist.config.ts': 'export default {}' }, {}],
    [{}, QUIET],
  ] as const) {
    const printed: string[] = []
    await (await serveFrom(context, tempWorkspace(context, files), printed, more)).close()
    assert.equal(printed.length, 1)
  }
  assert.equal(existsSync(join(workspaceRoot, 'mangaassist.config.ts')), false)
})
