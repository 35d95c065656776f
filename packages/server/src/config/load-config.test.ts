// The sources of settings, their conversion, and the problems that stop the start.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { systemClock } from '#adapters/system/clock.ts'
import { defaults } from './config.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { ConfigError, loadConfig } from './load-config.ts'
import type { ConfigProblem } from './load-config.ts'

type Env = Record<string, string | undefined>

function workspace(context: TestContext, file?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mangaassist-config-'))
  context.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  if (file !== undefined) writeFileSync(join(folder, 'mangaassist.config.ts'), file)
  return folder
}

const load = (context: TestContext, env: Env = {}, file?: string) =>
  loadConfig({ env, clock: systemClock(), workspaceRoot: workspace(context, file) })

async function problemsOf(context: TestContext, env: Env, file?: string): Promise<readonly ConfigProblem[]> {
  try {
    await load(context, env, file)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.problems
  }
  return []
}

const pathsOf = (problems: readonly ConfigProblem[]) => problems.map(({ path }) => path)

test('without settings, the defaults apply and the embedded model answers', async (context) => {
  const config = await load(context)
  assert.deepEqual(config.streaming, defaults.streaming)
  assert.deepEqual(config.models, { embedded: { provider: 'embedded' } })
  assert.deepEqual(config.ladder, ['embedded'])
})

test('the file overrides the defaults, and the environment overrides both', async (context) => {
  const file = 'export default { streaming: { flushMs: 70, flushBytes: 2048 }, server: { port: 1 } }'
  const config = await load(context, { MANGA_STREAMING__FLUSHMS: '50', PORT: '9090' }, file)
  assert.equal(config.streaming.flushMs, 50)
  assert.equal(config.streaming.flushBytes, 2048)
  assert.equal(config.streaming.heartbeatMs, defaults.streaming.heartbeatMs)
  assert.equal(config.server.port, 9090)
})

test('the file may be TypeScript, and an undefined setting in it counts as absent', async (context) => {
  const file = 'const port: number = 4000\nexport default { server: { port, host: undefined } }'
  const config = await load(context, {}, file)
  assert.equal(config.server.port, 4000)
  assert.equal(config.server.host, '127.0.0.1')
})

test('variables are converted to the type that the schema has at their path', async (context) => {
  const config = await load(context, {
    HOST: '0.0.0.0',
    MANGA_SERVER__TRUSTPROXY: '1',
    MANGA_SERVER__LOGLEVEL: 'warn',
    MANGA_TOKENS__TEMPERATURE: '0.7',
    MANGA_SERVER__ALLOWEDORIGINS: 'https://a.example, https://b.example',
    MANGA_MODELS__PRIMARY__PROVIDER: 'embedded',
    MANGA_MODELS__SPARE__PROVIDER: 'embedded',
    MANGA_LADDER: '["spare", "primary"]',
    MANGA_TIERS__FREE__REQUESTSPERMINUTE: '12',
  })
  assert.equal(config.server.host, '0.0.0.0')
  assert.equal(config.server.trustProxy, true)
  assert.equal(config.server.logLevel, 'warn')
  assert.equal(config.tokens.temperature, 0.7)
  assert.deepEqual(config.server.allowedOrigins, ['https://a.example', 'https://b.example'])
  assert.deepEqual(Object.keys(config.models), ['primary', 'spare'])
  assert.deepEqual(config.ladder, ['spare', 'primary'])
  assert.equal(config.tiers.free?.requestsPerMinute, 12)
  assert.equal(config.tiers.free?.inputTokensPerDay, defaults.tiers.free?.inputTokensPerDay)
})

test('a variable finds a model of the file without regard to case', async (context) => {
  const file = "export default { models: { bigModel: { provider: 'embedded' } } }"
  const config = await load(context, { MANGA_MODELS__BIGMODEL__TOKENSPERSECOND: '9' }, file)
  assert.deepEqual(config.models, { bigModel: { provider: 'embedded', tokensPerSecond: 9 } })
})

