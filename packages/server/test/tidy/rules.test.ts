// Each rule finds a planted violation, and does not report its innocent neighbour.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bannedGlobalViolations } from './banned-globals.ts'
import { errorTableProblems } from './error-table.ts'
import { contractViolations, fileViolations } from './house-rules.ts'
import { cycleViolations, importViolations } from './import-law.ts'
import { languageViolations } from './language-rules.ts'
import { exportedNameViolations, fileNameViolations } from './name-rules.ts'
import type { SourceFile, Violation } from './source-file.ts'

const server = (path: string, source: string): SourceFile => ({ path: `packages/server/src/${path}`, source })
const whats = (violations: readonly Violation[]) => violations.map(({ what }) => what)

function importing(path: string, request: string): string[] {
  return whats(importViolations([server(path, `import type { X } from '${request}'`)]))
}

const lawful: readonly (readonly [string, string])[] = [
  ['edge/http/http.ts', '#turn/turn.ts'],
  ['edge/http/http.ts', '#app/app.ts'],
  ['edge/http/http.ts', 'fastify'],
  ['turn/run-turn.ts', './admission/admit.ts'],
  ['turn/admission/admit.ts', '../turn.ts'],
  ['turn/admission/admit.ts', './limits.ts'],
  ['turn/invocation/fallback/copy.ts', '../../turn.ts'],
  ['turn/invocation/fallback/copy.ts', '../rung-end.ts'],
  ['turn/admission/admit.ts', '#ports/clock/port.ts'],
  ['turn/summaries/summaries.ts', '../invocation/line.ts'],
  ['turn/summaries/summaries.ts', '../costs/estimates.ts'],
  ['ports/model/port.ts', '@mangaassist/bookseller/grounding'],
  ['domain/budget/quota.ts', '@mangaassist/protocol'],
  ['config/config.ts', '#domain/turn/log-trimming.ts'],
  ['adapters/sqlite/ledger/ledger.ts', 'node:sqlite'],
  ['adapters/sqlite/ledger/ledger.ts', '../files/database.ts'],
  ['wiring/profiles/local.ts', '#adapters/sqlite/ledger/ledger.ts'],
  ['cli/commands/chat.ts', '@mangaassist/client'],
  ['edge/http/http.test.ts', '#adapters/memory/ledger.ts'],
  ['edge/http/http.test.ts', '@mangaassist/simulation/virtual/time'],
]
const unlawful: readonly (readonly [string, string])[] = [
  ['edge/http/http.ts', '#adapters/memory/ledger.ts'],
  ['edge/http/http.ts', '#wiring/profiles/local.ts'],
  ['turn/run-turn.ts', '#edge/http/http.ts'],
  ['turn/run-turn.ts', '#app/app.ts'],
  ['turn/run-turn.ts', 'fastify'],
  ['turn/admission/admit.ts', '../context/gather.ts'],
  ['turn/admission/admit.ts', '#turn/context/gather.ts'],
  ['turn/admission/admit.ts', '../run-turn.ts'],
  ['turn/admission/admit.ts', '../costs/estimates.ts'],
  ['turn/invocation/fallback/copy.ts', '../../answers/cached-answers.ts'],
  ['turn/admission/admit.ts', '#adapters/memory/ledger.ts'],
  ['services/sessions.ts', '#turn/turn.ts'],
  ['ports/clock/port.ts', '#turn/turn.ts'],
  ['ports/clock/port.ts', '#adapters/system/clock.ts'],
  ['domain/budget/quota.ts', '#ports/clock/port.ts'],
  ['domain/budget/quota.ts', '#config/config.ts'],
  ['config/config.ts', '#turn/turn.ts'],
  ['lib/text/csv.ts', '#domain/budget/quota.ts'],
  ['lib/text/csv.ts', '@mangaassist/protocol'],
  ['adapters/sqlite/ledger/ledger.ts', '#config/config.ts'],
  ['adapters/sqlite/ledger/ledger.ts', '../../memory/ledger.ts'],
  ['adapters/memory/ledger.ts', 'node:sqlite'],
  ['app/app.ts', '#adapters/memory/ledger.ts'],
  ['edge/http/http.ts', '#ports/clock/contract.ts'],
  ['edge/http/http.ts', '#fixtures/edge/doors.ts'],
  ['edge/http/http.ts', 'pino'],
  ['turn/context/gather.ts', 'yaml'],
  ['edge/http/http.ts', '@mangaassist/client'],
  ['adapters/aws/bedrock/model.ts', '@mangaassist/simulation/vendor/start-simulator'],
  ['cli/commands/serve.ts', '@mangaassist/simulation/commands'],
  ['somewhere/new.ts', '#lib/text/csv.ts'],
]

for (const [path, request] of lawful) {
  test(`${path} may import ${request}`, () => assert.deepEqual(importing(path, request), []))
}
for (const [path, request] of unlawful) {
  test(`${path} may not import ${request}`, () => assert.equal(importing(path, request).length, 1))
}

