// Runs the contract of the sample store on files, and tests what only files can get wrong.
import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleStoreContract } from '#ports/sample-store/contract.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { fileSampleStore } from './sample-store.ts'

const ROOMY = { countMax: 100, bytesMax: 1_000_000 }
const sample = (id: string) => ({
  id,
  turnId: `turn_${id}`,
  at: 1_793_761_200_000,
  model: 'primary',
  events: [],
  eventsLeftOut: 0,
})

sampleStoreContract('file sample store', async (context, limits) =>
  fileSampleStore({ folder: join(tempDir(context), 'samples'), limits }),
)

test('a store finds and counts the samples of an earlier process, and removes only its partial files', async (context) => {
  const folder = join(tempDir(context), 'samples')
  const first = fileSampleStore({ folder, limits: ROOMY })
  await first.keep(sample('a'))
  await first.keep(sample('b'))
  const [name = ''] = readdirSync(folder)
  writeFileSync(join(folder, `${name}.part`), '{')
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  // Names as an earlier version wrote them.
  writeFileSync(join(folder, '2026-11-04T03-00-00.000Z-sample_old.json'), '{}')
  const second = fileSampleStore({ folder, limits: { ...ROOMY, countMax: 2 } })
  await second.keep({ ...sample('c'), at: 1_793_761_200_001 })
  assert.deepEqual(
    (await second.newest(9)).map(({ id }) => id),
    ['c', 'b'],
  )
  assert.equal(readdirSync(folder).length, 3)
  assert.ok(readdirSync(folder).includes('notes.txt'))
  assert.equal(statSync(join(folder, readdirSync(folder)[0] ?? '')).mode & 0o077, 0)
})

test('a folder that cannot be created fails one sample, and the next is stored when it can be', async (context) => {
  const folder = join(tempDir(context), 'samples')
  writeFileSync(folder, 'a file in the way')
  const store = fileSampleStore({ folder, limits: ROOMY })
  await assert.rejects(store.keep(sample('a')))
  rmSync(folder)
  await store.keep(sample('b'))
  assert.equal((await store.newest(9)).length, 1)
})