test('without a ladder, primary and economy come in that order, else all models in the order of the file', async (context) => {
  const model = "{ provider: 'embedded' }"
  const known = await load(
    context,
    {},
    `export default { models: { other: ${model}, economy: ${model}, primary: ${model} } }`,
  )
  assert.deepEqual(known.ladder, ['primary', 'economy'])
  const own = await load(context, {}, `export default { models: { one: ${model}, two: ${model} } }`)
  assert.deepEqual(own.ladder, ['one', 'two'])
})

test('the file is an ES module, whatever the package.json beside it says', async (context) => {
  const file =
    "import { defineConfig } from '@mangaassist/server/config'\nexport default defineConfig({ server: { port: 7 } })"
  for (const manifest of [undefined, '{ "type": "commonjs" }', '{ "type": "module" }']) {
    const folder = mkdtempSync(join(tmpdir(), 'mangaassist-config-'))
    context.after(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'node_modules/@mangaassist'), { recursive: true })
    symlinkSync(join(import.meta.dirname, '../..'), join(folder, 'node_modules/@mangaassist/server'), 'junction')
    if (manifest !== undefined) writeFileSync(join(folder, 'package.json'), manifest)
    writeFileSync(join(folder, 'mangaassist.config.ts'), file)
    assert.equal((await loadConfig({ env: {}, clock: systemClock(), workspaceRoot: folder })).server.port, 7)
  }
})

test('the data folder is relative to the workspace, and the result is frozen', async (context) => {
  const workspaceRoot = workspace(context)
  const config = await loadConfig({ env: { DATA_DIR: 'elsewhere' }, clock: systemClock(), workspaceRoot })
  assert.ok(isAbsolute(config.server.dataDir))
  assert.equal(config.server.dataDir, join(workspaceRoot, 'elsewhere'))
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.deadlines.rest) && Object.isFrozen(config.ladder))
})

test('an empty PORT counts as unset', async (context) => {
  const config = await load(context, { PORT: '' })
  assert.equal(config.server.port, 8080)
})

test('all problems of the file, of the environment and between settings are reported at once', async (context) => {
  const file = "export default { streaming: { flushMs: 'fast' }, answers: { firstWordMs: 11_000 }, colour: 1 }"
  const problems = await problemsOf(context, { PORT: 'http', MANGA_STREAMING__FLUSHBYTE: '1' }, file)
  const expected = ['MANGA_STREAMING__FLUSHBYTE', 'answers.firstWordMs', 'colour', 'server.port', 'streaming.flushMs']
  assert.deepEqual(pathsOf(problems).toSorted(), expected)
})

test('a problem has the path, the given value, the allowed values and the fix', async (context) => {
  const [problem] = await problemsOf(context, { MANGA_STREAMING__FLUSHMS: 'soon' })
  assert.deepEqual(problem, {
    path: 'streaming.flushMs',
    given: '"soon"',
    allowed: 'a whole number of at least 1',
    fix: 'Change MANGA_STREAMING__FLUSHMS, or remove it for the default.',
  })
  await assert.rejects(load(context, { PORT: '70000' }), /server\.port\n.*70000\n.*from 0 to 65535\n.*Change PORT/)
})

test('an unknown name is reported with a similar one, in the file and in the environment', async (context) => {
  const [ofFile] = await problemsOf(context, {}, 'export default { streaming: { flushMS: 50 } }')
  assert.equal(ofFile?.path, 'streaming.flushMS')
  assert.match(ofFile?.fix ?? '', /streaming\.flushMs/)
  const [ofEnvironment] = await problemsOf(context, { MANGA_STREAMING__FLUSHMILLIS: '50' })
  assert.match(ofEnvironment?.fix ?? '', /MANGA_STREAMING__FLUSHMS/)
})

test('a variable that names a whole section or an impossible model is a problem', async (context) => {
  const problems = await problemsOf(context, { MANGA_STREAMING: '{}', MANGA_MODELS__A__PROVIDER__X: '1' })
  assert.deepEqual(pathsOf(problems), ['MANGA_STREAMING', 'MANGA_MODELS__A__PROVIDER__X'])
})

test('two variables with different values for one setting are a problem', async (context) => {
  const problems = await problemsOf(context, { PORT: '1', MANGA_SERVER__PORT: '2' })
  assert.deepEqual(pathsOf(problems), ['server.port'])
  assert.deepEqual(await problemsOf(context, { PORT: '1', MANGA_SERVER__PORT: '1' }), [])
})

