// What docs/upgrading.md promises of a data folder and of keys on one machine: a copy or a move keeps everything, and a
// cookie key is replaced without losing a guest.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { secretHash } from '#lib/text/secret-hash.ts'
import { cookieOf, postChat, startServer, temporaryFolder } from './server-process.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/** A guest with a conversation. */
async function ask({ address }: Server, headers: Record<string, string> = {}) {
  const response = await postChat(address, { message: '進撃の巨人が好きなら次は何を読む？' }, headers)
  assert.equal(response.status, 200)
  const { data } = (await response.json()) as { data: { sessionId: string; text: string } }
  return { cookie: cookieOf(response), ...data }
}

async function conversation({ address }: Server, sessionId: string, cookie: string) {
  const response = await fetch(`${address}/api/sessions/${sessionId}`, { headers: { cookie } })
  const body = (await response.json()) as { data?: { turns: { answer: string }[] } }
  return { status: response.status, answers: body.data?.turns.map(({ answer }) => answer), issued: cookieOf(response) }
}

/** Stops it like an operator: a signal, and the process ends by itself. */
async function stop(server: Server): Promise<void> {
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exited, { code: 0, signal: null })
}

// The first version's folder, and its guest's cookie.
const FORMAT_1 = {
  sql: join(import.meta.dirname, '../fixtures/stores/data-of-format-1.sql'),
  cookieKey: 'j42MqE0WUHpyVdPySJQAdLZTzcgYo4_44JgF-ZZwcug',
  cookie: 'ma_guest=guest_DMOj4UwUG2EIc1solJlYiV.lUHmFmuejX92xdbGsGaWmzKgU3dXVqHuN2rs8W2U0Ms',
  sessionId: 'sess_ErPUORgSKHb7Dh5DEGlXZw',
  answeredAt: 1_794_775_092_210,
}

/** Moves its times to a minute ago, so that nothing in it has expired. */
async function writeFormat1(dataDir: string): Promise<void> {
  const later = Date.now() - 60_000 - FORMAT_1.answeredAt
  const sql = (await readFile(FORMAT_1.sql, 'utf8')).replaceAll(/\b1794\d{9}\b/g, (at) => String(Number(at) + later))
  await mkdir(dataDir, { mode: 0o700 })
  const database = new DatabaseSync(join(dataDir, 'mangaassist.sqlite'))
  database.exec(sql)
  database.close()
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ cookieKey: FORMAT_1.cookieKey }), { mode: 0o600 })
}

