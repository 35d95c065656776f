// Start, crash and shutdown: what a restart keeps, what prevents a start, and what a drain lets finish.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { applyChunks } from '#fixtures/edge/socket-client.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { launch, SLOWLY, startServer, temporaryFolder } from './server-process.ts'
import type { ServerOptions } from './server-process.ts'

const QUESTION = '進撃の巨人が好きなら次は何を読む？'

/** The message of a failed start, which must come without a stack. */
async function refusedStart(options: ServerOptions): Promise<string> {
  const attempt = launch(options)
  const { code } = await attempt.exited
  assert.equal(code, 1, attempt.stdout())
  assert.equal(attempt.stdout(), '')
  assert.doesNotMatch(attempt.stderr(), /^\s+at /m)
  return attempt.stderr()
}

test('after a kill in mid-answer and a restart the answer continues to its end, and all text is kept', async () => {
  await using folder = await temporaryFolder()
  await using first = await startServer({ dataDir: folder.path, env: SLOWLY })
  const before = await first.connect()
  before.send({ type: 'chat', requestId: 'r0', message: 'こんにちは' })
  const { sessionId } = await before.until('accepted')
  await before.until('done')
  before.send({ type: 'chat', requestId: 'r1', sessionId, message: QUESTION })
  const { turnId } = await before.until('accepted', 2)
  const chunks = () => before.of('chunk').filter((chunk) => chunk.turnId === turnId)
  await waitUntil('two chunks', () => chunks().length >= 2)
  await first.kill()
  const seen = applyChunks(chunks())

  await using second = await startServer({ dataDir: folder.path })
  const after = await second.connect(before.cookie)
  assert.equal(after.setCookie, undefined)
  after.send({ type: 'resume', turnId, offset: seen.length })
  const done = await after.until('done')
  assert.equal(done.finishReason, 'stop')
  assert.ok(done.length > seen.length)
  const kept = after.answer(turnId, seen)
  const response = await fetch(`${second.address}/api/sessions/${sessionId}`, { headers: { cookie: before.cookie } })
  const { data } = (await response.json()) as { data: { turns: { answer: string; finishReason: string }[] } }
  assert.deepEqual(
    data.turns.map((turn) => turn.finishReason),
    ['stop', 'stop'],
  )
  assert.equal(data.turns[1]?.answer, kept)
  after.send({ type: 'chat', requestId: 'r2', sessionId, message: '続きを教えて' })
  assert.equal((await after.until('done', 2)).finishReason, 'stop')
})

test('two servers do not share a data folder', async () => {
  await using folder = await temporaryFolder()
  await using first = await startServer({ dataDir: folder.path })
  const said = await refusedStart({ dataDir: folder.path })
  assert.match(said, new RegExp(`in use by process ${first.child.pid}`))
  const client = await first.connect()
  client.send({ type: 'chat', requestId: 'r1', message: 'こんにちは' })
  await client.until('done')
})

test('a damaged or newer database prevents the start and is not changed', async () => {
  await using folder = await temporaryFolder()
  await using first = await startServer({ dataDir: folder.path })
  await first.kill()
  const path = join(folder.path, 'mangaassist.sqlite')
  const connection = new DatabaseSync(path)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA user_version = 999')
  connection.close()
  assert.match(await refusedStart({ dataDir: folder.path }), /newer version/)

  const garbage = 'this is no database, whatever its name says'
  await writeFile(path, garbage)
  assert.match(await refusedStart({ dataDir: folder.path }), /not a database/)
  assert.equal(await readFile(path, 'utf8'), garbage)
})

test('a port in use, an invalid setting and an unknown one prevent the start and are named', async () => {
  await using folder = await temporaryFolder()
  await using occupier = createServer()
  await new Promise<void>((resolve) => occupier.listen(0, '127.0.0.1', resolve))
  const { port } = occupier.address() as AddressInfo
  assert.match(
    await refusedStart({ dataDir: folder.path, env: { PORT: String(port) } }),
    new RegExp(`Port ${port} on 127.0.0.1 is in use`),
  )
  const said = await refusedStart({ dataDir: folder.path, env: { PORT: 'http', MANGA_STREAMING__HARTBEATMS: '1' } })
  assert.match(said, /server\.port/)
  assert.match(said, /MANGA_STREAMING__HEARTBEATMS/)
})