test('a file that cannot be read as a configuration is a problem, not a crash', async (context) => {
  assert.match((await problemsOf(context, {}, 'export default {{'))[0]?.given ?? '', /an error/)
  assert.match((await problemsOf(context, {}, "throw new Error('no luck')"))[0]?.given ?? '', /no luck/)
  assert.match((await problemsOf(context, {}, 'export const config = {}'))[0]?.given ?? '', /no default export/)
  assert.match((await problemsOf(context, {}, 'export default 5'))[0]?.given ?? '', /not an object/)
})

test('each kind of wrong export and each thrown error has its own fix', async (context) => {
  for (const [file, given, fix] of [
    ["throw 'boom'", /^a thrown value that is not an Error: boom$/, /throw an Error to see its line/],
    ['export default () => ({})', /that is a function/, /Export what it returns/],
    ['export default Promise.resolve({})', /that is a promise/, /await after export default/],
    ['export default []', /not an object/, /export default defineConfig/],
    ["import 'no-such-package'", /no-such-package/, /npm install no-such-package.*Or remove the import/],
    ["import './no-such-file.ts'", /no-such-file/, /no such file/],
  ] as const) {
    const [problem] = await problemsOf(context, {}, file)
    assert.match(problem?.given ?? '', given)
    assert.match(problem?.fix ?? '', fix)
  }
})

test('a file that does not finish is a problem after a bounded time', async (context) => {
  const clock = manualClock()
  const workspaceRoot = workspace(context, 'await new Promise(() => {})\nexport default {}')
  const loading = assert.rejects(loadConfig({ env: {}, clock, workspaceRoot }), (error) => {
    assert.ok(error instanceof ConfigError)
    const [problem] = error.problems
    return /has not ended after 10 s/.test(problem?.given ?? '') && /Remove that/.test(problem?.fix ?? '')
  })
  await clock.advance(10_000)
  await loading
  await loadConfig({ env: {}, clock, workspaceRoot: workspace(context, 'export default {}') })
  assert.equal(clock.timers(), 0)
})

test('a file cannot end the process, and the position of its exit is reported', async (context) => {
  const { exit } = process
  const [problem] = await problemsOf(context, {}, 'const code = 0\nprocess.exit(code)\nexport default {}')
  assert.equal(problem?.path, 'mangaassist.config.ts:2:9')
  assert.match(problem?.given ?? '', /calls process\.exit/)
  assert.equal(process.exit, exit)
})

test('an unknown time zone is reported with its position and a similar one', async (context) => {
  for (const [given, meant] of [
    ['Asia/Tokio', 'Asia/Tokyo'],
    ['tokyo', 'Asia/Tokyo'],
    ['JST9', undefined],
  ] as const) {
    const [problem] = await problemsOf(context, {}, `export default {\n  store: { timeZone: '${given}' },\n}`)
    const hint = meant === undefined ? '' : `Did you mean "${meant}"? `
    const fix = `${hint}Change store.timeZone in mangaassist.config.ts:2:12, or remove it for the default.`
    assert.equal(problem?.fix, fix)
  }
})

test('a section of the wrong type is reported once, without problems that follow from it', async (context) => {
  for (const section of ['deadlines', 'tiers', 'models', 'streaming', 'tokens', 'store']) {
    assert.deepEqual(pathsOf(await problemsOf(context, {}, `export default { ${section}: 'none' }`)), [section])
    assert.deepEqual(pathsOf(await problemsOf(context, {}, `export default { ${section}: null }`)), [section])
  }
})

test('a new tier must be complete, and its name valid', async (context) => {
  const file =
    "export default { tiers: { gold: { requestsPerMinute: 5 }, 'Über': {} }, models: { '1st': { provider: 'embedded' } } }"
  const paths = pathsOf(await problemsOf(context, {}, file))
  assert.ok(paths.includes('tiers.gold.inputTokensPerDay'))
  assert.ok(paths.includes('tiers.Über') && paths.includes('models.1st'))
})

