// What is known of a write-ahead log that SQLite would read in part or not at all, without a word.
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { logLossOf } from './log-loss.ts'

const HEADER_BYTES = 32
const FRAME_BYTES = 24 + 4096
const WRITES = 12

/** The files as a process leaves them that is killed after some writes, each in a commit of its own. */
function killed(context: TestContext) {
  const folder = tempDir(context)
  const [running, path] = [join(folder, 'running.sqlite'), join(folder, 'left.sqlite')]
  using connection = new DatabaseSync(running)
  connection.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT) STRICT')
  // An earlier round of the log, whose frames stay behind those of the next one.
  for (let note = 0; note < 2 * WRITES; note += 1)
    connection.prepare('INSERT INTO notes VALUES (?)').run('x'.repeat(3000))
  connection.exec('PRAGMA wal_checkpoint(RESTART)')
  for (let note = 0; note < WRITES; note += 1) connection.prepare('INSERT INTO notes VALUES (?)').run('y'.repeat(3000))
  for (const end of ['', '-wal']) copyFileSync(`${running}${end}`, `${path}${end}`)
  return { path, log: `${path}-wal` }
}

function storedIn(path: string): number {
  using connection = new DatabaseSync(path)
  return Number(connection.prepare('SELECT count(*) AS notes FROM notes').get()?.['notes'])
}

test('a log that a killed process left is whole, also with old frames behind it or half a frame at its end', (context) => {
  const { log, path } = killed(context)
  assert.equal(logLossOf(path, { wasKilled: true }), undefined)
  truncateSync(log, readFileSync(log).length - 100)
  assert.equal(logLossOf(path, { wasKilled: true }), undefined)
  assert.equal(storedIn(path), 3 * WRITES)
})

test('damage anywhere before the end is found: in the header, in a frame, in a page', (context) => {
  for (const at of [
    8,
    20,
    HEADER_BYTES + 9,
    HEADER_BYTES + 100,
    HEADER_BYTES + 2 * FRAME_BYTES + 17,
    HEADER_BYTES + 4 * FRAME_BYTES + 2000,
  ]) {
    const { log, path } = killed(context)
    const bytes = readFileSync(log)
    bytes[at] = (bytes[at] ?? 0) ^ 0xff
    writeFileSync(log, bytes)
    const loss = logLossOf(path, { wasKilled: true })
    assert.equal(loss?.what, 'damaged', `byte ${at}`)
    assert.ok(loss?.what === 'damaged' && loss.frames > 0)
    assert.ok(storedIn(path) < 3 * WRITES, 'SQLite says nothing')
  }
})

test('a log is missing only where a process was killed', (context) => {
  const { log, path } = killed(context)
  rmSync(log)
  assert.deepEqual(logLossOf(path, { wasKilled: true }), { what: 'missing' })
  assert.equal(logLossOf(path, { wasKilled: false }), undefined)
  assert.equal(logLossOf(join(path, 'nothing'), { wasKilled: true }), undefined)
})
