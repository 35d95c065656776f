// The database file: which files are refused untouched, and what a group commit promises.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { DataDirError } from './data-dir-error.ts'
import { openDatabase } from './database.ts'
import type { Database } from './database.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { asyncContext } from '../../system/async-context.ts'
import { sqliteSessionStore } from '../session-store/session-store.ts'

const INSERT = `INSERT INTO tier_overrides (tier, override) VALUES (?, '{}')`
const put = (database: Database, id: string) => database.write(() => database.statement(INSERT).run(id))
const ids = (database: Database) =>
  database
    .statement('SELECT tier AS id FROM tier_overrides ORDER BY tier')
    .all()
    .map((row) => row['id'])

/** Makes a closed database with rows in it, as one file. */
function writtenFile(context: TestContext): string {
  const path = join(tempDir(context), 'test.sqlite')
  const database = openDatabase({ path, clock: manualClock() })
  for (let index = 0; index < 200; index += 1) {
    database
      .statement('INSERT INTO tier_overrides (tier, override) VALUES (?, ?)')
      .run(`series-${index}`, 'x'.repeat(500))
  }
  database.close()
  return path
}

function assertRefused(path: string, message: RegExp): void {
  const before = readFileSync(path)
  assert.throws(
    () => openDatabase({ path, clock: manualClock() }),
    (error: unknown) => error instanceof DataDirError && error.path === path && message.test(error.message),
  )
  assert.deepEqual(readFileSync(path), before)
}

test('a new file is made in WAL with full synchronisation and foreign keys', (context) => {
  const database = tempDatabase(context, manualClock())
  const pragma = (name: string) => Object.values(database.statement(`PRAGMA ${name}`).get() ?? {})[0]
  assert.deepEqual(['journal_mode', 'synchronous', 'foreign_keys'].map(pragma), ['wal', 2, 1])
})

test('an empty file is a new database', (context) => {
  const path = join(tempDir(context), 'test.sqlite')
  writeFileSync(path, '')
  const database = openDatabase({ path, clock: manualClock() })
  assert.deepEqual(ids(database), [])
  database.close()
})

test('writes survive a restart', async (context) => {
  const path = join(tempDir(context), 'test.sqlite')
  const before = openDatabase({ path, clock: manualClock() })
  await put(before, 'a')
  before.close()
  const after = openDatabase({ path, clock: manualClock() })
  assert.deepEqual(ids(after), ['a'])
  after.close()
})

test('a file that is not a database is refused and left as it is', (context) => {
  for (const content of ['this is my shopping list', 'x', 'SQLite format 4\u0000 and more', 'x'.repeat(100_000)]) {
    const path = join(tempDir(context), 'test.sqlite')
    writeFileSync(path, content)
    assertRefused(path, /is not a database/)
  }
})

test('a truncated database is refused and left as it is', (context) => {
  for (const share of [0.9, 0.5, 0.1]) {
    const path = writtenFile(context)
    truncateSync(path, Math.floor(statSync(path).size * share))
    assertRefused(path, /is damaged/)
  }
})

test('a header with garbage behind it is refused and left as it is', (context) => {
  const path = join(tempDir(context), 'test.sqlite')
  writeFileSync(path, `SQLite format 3\u0000${'garbage '.repeat(2000)}`)
  assertRefused(path, /is damaged/)
})

test('a database with overwritten pages is refused and left as it is', (context) => {
  const path = writtenFile(context)
  const content = readFileSync(path)
  // The last pages hold only rows: only a check of every page finds this.
  content.fill(0xff, content.length - 3 * 4096)
  writeFileSync(path, content)
  assertRefused(path, /is damaged/)
})