const contradictions: Record<string, Env> = {
  'deadlines.rest.firstWordMs': { MANGA_DEADLINES__REST__FIRSTWORDMS: '24000' },
  'deadlines.rest.endMs': { MANGA_DEADLINES__REST__ENDMS: '29000' },
  'deadlines.stream.firstWordMs': { MANGA_DEADLINES__STREAM__FIRSTWORDMS: '120000' },
  'deadlines.v1.firstWordMs': { MANGA_DEADLINES__V1__FIRSTWORDMS: '120000' },
  'deadlines.firstTokenMs': { MANGA_DEADLINES__FIRSTTOKENMS: '20000' },
  'deadlines.stallMs': { MANGA_DEADLINES__STALLMS: '25000' },
  'models.slow.firstTokenMs': {
    MANGA_MODELS__SLOW__PROVIDER: 'embedded',
    MANGA_MODELS__SLOW__FIRSTTOKENMS: '17000',
    MANGA_DEADLINES__STREAM__FIRSTWORDMS: '16000',
    MANGA_LADDER: 'slow',
  },
  'turns.renewMs': { MANGA_TURNS__RENEWMS: '5000' },
  'streaming.flushMs': { MANGA_STREAMING__FLUSHMS: '5000' },
  'streaming.flushBytes': { MANGA_STREAMING__FLUSHBYTES: '32768' },
  'streaming.frameBytesMax': { MANGA_STREAMING__FRAMEBYTESMAX: '262144' },
  'streaming.stalledPollsMax': { MANGA_STREAMING__STALLEDPOLLSMAX: '1' },
  'tokens.inputPerRequestMax': { MANGA_TOKENS__INPUTPERREQUESTMAX: '1600' },
  'tokens.retrievedInPrompt': { MANGA_TOKENS__RETRIEVEDINPROMPT: '6' },
  'tiers.free.outputTokensPerRequest': { MANGA_TIERS__FREE__OUTPUTTOKENSPERREQUEST: '63' },
  'tiers.free.outputTokensPerDay': { MANGA_TIERS__FREE__OUTPUTTOKENSPERDAY: '511' },
  'tiers.free.inputTokensPerDay': { MANGA_TIERS__FREE__INPUTTOKENSPERDAY: '3999' },
  'summaries.outputTokens': { MANGA_SUMMARIES__OUTPUTTOKENS: '3000' },
  'idempotency.doubleTapMs': { MANGA_IDEMPOTENCY__DOUBLETAPMS: '30000' },
  'answers.freshMs': { MANGA_ANSWERS__FRESHMS: '86400000' },
  'answers.firstWordMs': {
    MANGA_ANSWERS__FIRSTWORDMS: '9000',
    MANGA_DEADLINES__REST__FIRSTWORDMS: '9000',
    MANGA_DEADLINES__THINKINGMS: '8500',
    MANGA_DEADLINES__FIRSTTOKENMS: '8000',
  },
  'server.lameDuckMs': { MANGA_SERVER__LAMEDUCKMS: '20000' },
  'deferred.leaseMs': { MANGA_DEFERRED__LEASEMS: '120000' },
  'store.handover': { MANGA_STORE__HANDOVER__TRIESMAX: '2' },
  'probe.staleMs': { MANGA_PROBE__EVERYMS: '480000' },
  'store.timeZone': { MANGA_STORE__TIMEZONE: 'Mars/Olympus' },
  ladder: { MANGA_LADDER: 'embedded,primary' },
}

for (const [path, env] of Object.entries(contradictions)) {
  test(`${path} is checked against the settings it depends on`, async (context) => {
    const problems = await problemsOf(context, env)
    assert.deepEqual([...new Set(pathsOf(problems))], [path])
    assert.ok(problems.every(({ given, allowed, fix }) => given !== '' && allowed !== '' && fix !== ''))
  })
}