/** The ticket of a widget's guest, and the token that replaces the one it sent. */
async function ticket({ address }: Server, body: { readonly guestToken?: string }) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${address}/api/ticket`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { data } = (await response.json()) as { data?: { guestToken: string } }
  return { status: response.status, guestToken: data?.guestToken ?? '' }
}

test('a data folder that was copied to another path has everything; without secrets.json its guests are unknown', async () => {
  await using folder = await temporaryFolder()
  const [before, after] = [join(folder.path, 'before'), join(folder.path, 'elsewhere')]
  await using first = await startServer({ dataDir: before })
  const { cookie, sessionId, text } = await ask(first)
  const usedOf = async ({ address }: Server) => {
    const response = await fetch(`${address}/api/quota`, { headers: { cookie } })
    const { data } = (await response.json()) as { data: { input: unknown; output: unknown } }
    return { input: data.input, output: data.output }
  }
  const used = await usedOf(first)
  await stop(first)
  await cp(before, after, { recursive: true })
  await rm(before, { recursive: true })

  await using second = await startServer({ dataDir: after })
  assert.deepEqual(await conversation(second, sessionId, cookie), { status: 200, answers: [text], issued: '' })
  assert.deepEqual(await usedOf(second), used)
  await stop(second)

  await rm(join(after, 'secrets.json'))
  await using third = await startServer({ dataDir: after })
  const { issued, status } = await conversation(third, sessionId, cookie)
  assert.equal(status, 404)
  assert.notEqual(issued, '')
})

test('a cookie key is replaced: with new and old every guest is known and signed again, with the new one alone the old signatures are unknown', async () => {
  await using folder = await temporaryFolder()
  const dataDir = folder.path
  await using first = await startServer({ dataDir })
  const { cookie, sessionId, text } = await ask(first)
  const { guestToken } = await ticket(first, {})
  await stop(first)
  const { cookieKey } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { cookieKey: string }
  const key = randomBytes(32).toString('base64url')

  await using both = await startServer({ dataDir, env: { MANGA_COOKIE_KEY: `${key},${cookieKey}` } })
  const known = await conversation(both, sessionId, cookie)
  const renewed = await ticket(both, { guestToken })
  assert.deepEqual([known.answers, renewed.status], [[text], 200])
  assert.match(known.issued, /^ma_guest=/)
  assert.notEqual(known.issued, cookie)
  assert.notEqual(renewed.guestToken, guestToken)
  await stop(both)

  await using alone = await startServer({ dataDir, env: { MANGA_COOKIE_KEY: key } })
  assert.equal((await conversation(alone, sessionId, cookie)).status, 404)
  assert.deepEqual(await conversation(alone, sessionId, known.issued), { status: 200, answers: [text], issued: '' })
  assert.equal((await ticket(alone, { guestToken })).status, 401)
  assert.equal((await ticket(alone, { guestToken: renewed.guestToken })).status, 200)
  await stop(alone)

  // Without the variable the key of secrets.json counts again.
  await using again = await startServer({ dataDir })
  assert.deepEqual((await conversation(again, sessionId, cookie)).answers, [text])
  assert.equal((await conversation(again, sessionId, known.issued)).status, 404)
})

test('two admin tokens and two API keys are valid together, and each alone after the other is taken out', async () => {
  await using folder = await temporaryFolder()
  const secrets = { old: 'maa_an-old-one', new: 'maa_a-new-one', oldKey: 'mak_an-old-one', newKey: 'mak_a-new-one' }
  const admin = (name: 'old' | 'new') => ({ name, hash: secretHash(secrets[name]) })
  const apiKey = (name: 'old' | 'new') => ({ name, hash: secretHash(secrets[`${name}Key`]), tier: 'standard' })
  const env = (names: readonly ('old' | 'new')[]) => ({
    MANGA_AUTH__ADMINS: JSON.stringify(names.map(admin)),
    MANGA_AUTH__APIKEYS: JSON.stringify(names.map(apiKey)),
  })
  const statuses = async ({ address }: Server) => {
    const call = async (path: string, secret: string) =>
      (await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${secret}` } })).status
    return [
      await call('/api/admin/tiers', secrets.old),
      await call('/api/admin/tiers', secrets.new),
      await call('/api/quota', secrets.oldKey),
      await call('/api/quota', secrets.newKey),
    ]
  }
  await using both = await startServer({ dataDir: folder.path, env: env(['old', 'new']) })
  assert.deepEqual(await statuses(both), [200, 200, 200, 200])
  await stop(both)
  await using alone = await startServer({ dataDir: folder.path, env: env(['new']) })
  assert.deepEqual(await statuses(alone), [401, 200, 401, 200])
})

test('the data folder of the first program is brought up to date: its guest finds the conversation and continues it', async () => {
  await using folder = await temporaryFolder()
  const dataDir = join(folder.path, 'old')
  await writeFormat1(dataDir)
  const { cookie, sessionId } = FORMAT_1
  await using server = await startServer({ dataDir })
  const before = await conversation(server, sessionId, cookie)
  assert.equal(before.answers?.length, 1)
  assert.match(before.answers?.[0] ?? '', /^日本国内の送料は500円です。/)
  const response = await postChat(server.address, { sessionId, message: '返品はできますか' }, { cookie })
  assert.equal(response.status, 200)
  assert.equal((await conversation(server, sessionId, cookie)).answers?.length, 2)
  await stop(server)
  const database = new DatabaseSync(join(dataDir, 'mangaassist.sqlite'), { readOnly: true })
  const rows = database.prepare('SELECT session_id AS sessionId FROM ledger').all()
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  database.close()
  assert.deepEqual(
    rows.map((row) => row['sessionId']),
    [sessionId, sessionId],
  )
  assert.ok(version > 1)
})
