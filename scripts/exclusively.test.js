// Several scripts that start at once on a fresh clone: one prepares it, the others wait and find it ready; no lock
// outlives its process.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { exclusively } from './exclusively.js'
import { root } from './workspace.js'

function temporaryFolder(context) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mangaassist-lock-')))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a module in a process of its own, with `exclusively` and the lock's `path`. */
async function run(path, body, { cwd, env } = {}) {
  const imports = `import { exclusively } from ${JSON.stringify(pathToFileURL(join(root, 'scripts/exclusively.js')).href)}\n`
  const code = `${imports}const path = ${JSON.stringify(path)}\n${body}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [status] = await once(child, 'close')
  return { status, output }
}

function writeLock(path, holder) {
  mkdirSync(path)
  writeFileSync(join(path, 'holder.json'), JSON.stringify(holder))
}

function deadProcess() {
  return { host: hostname(), pid: spawnSync(process.execPath, ['--eval', '']).pid }
}

/** Fails if two run at once: the folder exists already, or no longer. */
const CLASHES = `
import { appendFileSync, mkdirSync, rmdirSync } from 'node:fs'
exclusively(() => {
  mkdirSync(path + '.busy')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  rmdirSync(path + '.busy')
  appendFileSync(path + '.log', 'worked ')
}, { path })`

test('processes that start at once work one after the other, and leave no lock', async (context) => {
  const folder = temporaryFolder(context)
  const path = join(folder, 'lock')
  const results = await Promise.all(Array.from({ length: 4 }, () => run(path, CLASHES)))
  for (const { output, status } of results) assert.equal(status, 0, output)
  assert.equal(readFileSync(`${path}.log`, 'utf8'), 'worked '.repeat(4))
  assert.deepEqual(readdirSync(folder), ['lock.log'])
})

test('processes that find the lock of a dead one take it over, one of them at a time', async (context) => {
  const folder = temporaryFolder(context)
  const path = join(folder, 'lock')
  writeLock(path, deadProcess())
  const results = await Promise.all(Array.from({ length: 4 }, () => run(path, CLASHES)))
  for (const { output, status } of results) assert.equal(status, 0, output)
  assert.deepEqual(readdirSync(folder), ['lock.log'])
})

test('a script that exits or throws in its work releases the lock', async (context) => {
  const folder = temporaryFolder(context)
  const path = join(folder, 'lock')
  const { status } = await run(path, 'exclusively(() => process.exit(3), { path })')
  assert.equal(status, 3)
  assert.throws(() => exclusively(() => assert.fail('broken'), { path }), /broken/)
  assert.deepEqual(readdirSync(folder), [])
})

for (const [whose, holder] of Object.entries({
  'a live process': { host: hostname(), pid: process.pid },
  'a process of another machine': { host: `not-${hostname()}`, pid: deadProcess().pid },
}))
  test(`the wait for ${whose} is bounded, and its end says which folder to remove`, async (context) => {
    const path = join(temporaryFolder(context), 'lock')
    writeLock(path, holder)
    const { output, status } = await run(path, "exclusively(() => console.log('worked'), { path, waitMsMax: 1 })")
    assert.equal(status, 1)
    assert.ok(output.includes(`Waiting for process ${holder.pid} on ${holder.host}`), output)
    assert.ok(output.includes(`remove ${path} and try again`), output)
    assert.doesNotMatch(output, /worked/)
    assert.deepEqual(readdirSync(dirname(path)), ['lock'])
  })

// Like npm, it removes node_modules first; and it logs each run.
const FAKE_NPM = `
const { appendFileSync, mkdirSync, rmSync, writeFileSync } = require('node:fs')
rmSync('node_modules', { recursive: true, force: true })
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
mkdirSync('node_modules')
writeFileSync('node_modules/.package-lock.json', '{"packages":{"node_modules/a":{"version":"1.0.0"}}}')
appendFileSync('npm.log', process.argv[2] + ' ')
`

test('two starts at once on a fresh clone install once', async (context) => {
  const clone = temporaryFolder(context)
  for (const path of ['scripts', 'packages/server/bin', 'packages/server/package.json'])
    cpSync(join(root, path), join(clone, path), { recursive: true })
  writeFileSync(join(clone, 'package-lock.json'), '{"packages":{"":{},"node_modules/a":{"version":"1.0.0"}}}')
  mkdirSync(join(clone, 'npm'))
  writeFileSync(join(clone, 'npm/npm-cli.js'), FAKE_NPM)
  const env = { ...process.env, npm_execpath: join(clone, 'npm/npm-cli.js') }
  const install =
    "const { ensureInstalled } = await import(path); ensureInstalled({ withDev: false }); console.log('ready')"
  const start = () => run(pathToFileURL(join(clone, 'scripts/install.js')).href, install, { cwd: clone, env })
  const results = await Promise.all([start(), start()])
  for (const { output, status } of results) {
    assert.equal(status, 0, output)
    assert.match(output, /ready/)
  }
  assert.equal(readFileSync(join(clone, 'npm.log'), 'utf8'), 'ci ')
  assert.equal(results.filter(({ output }) => output.includes('Installing packages')).length, 1)
})