test('a database of a newer program is refused and left as it is', (context) => {
  const path = writtenFile(context)
  const newer = new DatabaseSync(path)
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  assertRefused(path, /newer version of this program \(its format is 999/)
})

test('a newer version is recognised even when only the write-ahead log has it', (context) => {
  const path = writtenFile(context)
  const newer = new DatabaseSync(path)
  newer.exec('PRAGMA journal_mode = WAL; PRAGMA user_version = 999')
  assert.equal(existsSync(`${path}-wal`), true)
  assertRefused(path, /newer version/)
  newer.close()
})

test('a database of another program is refused and left as it is', (context) => {
  const path = join(tempDir(context), 'test.sqlite')
  const other = new DatabaseSync(path)
  other.exec('CREATE TABLE notes (body TEXT)')
  other.close()
  assertRefused(path, /another program/)
})

test('a path that cannot be opened is refused with its name', (context) => {
  const path = join(tempDir(context), 'missing', 'test.sqlite')
  assert.throws(() => openDatabase({ path, clock: manualClock() }), DataDirError)
})

test('writes of one tick of the event loop share a commit and see each other in order', async (context) => {
  const deferred: (() => void)[] = []
  const clock = { ...manualClock(), defer: (action: () => void) => void deferred.push(action) }
  const database = tempDatabase(context, clock)
  const seen = [1, 2, 3].map((count) =>
    database.write(() => {
      database.statement(INSERT).run(`id-${count}`)
      return ids(database).length
    }),
  )
  assert.equal(deferred.length, 1)
  assert.deepEqual(ids(database), [], 'nothing is written before the group is')
  deferred.shift()?.()
  assert.deepEqual(await Promise.all(seen), [1, 2, 3])
})

test('a write that throws is rolled back and rejected, and the others of its group are not', async (context) => {
  const database = tempDatabase(context, manualClock())
  const results = await Promise.allSettled([
    put(database, 'before'),
    database.write(() => {
      database.statement(INSERT).run('undone')
      throw new Error('changed my mind')
    }),
    put(database, 'before'),
    put(database, 'after'),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  )
  assert.match(String(results[1]?.status === 'rejected' && results[1].reason), /changed my mind/)
  assert.match(String(results[2]?.status === 'rejected' && results[2].reason), /UNIQUE/)
  assert.deepEqual(ids(database), ['after', 'before'])
})

test('when a commit fails, every write of its group is rejected and none is stored', async (context) => {
  const database = tempDatabase(context, manualClock())
  // A deferred foreign key is checked by the commit, so the failure comes there and not before.
  database.statement('CREATE TABLE owners (id TEXT PRIMARY KEY)').run()
  database.statement('CREATE TABLE owned (id TEXT REFERENCES owners (id) DEFERRABLE INITIALLY DEFERRED)').run()
  const results = await Promise.allSettled([
    put(database, 'innocent'),
    database.write(() => database.statement(`INSERT INTO owned VALUES ('nobody')`).run()),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(ids(database), [])
  await put(database, 'later')
  assert.deepEqual(ids(database), ['later'])
})

test('the promise of a write resolves only when the write is durable', async (context) => {
  const dir = tempDir(context)
  const path = join(dir, 'test.sqlite')
  const database = openDatabase({ path, clock: manualClock() })
  context.after(() => database.close())
  const reader = new DatabaseSync(path, { readOnly: true })
  await put(database, 'a')
  assert.equal(reader.prepare('SELECT count(*) AS n FROM tier_overrides').get()?.['n'], 1)
  reader.close()
})

test('more writes than one group holds are committed in several groups, in order', async (context) => {
  const database = tempDatabase(context, manualClock())
  const order: number[] = []
  await Promise.all(Array.from({ length: 1203 }, (_, index) => database.write(() => order.push(index))))
  assert.deepEqual(
    order,
    Array.from({ length: 1203 }, (_, index) => index),
  )
})

test('closing commits the pending writes and refuses later ones', async (context) => {
  const path = join(tempDir(context), 'test.sqlite')
  const database = openDatabase({ path, clock: manualClock() })
  const pending = put(database, 'a')
  database.close()
  database.close()
  await pending
  await assert.rejects(put(database, 'b'), /closed/)
  const after = openDatabase({ path, clock: manualClock() })
  assert.deepEqual(ids(after), ['a'])
  after.close()
})

test('with sync in another thread, writes are grouped while the disk is busy, keep their order, and are stored', async (context) => {
  const path = join(tempDir(context), 'test.sqlite')
  const database = openDatabase({ path, clock: manualClock(), sync: 'aside' })
  context.after(() => database.close())
  const resolved: number[] = []
  await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      for (let turns = 0; turns < index % 7; turns += 1) await new Promise((resolve) => setImmediate(resolve))
      await put(database, String(index).padStart(3, '0'))
      resolved.push(index)
    }),
  )
  assert.equal(resolved.length, 300)
  const reader = new DatabaseSync(path, { readOnly: true })
  assert.equal(reader.prepare('SELECT count(*) AS n FROM tier_overrides').get()?.['n'], 300)
  reader.close()
})

test('closing during a sync in another thread loses nothing, and settles every waiting write', async (context) => {
  const path = join(tempDir(context), 'test.sqlite')
  const database = openDatabase({ path, clock: manualClock(), sync: 'aside' })
  const first = put(database, 'a')
  await new Promise((resolve) => setImmediate(resolve))
  const second = put(database, 'b')
  database.close()
  await Promise.all([first, second])
  const after = openDatabase({ path, clock: manualClock() })
  assert.deepEqual(ids(after), ['a', 'b'])
  after.close()
})

test('a listener learns how each group ended before the writers do', async (context) => {
  const database = tempDatabase(context, manualClock())
  const events: string[] = []
  database.onGroupEnd((end) => events.push(end))
  await Promise.all([put(database, 'a').then(() => events.push('a')), put(database, 'b').then(() => events.push('b'))])
  assert.deepEqual(events, ['kept', 'a', 'b'])
  const sure = () => {
    throw new Error('the disk is full')
  }
  await assert.rejects(
    database.write(sure, 'sure').finally(() => events.push('refused')),
    /the disk is full/,
  )
  assert.deepEqual(events.slice(3), ['undone', 'refused'])
})

test('deleted text is in no byte of the files after the log was truncated', async (context) => {
  const path = join(tempDir(context), 'test.sqlite')
  const database = openDatabase({ path, clock: manualClock() })
  context.after(() => database.close())
  const sessions = sqliteSessionStore({ database, clock: manualClock() })
  const secret = 'OTTER-7731-OTTER'
  await sessions.create(sampleSession())
  for (let turn = 0; turn < 30; turn += 1)
    await sessions.append('sess_1', turn, sampleStoredTurn({ turnId: `turn_${turn}`, question: secret }))
  assert.equal(database.truncateLog(), true)
  assert.ok(readFileSync(path).includes(secret))
  await sessions.remove('sess_1')
  assert.equal(database.truncateLog(), true)
  for (const file of [path, `${path}-wal`]) assert.ok(!readFileSync(file).includes(secret), file)
})

/** A file with telemetry, and two turns that may write. */
function observedFile(context: TestContext) {
  const telemetry = memoryTelemetry({ context: asyncContext })
  const path = join(tempDir(context), 'test.sqlite')
  const database = openDatabase({ path, clock: manualClock(), telemetry })
  context.after(() => database.close())
  const stage = () => telemetry.scope({ door: 'ws', name: 'chat' }).span('settlement')
  const commits = () =>
    telemetry.spans.map(
      ({ attributes: { dbBatchSize, dbNamespace, dbOperation, dbStatus }, outcome, parentSpanId }) => ({
        parentSpanId,
        shown: [dbOperation, dbNamespace, dbBatchSize, outcome, dbStatus],
      }),
    )
  return { commits, database, stages: [stage(), stage()] as const }
}

test('a commit is one span of each stage that waited for it, however many writes the stage made', async (context) => {
  const { commits, database, stages } = observedFile(context)
  const [one, other] = stages
  await Promise.all([
    one.within(() => Promise.all([put(database, 'a'), put(database, 'b')])),
    other.within(() => put(database, 'c')),
    put(database, 'd'),
  ])
  assert.deepEqual(commits(), [
    { parentSpanId: one.trace?.spanId, shown: ['COMMIT', 'test.sqlite', 4, 'completed', undefined] },
    { parentSpanId: other.trace?.spanId, shown: ['COMMIT', 'test.sqlite', 4, 'completed', undefined] },
  ])
  // Alone it is no batch, and without a stage no span.
  await one.within(() => put(database, 'e'))
  await put(database, 'f')
  assert.deepEqual(commits().slice(2), [
    { parentSpanId: one.trace?.spanId, shown: ['COMMIT', 'test.sqlite', undefined, 'completed', undefined] },
  ])
})

test('a commit that the disk refuses is a failed span, with the number of SQLite’s error', async (context) => {
  const { commits, database, stages } = observedFile(context)
  const pages = Number(database.statement('PRAGMA page_count').get()?.['page_count'])
  database.statement(`PRAGMA max_page_count = ${pages}`).get()
  const large = () =>
    database.statement('INSERT INTO tier_overrides (tier, override) VALUES (?, ?)').run('a', 'x'.repeat(1e6))
  await assert.rejects(
    stages[0].within(() => database.write(large, 'sure')),
    /full/,
  )
  assert.deepEqual(
    commits().map(({ shown }) => shown),
    [['COMMIT', 'test.sqlite', undefined, 'failed', '13']],
  )
})
