// The data directory: who may open it, and which files it refuses.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { DataDirError } from './data-dir-error.ts'
import { openDataDir, refuseLostDatabase } from './data-dir.ts'
import { openDatabase } from './database.ts'

const random = seededRandom(1)
const modeOf = (path: string) => statSync(path).mode & 0o777

/** Starts a real process that holds the directory, and returns the first thing that it prints. */
async function holder(path: string) {
  const script = `
    import { openDataDir } from ${JSON.stringify(import.meta.resolve('./data-dir.ts'))}
    import { seededRandom } from ${JSON.stringify(import.meta.resolve('../../../../../simulation/src/virtual/random.ts'))}
    globalThis.held = openDataDir({ path: ${JSON.stringify(path)}, random: seededRandom(1) })
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  assert.match(String(line), /held/)
  return child
}

test('a new data directory and its secrets are readable by their owner only', (context) => {
  const path = join(tempDir(context), 'deep', 'data')
  using dataDir = openDataDir({ path, random })
  assert.equal(modeOf(path), 0o700)
  assert.equal(modeOf(join(path, 'secrets.json')), 0o600)
  assert.equal(Buffer.from(dataDir.secrets.cookieKey, 'base64url').length, 32)
})

test('secrets are generated once', (context) => {
  const path = tempDir(context)
  const open = () => {
    using dataDir = openDataDir({ path, random })
    return dataDir.secrets
  }
  assert.deepEqual(open(), open())
})

test('two directories do not share secrets', (context) => {
  using one = openDataDir({ path: tempDir(context), random })
  using other = openDataDir({ path: tempDir(context), random })
  assert.notEqual(one.secrets.cookieKey, other.secrets.cookieKey)
})

test('damaged secrets are refused and left as they are', (context) => {
  for (const content of ['', '{', '{}', '{"cookieKey":"short"}', '[]']) {
    const path = tempDir(context)
    const secretsPath = join(path, 'secrets.json')
    writeFileSync(secretsPath, content)
    for (let times = 0; times < 2; times += 1) {
      assert.throws(
        () => openDataDir({ path, random }),
        (error: unknown) =>
          error instanceof DataDirError && error.path === secretsPath && /cannot be read/.test(error.message),
      )
    }
    assert.equal(readFileSync(secretsPath, 'utf8'), content)
  }
})

test('a path that is a file is refused', (context) => {
  const path = join(tempDir(context), 'file')
  writeFileSync(path, 'x')
  assert.throws(() => openDataDir({ path, random }), DataDirError)
})

test('one process cannot open a directory twice, and can again after closing it', (context) => {
  const path = tempDir(context)
  {
    using _ = openDataDir({ path, random })
    assert.throws(() => openDataDir({ path, random }), new RegExp(`in use by process ${process.pid}`))
  }
  using _ = openDataDir({ path, random })
})

test('a second process is refused with the id of the first, until the first is killed', async (context) => {
  const path = tempDir(context)
  const child = await holder(path)
  try {
    assert.throws(
      () => openDataDir({ path, random }),
      (error: unknown) => error instanceof DataDirError && error.message.includes(`in use by process ${child.pid}.`),
    )
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  using dataDir = openDataDir({ path, random })
  assert.equal(dataDir.path, path)
})

test('every write acknowledged before a kill -9 survives it', async (context) => {
  const path = tempDir(context)
  const script = `
    import { openDataDir } from ${JSON.stringify(import.meta.resolve('./data-dir.ts'))}
    import { openDatabase } from ${JSON.stringify(import.meta.resolve('./database.ts'))}
    import { systemClock } from ${JSON.stringify(import.meta.resolve('../../system/clock.ts'))}
    import { seededRandom } from ${JSON.stringify(import.meta.resolve('../../../../../simulation/src/virtual/random.ts'))}
    globalThis.held = openDataDir({ path: ${JSON.stringify(path)}, random: seededRandom(1) })
    const database = openDatabase({ path: held.databasePath, clock: systemClock() })
    for (let count = 1; ; count += 1) {
      await database.write(() => database.statement("INSERT INTO tier_overrides VALUES (?, '{}')").run('id-' + count))
      process.stdout.write(count + '\\n')
    }`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += String(chunk)
    if (printed.length > 200 && !child.killed) child.kill('SIGKILL')
  }
  // The kill may have cut the last line.
  const acknowledged = Number(printed.split('\n').at(-2))
  assert.ok(acknowledged > 0)
  using dataDir = openDataDir({ path, random })
  const database = openDatabase({ path: dataDir.databasePath, clock: manualClock() })
  const kept = Number(database.statement('SELECT count(*) AS kept FROM tier_overrides').get()?.['kept'])
  database.close()
  assert.ok(kept >= acknowledged, `${kept} of ${acknowledged} were kept`)
})

test('an empty or missing database beside secrets is refused with instructions; a new directory is not', (context) => {
  const path = join(tempDir(context), 'data')
  const check = () => {
    using dataDir = openDataDir({ path, random })
    refuseLostDatabase(dataDir)
  }
  check()
  const isRefused = (what: RegExp) =>
    assert.throws(
      check,
      (error) => error instanceof DataDirError && what.test(error.message) && /restore/.test(error.message),
    )
  isRefused(/is missing/)
  writeFileSync(join(path, 'mangaassist.sqlite'), '')
  isRefused(/is empty/)
  rmSync(join(path, 'secrets.json'))
  check()
})

test('every file becomes readable by its owner only, whatever the umask; a directory open to others is reported', async (context) => {
  const path = join(tempDir(context), 'data')
  mkdirSync(path, { mode: 0o755 })
  const umask = process.umask(0o022)
  context.after(() => process.umask(umask))
  const files = ['mangaassist.sqlite', 'mangaassist.sqlite-wal', 'mangaassist.sqlite-shm', 'lock.sqlite', 'lock.pid']
  for (const opening of ['new', 'again']) {
    const dataDir = openDataDir({ path, random })
    assert.equal(dataDir.isOpenToOthers, true)
    assert.equal(dataDir.wasKilled, false)
    const database = openDatabase({ path: dataDir.databasePath, clock: manualClock() })
    await database.write(() => database.statement('INSERT OR REPLACE INTO probes (only_row, at) VALUES (1, 1)').run())
    for (const file of files) assert.equal(modeOf(join(path, file)), 0o600, `${opening}: ${file}`)
    database.close()
    dataDir[Symbol.dispose]()
    chmodSync(dataDir.databasePath, 0o644)
  }
})
