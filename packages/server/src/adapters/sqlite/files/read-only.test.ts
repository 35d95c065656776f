// Reads a store while its server runs, and from a folder that cannot be written: a complete store is read, and an
// unreadable one is not reported as damaged.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession } from '#fixtures/turns/samples.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { openDatabase } from './database.ts'
import { DataDirError } from './data-dir-error.ts'
import { databasePathIn } from './data-dir.ts'
import { openReadOnly } from './read-only.ts'
import { sqliteSessionStore } from '../session-store/session-store.ts'

const clock = manualClock()

async function written(path: string) {
  const database = openDatabase({ path, clock })
  await sqliteSessionStore({ database, clock }).create(sampleSession())
  return database
}

function sessionsIn(folder: string): number {
  using database = openReadOnly(folder)
  return Number(database.statement('SELECT count(*) AS sessions FROM sessions').get()?.['sessions'])
}

/** Mounts a file system that can be made read-only; undefined where this process may not mount one. */
function mounted(context: TestContext): { path: string; seal: () => void } | undefined {
  // Not `tempDir`: the folder must be writable again before it is removed.
  const path = mkdtempSync(join(tmpdir(), 'mangaassist-mount-'))
  context.after(() => {
    spawnSync('umount', [path])
    rmSync(path, { recursive: true })
  })
  const mount = (...args: string[]) => spawnSync('mount', [...args, path]).status === 0
  if (!mount('-t', 'tmpfs', 'tmpfs')) return undefined
  return { path, seal: () => assert.ok(mount('-o', 'remount,ro')) }
}

test('a store is read while another process writes it', async (context) => {
  const folder = tempDir(context)
  const database = await written(databasePathIn(folder))
  context.after(() => database.close())
  assert.equal(sessionsIn(folder), 1)
})

test('a cleanly closed store is read on a read-only mount', async (context) => {
  const mount = mounted(context)
  if (mount === undefined) return context.skip('may not mount')
  ;(await written(databasePathIn(mount.path))).close()
  mount.seal()
  assert.equal(sessionsIn(mount.path), 1)
})

test('a store with a pending log on a read-only mount is reported as read-only, not as damaged', async (context) => {
  const mount = mounted(context)
  if (mount === undefined) return context.skip('may not mount')
  const from = databasePathIn(tempDir(context))
  const database = await written(from)
  // A killed server leaves these files.
  for (const end of ['', '-wal']) copyFileSync(`${from}${end}`, `${databasePathIn(mount.path)}${end}`)
  database.close()
  mount.seal()
  assert.throws(
    () => sessionsIn(mount.path),
    (error) =>
      error instanceof DataDirError && /read-only/.test(error.message) && !/damaged|backup/i.test(error.message),
  )
})
