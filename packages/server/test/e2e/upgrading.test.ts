// What docs/upgrading.md promises of a data folder and of keys on one machine: a copy or a move keeps everything, and a
// cookie key is replaced without losing a guest.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
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

/** As an operator does: a signal, and the process ends by itself. */
async function stop(server: Server): Promise<void> {
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exited, { code: 0, signal: null })
}

const newKey = (): string => randomBytes(32).toString('base64url')

test('a data folder that was moved has its conversations, its guests and what they used', async () => {
  await using folder = await temporaryFolder()
  const [before, after] = [join(folder.path, 'before'), join(folder.path, 'elsewhere')]
  await using first = await startServer({ dataDir: before })
  const { cookie, sessionId, text } = await ask(first)
  const quotaOf = async ({ address }: Server) => {
    const response = await fetch(`${address}/api/quota`, { headers: { cookie } })
    const { data } = (await response.json()) as { data: { input: unknown; output: unknown } }
    return { input: data.input, output: data.output }
  }
  const used = await quotaOf(first)
  await stop(first)
  await rename(before, after)

  await using second = await startServer({ dataDir: after })
  assert.deepEqual(await conversation(second, sessionId, cookie), { status: 200, answers: [text], issued: '' })
  assert.deepEqual(await quotaOf(second), used)
})

test('a copy of a stopped server’s folder is a backup; without secrets.json its guests are unknown', async () => {
  await using folder = await temporaryFolder()
  const [original, backup] = [join(folder.path, 'original'), join(folder.path, 'backup')]
  await using first = await startServer({ dataDir: original })
  const { cookie, sessionId, text } = await ask(first)
  await stop(first)
  await cp(original, backup, { recursive: true })
  await rm(original, { recursive: true })

  await using second = await startServer({ dataDir: backup })
  assert.deepEqual((await conversation(second, sessionId, cookie)).answers, [text])
  await stop(second)
  await rm(join(backup, 'secrets.json'))
  await using third = await startServer({ dataDir: backup })
  const { issued, status } = await conversation(third, sessionId, cookie)
  assert.equal(status, 404)
  assert.notEqual(issued, '')
})

test('a cookie key is replaced: with new and old every guest is known and gets a new cookie, with the new one alone old cookies are unknown', async () => {
  await using folder = await temporaryFolder()
  await using first = await startServer({ dataDir: folder.path })
  const { cookie, sessionId, text } = await ask(first)
  await stop(first)
  const secrets = JSON.parse(await readFile(join(folder.path, 'secrets.json'), 'utf8')) as { cookieKey: string }
  const key = newKey()

  await using both = await startServer({
    dataDir: folder.path,
    env: { MANGA_COOKIE_KEY: `${key},${secrets.cookieKey}` },
  })
  const known = await conversation(both, sessionId, cookie)
  assert.deepEqual(known.answers, [text])
  assert.notEqual(known.issued, '')
  assert.notEqual(known.issued, cookie)
  await stop(both)

  await using alone = await startServer({ dataDir: folder.path, env: { MANGA_COOKIE_KEY: key } })
  assert.equal((await conversation(alone, sessionId, cookie)).status, 404)
  assert.deepEqual(await conversation(alone, sessionId, known.issued), { status: 200, answers: [text], issued: '' })
  await stop(alone)

  // Without the variable the key of secrets.json counts again, and no other.
  await using again = await startServer({ dataDir: folder.path })
  assert.deepEqual((await conversation(again, sessionId, cookie)).answers, [text])
  assert.equal((await conversation(again, sessionId, known.issued)).status, 404)
})

test('a guest token is replaced with the cookie key too', async () => {
  await using folder = await temporaryFolder()
  const [old, key] = [newKey(), newKey()]
  const ticket = async ({ address }: Server, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${address}/api/ticket`, { method: 'POST', headers, body: JSON.stringify(body) })
    return {
      status: response.status,
      ...((await response.json()) as { data?: { guestToken: string; ticket: string } }).data,
    }
  }
  await using first = await startServer({ dataDir: folder.path, env: { MANGA_COOKIE_KEY: old } })
  const { guestToken } = await ticket(first, {})
  await stop(first)
  await using both = await startServer({ dataDir: folder.path, env: { MANGA_COOKIE_KEY: `${key},${old}` } })
  const renewed = await ticket(both, { guestToken })
  assert.equal(renewed.status, 200)
  await stop(both)
  await using alone = await startServer({ dataDir: folder.path, env: { MANGA_COOKIE_KEY: key } })
  assert.equal((await ticket(alone, { guestToken })).status, 401)
  assert.equal((await ticket(alone, { guestToken: renewed.guestToken })).status, 200)
})

test('two admin tokens and two API keys are valid together, and each alone after the other is taken out', async () => {
  await using folder = await temporaryFolder()
  const { secretHash } = await import('#lib/secret-hash.ts')
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