test('a package imports only the packages that it may know', () => {
  const found = (path: string, request: string) =>
    whats(importViolations([{ path: `packages/${path}`, source: `import '${request}'` }]))
  assert.deepEqual(found('simulation/src/world/shop.ts', '@mangaassist/server/app/app'), [])
  assert.deepEqual(found('bookseller/src/grounding.ts', '@mangaassist/protocol'), [])
  assert.deepEqual(found('bookseller/src/grounding.ts', 'typebox'), [])
  assert.equal(found('bookseller/src/grounding.ts', '@mangaassist/server/ports/clock/port').length, 1)
  assert.equal(found('client/src/client.ts', '@mangaassist/server/main').length, 1)
})

test('an import is found however it is written', () => {
  const ways = [
    "import '#edge/x.ts'",
    "export { x } from '#edge/x.ts'",
    "export * from '#edge/x.ts'",
    "await import('#edge/x.ts')",
  ]
  for (const source of ways) assert.equal(importViolations([server('turn/run-turn.ts', source)]).length, 1, source)
  assert.deepEqual(
    importViolations([server('turn/run-turn.ts', "// import '#edge/x.ts'\nconst text = \"import '#edge/x.ts'\"")]),
    [],
  )
})

test('a cycle of imports is found, and a diamond is not one', () => {
  const circle = [
    server('lib/a.ts', "import './b.ts'"),
    server('lib/b.ts', "import type { C } from '#lib/c.ts'"),
    server('lib/c.ts', "export * from './a.ts'"),
  ]
  const diamond = [
    server('lib/a.ts', "import './b.ts'\nimport './c.ts'"),
    server('lib/b.ts', "import './d.ts'"),
    server('lib/c.ts', "import './d.ts'"),
    server('lib/d.ts', ''),
  ]
  assert.match(whats(cycleViolations(circle)).join(), /b\.ts → .*c\.ts → .*a\.ts/)
  assert.deepEqual(cycleViolations(diamond), [])
})

const banned: Readonly<Record<string, string>> = {
  Date: 'const now = Date.now()',
  performance: 'const now = performance.now()',
  'Math.random': 'const chance = Math.random()',
  randomUUID: "import { randomUUID } from 'node:crypto'",
  'crypto.randomUUID': 'const id = globalThis.crypto.randomUUID()',
  'crypto.subtle': 'await crypto.subtle.digest(name, bytes)',
  setTimeout: 'setTimeout(() => {}, 5)',
  setInterval: 'const start = globalThis.setInterval',
  setImmediate: 'const later = { setImmediate }',
  'AbortSignal.timeout': 'const signal = AbortSignal.timeout(5)',
  'process.env': 'const { PORT } = process.env',
  'node:timers/promises': "import { scheduler } from 'node:timers/promises'",
}

for (const [name, source] of Object.entries(banned)) {
  test(`${name} is found outside adapters/system, and allowed inside`, () => {
    const found = whats(bannedGlobalViolations([server('turn/run-turn.ts', source)]))
    assert.deepEqual(found, [`uses ${name}: ask a port`])
    assert.deepEqual(bannedGlobalViolations([server('adapters/system/clock.ts', source)]), [])
    assert.deepEqual(bannedGlobalViolations([server('turn/run-turn.test.ts', source)]), [])
    assert.deepEqual(bannedGlobalViolations([server('ports/clock/contract.ts', source)]), [])
  })
}

test('the environment may be read where a process begins', () => {
  assert.deepEqual(bannedGlobalViolations([server('main.ts', 'process.env'), server('cli/main.ts', 'process.env')]), [])
  assert.equal(bannedGlobalViolations([server('config/load-config.ts', 'process.env')]).length, 1)
})

test('names, types and comments that resemble a global are allowed', () => {
  const source = `
    // Date.now() and setTimeout
    interface Reading { at: Date; performance: number }
    const reading: Date | undefined = undefined
    const text = 'setTimeout(' + report.performance + table['Date']
    const labels = { Date: 1, setTimeout: 2 }
    const env = options.env`
  assert.deepEqual(bannedGlobalViolations([server('turn/run-turn.ts', source)]), [])
})

test('a port without a contract is found, and an adapter that does not run it', () => {
  const port = server('ports/ledger/port.ts', '// Books.')
  const contract = server('ports/ledger/contract.ts', '// What books promise.')
  const adapter = server('adapters/memory/ledger.ts', '// Books in memory.')
  const imports = "import './ledger.ts'\nimport '#ports/ledger/contract.ts'"
  const held = server('adapters/memory/ledger.test.ts', imports)
  const notHeld = server('adapters/memory/ledger.test.ts', "import './ledger.ts'")
  assert.match(whats(contractViolations([port])).join(), /without a contract/)
  assert.match(whats(contractViolations([port, contract, adapter])).join(), /no test that holds it/)
  assert.match(whats(contractViolations([port, contract, adapter, notHeld])).join(), /no test that holds it/)
  assert.deepEqual(contractViolations([port, contract, adapter, held]), [])
})

