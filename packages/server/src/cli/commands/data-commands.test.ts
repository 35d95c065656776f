// `export`, `forget`, `backup` and `restore`: on the stores, over a running server, and refused where they must be.
import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { secretHash } from '#lib/text/secret-hash.ts'
import { serve } from '#main.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const TOKEN = 'maa_data'

function shell(context: TestContext, env: Record<string, string> = {}, { isIndexed = false } = {}) {
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN, ...env }, isIndexed })
  const run = async (...args: readonly string[]) => {
    terminal.printed.out = terminal.printed.err = ''
    const code = await main(args, terminal)
    return { code, ...terminal.printed }
  }
  return { terminal, run, dataDir: terminal.env['DATA_DIR'] ?? '' }
}

/** For a conversation in the own data folder. */
const shopShell = (context: TestContext) => shell(context, {}, { isIndexed: true })

async function whoAsked(run: ReturnType<typeof shell>['run']): Promise<string> {
  const { out } = await run('usage', '--by', 'user', '--json')
  const { groups } = JSON.parse(out) as { groups: { key: { user: string } }[] }
  return groups.map(({ key }) => key.user).find((user) => user.startsWith('guest_')) ?? ''
}

/** The tables in which a text occurs, in any row. */
function tablesNaming(path: string, text: string): readonly string[] {
  using database = new DatabaseSync(path, { readOnly: true })
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  const rowsOf = (name: string) => JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all())
  return tables.map(({ name }) => String(name)).filter((name) => rowsOf(name).includes(text))
}

test('without a running server, a guest is exported and then erased in the data folder', async (context) => {
  const { run, dataDir } = shopShell(context)
  assert.equal((await run('chat', '--message', '進撃の巨人はありますか')).code, 0)
  const user = await whoAsked(run)
  const exported = JSON.parse((await run('export', '--user', user)).out)
  assert.equal(exported.conversations[0].turns[0].question, '進撃の巨人はありますか')
  const forgotten = await run('forget', '--user', user, '--reason', 'they asked')
  assert.equal(forgotten.code, 0)
  assert.match(
    forgotten.out,
    /^Removed: 1 conversations, 1 turn logs, 0 waiting questions, \d cached answers, 0 requests for a person, 1 turn records, 0 items of the cart, 0 orders, 0 samples\.$/m,
  )
  assert.match(forgotten.out, /^1 rows of the ledger now have a pseudonym\.$/m)
  assert.match(forgotten.out, /^Not removed: counters of today/m)
  assert.equal(await whoAsked(run).then((left) => left.startsWith('guest_~erased_')), true)
  assert.deepEqual(JSON.parse((await run('export', '--user', user)).out).conversations, [])
  // Only the audit still names the user, and the budget of the day is still there.
  assert.deepEqual(tablesNaming(join(dataDir, 'mangaassist.sqlite'), user), ['audit'])
  assert.equal(tablesNaming(join(dataDir, 'mangaassist.sqlite'), 'acct_').includes('day_use'), true)
})

test('wrong arguments are reported before anything is opened', async (context) => {
  const { run, dataDir } = shell(context)
  assert.equal((await run('forget', '--reason', 'x')).code, 2)
  assert.equal((await run('forget', '--user', 'x')).code, 2)
  assert.equal((await run('export')).code, 2)
  assert.equal((await run('backup')).code, 2)
  assert.equal((await run('backup', 'folder', '--reason', 'x')).code, 2)
  assert.equal((await run('restore')).code, 2)
  assert.ok(!existsSync(dataDir))
})

test('with a running server, the commands use the admin API', async (context) => {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const { port } = new URL(await doors.listen())
  const { run, dataDir } = shell(context, { PORT: port })
  assert.equal(JSON.parse((await run('export', '--user', 'guest_x')).out).userId, 'guest_x')
  const erased = JSON.parse((await run('forget', '--user', 'guest_x', '--reason', 'asked', '--json')).out)
  assert.equal(erased.conversations, 0)
  const lines = await doors.app.admin.audit({ limit: 10 })
  assert.deepEqual(
    lines.map(({ action, by }) => [action, by]),
    [
      ['data-erased', 'aki'],
      ['data-exported', 'aki'],
    ],
  )
  assert.ok(!existsSync(dataDir))
})

test('a backup restored into a new folder is the same store, and restore refuses while a server runs', async (context) => {
  const { dataDir, run, terminal } = shopShell(context)
  assert.equal((await run('chat', '--message', 'Do you have Attack on Titan?')).code, 0)
  const books = (await run('usage', '--rows', '--json')).out
  const user = await whoAsked(run)
  const exported = JSON.parse((await run('export', '--user', user)).out)
  const folder = join(tempDir(context), 'backup')
  assert.equal((await run('backup', folder)).code, 0)
  assert.equal((await run('backup', folder)).code, 1)
  assert.equal(statSync(join(folder, 'secrets.json')).mode & 0o777, 0o600)

  const fresh = shell(context)
  const restored = await fresh.run('restore', folder)
  assert.equal(restored.code, 0)
  assert.match(restored.out, /erased after this backup.*mangaassist forget/)
  assert.equal((await fresh.run('usage', '--rows', '--json')).out, books)
  const again = JSON.parse((await fresh.run('export', '--user', user)).out)
  assert.deepEqual(again.conversations, exported.conversations)
  assert.match((await fresh.run('restore', folder)).err, /--force/)

  const server = await serve({ env: terminal.env, workspaceRoot: terminal.workspaceRoot, print: () => {} })
  context.after(() => server.close())
  assert.match((await run('restore', folder, '--force')).err, /in use by process/)
  // By hand, beside the server and without its token.
  const beside = join(tempDir(context), 'beside')
  const byHand = shell(context, { MANGAASSIST_ADMIN_TOKEN: '', DATA_DIR: dataDir })
  assert.match((await byHand.run('backup', beside)).out, /Backed up to .*beside/)
  assert.equal((await shell(context).run('restore', beside)).code, 0)
})

test('a node of a cluster has nothing to back up, and says what to back up', async (context) => {
  await using redis = await startRedis()
  const { run } = shell(context, { MANGA_STATE__REDIS: redis.url, MANGA_STATE__CALLMS: '10000' })
  const { code, err } = await run('backup', join(tempDir(context), 'backup'))
  assert.equal(code, 1)
  assert.match(err, /a node has nothing to back up\. Back up Redis/)
})

test('a server whose database is empty or missing does not start as a new store', async (context) => {
  const { run, dataDir } = shopShell(context)
  assert.equal((await run('chat', '--message', 'hello')).code, 0)
  const { truncateSync, rmSync } = await import('node:fs')
  const path = join(dataDir, 'mangaassist.sqlite')
  truncateSync(path, 0)
  assert.match((await run('chat', '--message', 'hello')).err, /is empty, though secrets.json/)
  rmSync(path)
  assert.match((await run('chat', '--message', 'hello')).err, /is missing, though secrets.json/)
})
