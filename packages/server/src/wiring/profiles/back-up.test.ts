// Where a backup may lie: by a request in the configured folder alone, and never where pages are served from.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { bundled } from '#config/installation.ts'
import { defaults } from '#config/config.ts'
import { openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { backUpTo, requestedBackUp } from './back-up.ts'

function stored(context: TestContext): string {
  using dataDir = openDataDir({ path: join(tempDir(context), 'data'), random: seededRandom(1) })
  openDatabase({ path: dataDir.databasePath, clock: manualClock() }).close()
  return dataDir.path
}

test('a request names a new folder among the configured backups, and no other place', async (context) => {
  const dataDir = stored(context)
  const backupDir = join(tempDir(context), 'backups')
  const backUp = requestedBackUp({ server: { ...defaults.server, dataDir, backupDir } })
  const made = await backUp('2026-11-18')
  assert.ok('bytes' in made && made.bytes > 0)
  assert.equal(made.folder, join(backupDir, '2026-11-18'))
  const elsewhere = join(tempDir(context), 'elsewhere')
  for (const name of [
    elsewhere,
    '../elsewhere',
    'one/two',
    '..',
    '.',
    '',
    '.hidden',
    '/proc/x',
    'a\u0000b',
    'x'.repeat(200),
  ]) {
    const refused = await backUp(name)
    assert.ok('refused' in refused && refused.refused.startsWith('must be the name of a new folder'), name)
  }
  assert.ok(!existsSync(elsewhere))
  assert.deepEqual(readdirSync(backupDir), ['2026-11-18'])
  const again = await backUp('2026-11-18')
  assert.ok('refused' in again && /not empty/.test(again.refused))
})

test('without a configured folder a request is refused, and names the setting', async (context) => {
  const refused = await requestedBackUp({ server: { ...defaults.server, dataDir: stored(context) } })('2026-11-18')
  assert.ok('refused' in refused && /server\.backupDir/.test(refused.refused))
})

test('no backup lies where pages are served from, also behind a link', async (context) => {
  const dataDir = stored(context)
  const link = join(tempDir(context), 'link')
  symlinkSync(dirname(bundled.web), link)
  for (const folder of [
    bundled.web,
    join(bundled.web, 'backup'),
    join(bundled.web, 'assets/../backup'),
    join(link, basename(bundled.web), 'one/two'),
  ]) {
    const refused = await backUpTo(dataDir, folder)
    assert.ok('refused' in refused && /is served to everyone/.test(refused.refused), folder)
  }
  assert.ok(!existsSync(join(bundled.web, 'backup')))
})