test('the limits of a model are checked against the deadlines of /v1, and on the ladder against those of the chat too', async (context) => {
  const slow = {
    MANGA_MODELS__SLOW__PROVIDER: 'embedded',
    MANGA_MODELS__SLOW__FIRSTTOKENMS: '90000',
    MANGA_MODELS__SLOW__STALLMS: '60000',
    MANGA_DEADLINES__V1__FIRSTWORDMS: '100000',
    MANGA_LADDER: 'embedded',
    MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
  }
  assert.deepEqual(await problemsOf(context, slow), [])
  const tooSlow = await problemsOf(context, { ...slow, MANGA_MODELS__SLOW__FIRSTTOKENMS: '100000' })
  assert.deepEqual(
    tooSlow.map(({ path, allowed }) => [path, allowed]),
    [['models.slow.firstTokenMs', 'less than deadlines.v1.firstWordMs (100000)']],
  )
  const onLadder = await problemsOf(context, { ...slow, MANGA_LADDER: 'slow' })
  assert.deepEqual(
    onLadder.map(({ path, allowed }) => [path, allowed]),
    [
      ['models.slow.firstTokenMs', 'less than deadlines.rest.firstWordMs (20000)'],
      ['models.slow.stallMs', 'less than deadlines.rest.endMs (25000)'],
      ['models.slow.firstTokenMs', 'less than deadlines.stream.firstWordMs (25000)'],
    ],
  )
  assert.match(onLadder[0]?.fix ?? '', /take it off the ladder if only \/v1 uses it/)
  const fallback = await problemsOf(context, { ...slow, MANGA_MODELS__EMBEDDED__FALLBACKS: 'slow' })
  assert.equal(fallback.length, 3)
})

test('secrets are not shown', async (context) => {
  const [unknown] = await problemsOf(context, { MANGA_AUTH__ADMINTOKEN: 'hunter2' })
  assert.doesNotMatch(JSON.stringify(unknown), /hunter2/)
})

test('a key instead of the name of its variable is refused and not shown', async (context) => {
  const env = {
    MANGA_MODELS__PRIMARY__PROVIDER: 'openai',
    MANGA_MODELS__PRIMARY__ID: 'gpt',
    MANGA_MODELS__PRIMARY__APIKEYENV: 'sk-verysecret',
  }
  const problems = JSON.stringify(await problemsOf(context, env))
  assert.match(problems, /models\.primary\.apiKeyEnv/)
  assert.doesNotMatch(problems, /verysecret/)
})

test('a deadline that is not shorter than the one around it stops the start', async (context) => {
  const problems = await problemsOf(context, {
    MANGA_DEADLINES__NOMODELUNDERMS: '8000',
    MANGA_DEADLINES__ADVISEOVERMS: '25000',
  })
  assert.deepEqual(pathsOf(problems).toSorted(), [
    'deadlines.adviseOverMs',
    'deadlines.noModelUnderMs',
    'deadlines.noModelUnderMs',
  ])
  const never = await problemsOf(context, { MANGA_DEADLINES__ECONOMYUNDERMS: '21000' })
  assert.deepEqual(pathsOf(never), ['deadlines.economyUnderMs'])
})

test('the circuits of dependencies that are not models can be configured too', async (context) => {
  const problems = await problemsOf(context, {
    MANGA_LANES__CIRCUITS__SEARCH__OPENMS: '6000',
    MANGA_LANES__CIRCUITS__SESSIONS__RATE: '2',
    MANGA_LANES__CIRCUITS__REDIS__FAILURES: '0',
    MANGA_MODELS__REDIS__PROVIDER: 'embedded',
  })
  assert.deepEqual(pathsOf(problems).toSorted(), [
    'lanes.circuits.redis.failures',
    'lanes.circuits.sessions.rate',
    'lanes.open.maxMs',
    'models.redis',
  ])
  assert.match(problems.find(({ path }) => path === 'models.redis')?.allowed ?? '', /any name but search, .*redis/)
})

test('contradicting settings of lanes, queue and retries stop the start', async (context) => {
  const problems = await problemsOf(context, {
    MANGA_LANES__OPEN__MAXMS: '31000',
    MANGA_LANES__OPEN__FIRSTMS: '32000',
    MANGA_RETRIES__ATTEMPTSPERMODELMAX: '6',
    MANGA_QUEUE__RESERVEMS: '20000',
    MANGA_RETRIES__JITTER: 'some',
  })
  assert.deepEqual(pathsOf(problems).toSorted(), [
    'lanes.open.firstMs',
    'lanes.open.maxMs',
    'queue.reserveMs',
    'retries.attemptsPerModelMax',
    'retries.jitter',
  ])
  assert.match(problems.find(({ path }) => path === 'lanes.open.maxMs')?.allowed ?? '', /economy\.openMs \(30000\)/)
})