test('a file without a purpose, with capitals in its name, or without an end is found', () => {
  const file = (path: string, source: string) => whats(fileViolations([{ path, source }]))
  assert.deepEqual(file('scripts/start.js', '#!/usr/bin/env node\n// Starts.\n'), [])
  assert.deepEqual(file('packages/web/vite.config.ts', '/* Builds. */'), [])
  assert.match(file('scripts/start.js', 'const x = 1').join(), /comment/)
  assert.match(file('src/runTurn.ts', '// Runs.').join(), /kebab-case/)
  assert.match(file('src/handler_utils.ts', '// Everything.').join(), /kebab-case/)
})

test('a name that two files of a layer export is found; exporting it again is no declaration', () => {
  const found = (...files: readonly SourceFile[]) => whats(exportedNameViolations(files))
  const first = server('domain/a.ts', 'export interface Turn {}')
  assert.match(
    found(first, server('domain/b/c.ts', 'export const Turn = 1')).join(),
    /exports Turn, as .*domain\/a\.ts/,
  )
  assert.match(found(first, server('domain/b/c.ts', 'export type Turn = string')).join(), /exports Turn/)
  assert.equal(
    found(first, server('domain/b.ts', 'export class Turn {}'), server('domain/c.ts', 'export function Turn() {}'))
      .length,
    2,
  )
  assert.deepEqual(found(first, server('turn/a.ts', 'export interface Turn {}')), [])
  assert.deepEqual(
    found(first, server('domain/b.ts', "interface Turn {}\nexport type { Turn as T } from './a.ts'")),
    [],
  )
  assert.deepEqual(found(first, server('domain/b.ts', "export type { Turn } from './a.ts'")), [])
  assert.deepEqual(found(server('domain/b.ts', 'export const Turn = 1\nexport type Turn = typeof Turn')), [])
})

test('files of a layer whose names differ only by a hyphen are found', () => {
  const found = (...paths: readonly string[]) => whats(fileNameViolations(paths.map((path) => server(path, ''))))
  assert.match(found('turn/fallback.ts', 'turn/a/fall-back.ts').join(), /differs from .*turn\/fallback\.ts/)
  assert.deepEqual(found('turn/fallback.ts', 'turn/a/fallback.ts', 'domain/fall-back.ts'), [])
})

test('a missing, wrong or superfluous error in the table is found', () => {
  const row = (code: string, status: number, retry: string) => `| \`${code}\` | ${status} | ${retry} | when | what |\n`
  const catalogue = { MODEL_TIMEOUT: { status: 504, retryAfterSeconds: 2 }, NOT_FOUND: { status: 404 } }
  const table = row('MODEL_TIMEOUT', 504, '2 s') + row('NOT_FOUND', 404, '–')
  assert.deepEqual(errorTableProblems(table, catalogue), [])
  assert.match(errorTableProblems(row('NOT_FOUND', 404, '–'), catalogue).join(), /MODEL_TIMEOUT is not documented/)
  assert.match(errorTableProblems(table.replace('504', '500'), catalogue).join(), /another status/)
  assert.match(errorTableProblems(table.replace('2 s', '3 s'), catalogue).join(), /another status or retry-after/)
  assert.match(
    errorTableProblems(table + row('GONE', 410, '–'), catalogue).join(),
    /GONE is documented and does not exist/,
  )
})

test('a word with a usual replacement is found in comments, test names and identifiers, and the usual one named', () => {
  const found = (source: string) => whats(languageViolations([server('domain/a.ts', source)]))
  assert.match(
    found('// The caller was told\n// of it.').join(),
    /"told" in a comment \(reported.*The caller was told of it/,
  )
  assert.match(found('/** Of a turn. */\nconst turn = 1').join(), /"Of" in a comment \(a sentence with a subject\)/)
  assert.match(found("test('an answer goes on', () => {})").join(), /"goes on" in a test name/)
  assert.match(found('test(`${name}: goes on`, () => {})').join(), /"goes on" in a test name/)
  assert.match(found("const route = { summary: 'Answers go on' }").join(), /"go on" in a description/)
  assert.match(found('const isAway = true').join(), /"away" in the name isAway \(unavailable\)/)
  assert.match(found('class A { #look() {} }').join(), /"look" in the name look/)
  assert.deepEqual(found("const lookUp = 'told'\nconst replaced = { away: 1 }.away"), [
    'has the word "away" in the name away (unavailable)',
  ])
  assert.deepEqual(found("// Reports to the caller.\nconst goingAway = 1\nlog('told')"), [])
})