test('a doubtful setting is logged once as a warning, and the server starts', async () => {
  await using folder = await temporaryFolder()
  const env = { MANGA_SERVER__LOGLEVEL: 'warn', MANGA_SERVER__PROXIES: '3' }
  await using server = await startServer({ dataDir: folder.path, env })
  server.child.kill('SIGTERM')
  await server.exited
  const logged = server
    .stderr()
    .split('\n')
    .filter((line) => line.includes('config.warning'))
  assert.equal(logged.length, 1)
  assert.match(logged[0] ?? '', /"level":"warn".*server\.proxies.*trustProxy/)
})

test('on SIGTERM it refuses new requests, lets the running answer finish, closes connections and exits with 0', async () => {
  await using folder = await temporaryFolder()
  await using server = await startServer({ dataDir: folder.path, env: SLOWLY })
  const client = await server.connect()
  client.send({ type: 'chat', requestId: 'r1', message: QUESTION })
  const { turnId } = await client.until('accepted')
  await client.until('chunk')
  server.child.kill('SIGTERM')
  await waitUntil('it is not ready', async () => (await fetch(`${server.address}/readyz`)).status === 503)
  assert.equal((await fetch(`${server.address}/healthz`)).status, 200)
  const refused = await client.refused({ type: 'chat', requestId: 'r2', message: 'まだ間に合いますか' })
  assert.equal(refused.code, 'MAINTENANCE')
  const done = await client.until('done')
  assert.equal(done.finishReason, 'stop')
  client.answer(turnId)
  assert.equal(await client.closed, 1001)
  assert.deepEqual(await server.exited, { code: 0, signal: null })
})

test('a drain ends at its limit, and an unfinished answer is continued after the next start', async () => {
  await using folder = await temporaryFolder()
  const env = { ...SLOWLY, MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '1', MANGA_SERVER__DRAINMS: '200' }
  await using server = await startServer({ dataDir: folder.path, env })
  const client = await server.connect()
  client.send({ type: 'chat', requestId: 'r1', message: QUESTION })
  const { turnId } = await client.until('accepted')
  await client.until('chunk')
  server.child.kill('SIGTERM')
  assert.equal(await client.closed, 1001)
  assert.deepEqual(await server.exited, { code: 0, signal: null })
  const seen = applyChunks(client.of('chunk'))
  await using next = await startServer({ dataDir: folder.path })
  const after = await next.connect(client.cookie)
  after.send({ type: 'resume', turnId, offset: seen.length })
  assert.equal((await after.until('done')).finishReason, 'stop')
  after.answer(turnId, seen)
})

test('a log of writes that was removed after a crash is reported at the start, and after a mere crash nothing is', async () => {
  await using folder = await temporaryFolder()
  const crashed = async () => {
    await using server = await startServer({ dataDir: folder.path, env: { MANGA_SERVER__LOGLEVEL: 'warn' } })
    const client = await server.connect()
    client.send({ type: 'chat', requestId: 'r1', message: 'こんにちは' })
    await client.until('done')
    server.child.kill('SIGKILL')
    await server.exited
    return server.stderr()
  }
  await crashed()
  assert.doesNotMatch(await crashed(), /data-dir\.log-lost/)
  rmSync(join(folder.path, 'mangaassist.sqlite-wal'))
  assert.match(await crashed(), /"level":"error".*"what":"missing".*data-dir\.log-lost/)
})

test('an idle server stops at once, and its data is there at the next start', async () => {
  await using folder = await temporaryFolder()
  await using first = await startServer({ dataDir: folder.path })
  const before = await first.connect()
  before.send({ type: 'chat', requestId: 'r1', message: 'こんにちは' })
  await before.until('done')
  first.child.kill('SIGINT')
  assert.equal(await before.closed, 1001)
  assert.deepEqual(await first.exited, { code: 0, signal: null })
  await using second = await startServer({ dataDir: folder.path })
  const list = await fetch(`${second.address}/api/sessions`, { headers: { cookie: before.cookie } })
  assert.equal(((await list.json()) as { data: unknown[] }).data.length, 1)
})
