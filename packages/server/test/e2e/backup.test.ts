// `mangaassist backup` at a real server under load, over its admin API: restored into a new folder, it has the same
// conversations, ledger and budgets, and knows the same guests.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { secretHash } from '#lib/text/secret-hash.ts'
import { cookieOf, inherited, postChat, startServer, temporaryFolder } from './server-process.ts'

const BIN = join(import.meta.dirname, '../../bin/mangaassist.js')
const TOKEN = 'maa_backup'
const ENV = {
  MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'aki', hash: secretHash(TOKEN) }]),
  MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
  MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '0',
}
const DURING = 20

/** The command, in a process and a folder of its own, with an unused DATA_DIR. */
async function command(dataDir: string, ...args: readonly string[]) {
  const env = { ...inherited(), DATA_DIR: dataDir, PORT: '0', MANGAASSIST_ADMIN_TOKEN: TOKEN, ...ENV }
  const run = promisify(execFile)(process.execPath, [BIN, ...args], { cwd: dataDir, env, encoding: 'utf8' })
  return run.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

async function shown(address: string, path: string, headers: Record<string, string>) {
  const response = await fetch(`${address}${path}`, { headers })
  assert.equal(response.status, 200, path)
  const { data } = (await response.json()) as { data: unknown }
  return data
}

/** All stored data that a guest and the operators can see, without the time of the export. */
async function seen(address: string, cookie: string, ofTurns: ReadonlySet<string>) {
  const exported = (await shown(address, '/api/me/export', { cookie })) as { exportedAt: string; ledger: object[] }
  const admin = { authorization: `Bearer ${TOKEN}` }
  const rows = (await shown(address, '/api/admin/usage/rows?limit=500', admin)) as { turnId: string }[]
  return {
    exported: { ...exported, exportedAt: '' },
    // The short-term rates are in memory, so no backup has them.
    quota: { ...((await shown(address, '/api/quota', { cookie })) as object), requestsPerMinute: null },
    rows: rows.filter(({ turnId }) => ofTurns.has(turnId)),
  }
}

test('a backup by the admin API of a running server is the same store in a fresh folder', async () => {
  await using folder = await temporaryFolder()
  await using elsewhere = await temporaryFolder()
  await using server = await startServer({
    dataDir: join(folder.path, 'data'),
    env: { ...ENV, MANGA_SERVER__BACKUPDIR: join(folder.path, 'backups') },
  })
  const first = await postChat(server.address, { message: '進撃の巨人はありますか' })
  const cookie = cookieOf(first)
  const { data } = (await first.json()) as { data: { sessionId: string } }
  const second = await postChat(server.address, { message: 'もっと短いのは？', sessionId: data.sessionId }, { cookie })
  assert.equal(second.status, 200)
  const exported = (await shown(server.address, '/api/me/export', { cookie })) as { ledger: { turnId: string }[] }
  const turnIds = new Set(exported.ledger.map(({ turnId }) => turnId))
  assert.equal(turnIds.size, 2)
  const before = await seen(server.address, cookie, turnIds)

  // Other guests ask during the backup.
  const others = Array.from({ length: DURING }, () => postChat(server.address, { message: 'こんにちは' }))
  const backup = join(folder.path, 'backups/nightly')
  const made = await command(elsewhere.path, 'backup', 'nightly', '--url', server.address, '--reason', 'nightly')
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stdout, /^Backed up to /)
  for (const answered of await Promise.all(others)) assert.equal(answered.status, 200)
  assert.deepEqual(readdirSync(backup).toSorted(), ['mangaassist.sqlite', 'secrets.json'])
  for (const file of readdirSync(backup)) assert.equal(statSync(join(backup, file)).mode & 0o777, 0o600, file)
  assert.deepEqual(
    readdirSync(elsewhere.path).filter((name) => name.endsWith('.sqlite')),
    [],
  )
  const again = await command(elsewhere.path, 'backup', 'nightly', '--url', server.address)
  assert.deepEqual([again.code, /not empty/.test(again.stderr)], [1, true])
  // A folder that cannot be made, and one that is served, would have stopped the node or made the store public.
  for (const place of ['/proc/x', join(folder.path, 'elsewhere')]) {
    const refused = await command(elsewhere.path, 'backup', place, '--url', server.address)
    assert.deepEqual([refused.code, /name of a new folder/.test(refused.stderr)], [1, true], place)
  }
  const lines = (await shown(server.address, '/api/admin/audit?limit=5', {
    authorization: `Bearer ${TOKEN}`,
  })) as { action: string; by: string; reason: string }[]
  assert.deepEqual(
    lines.map(({ action, by, reason }) => [action, by, reason]),
    [['backed-up', 'aki', 'nightly']],
  )

  assert.equal((await command(elsewhere.path, 'restore', backup)).code, 0)
  await server.kill()
  await using restored = await startServer({ dataDir: elsewhere.path, env: ENV })
  assert.deepEqual(await seen(restored.address, cookie, turnIds), before)
  const further = await postChat(restored.address, { message: '続きは？', sessionId: data.sessionId }, { cookie })
  assert.equal(further.status, 200)
})
