// One shopper with two devices at the real server: who writes, who reads, and what an outdated device gets.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { cookieOf, postChat, startServer, temporaryFolder } from './server-process.ts'

const folder = await temporaryFolder()
const server = await startServer({ dataDir: folder.path })
after(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const QUESTIONS = ['送料はいくらですか', 'ポイントはつきますか', '返品できますか']
const chat = (requestId: string, more: object = {}) => ({ type: 'chat', requestId, message: QUESTIONS[0], ...more })

/** A device that has its first answer, and the answer's session. */
async function firstDevice() {
  const first = await server.connect()
  first.send(chat('a1'))
  const { sessionId } = await first.until('accepted')
  const { sessionVersion } = await first.until('done')
  return { first, sessionId, sessionVersion }
}

suite('two devices', { concurrency: true }, () => {
  test('when the second device writes, the first is notified once and reads the same text', async () => {
    const { first, sessionId, sessionVersion } = await firstDevice()
    const second = await server.connect(first.cookie)
    second.send(chat('b1', { sessionId, message: QUESTIONS[1], baseVersion: sessionVersion }))
    await second.until('done')
    await first.until('done', 2)
    second.send(chat('b2', { sessionId, message: QUESTIONS[2] }))
    await first.until('done', 3)
    assert.deepEqual(
      first.of('transferred').map((frame) => frame.sessionId),
      [sessionId],
    )
    const accepted = first.of('accepted')
    assert.deepEqual(
      accepted.map(({ requestId }) => requestId),
      ['a1', 'b1', 'b2'],
    )
    const { turnId = '' } = accepted[1] ?? {}
    assert.equal(first.answer(turnId), second.answer(turnId))
    assert.equal(second.of('transferred').length, 0)
  })

  test('a device without the latest answer gets a version conflict, and no turn starts', async () => {
    const { first, sessionId, sessionVersion } = await firstDevice()
    const second = await server.connect(first.cookie)
    second.send(chat('b1', { sessionId, message: QUESTIONS[1], baseVersion: sessionVersion }))
    const done = await second.until('done')
    const stale = await first.refused(chat('a2', { sessionId, message: QUESTIONS[2], baseVersion: sessionVersion }))
    assert.equal(stale.code, 'VERSION_CONFLICT')
    assert.equal(stale.details?.['version'], done.sessionVersion)
    first.send(chat('a3', { sessionId, message: QUESTIONS[2], baseVersion: done.sessionVersion }))
    await first.until('done', 3)
    // The first device writes again: now the second reads.
    await second.until('transferred')
    await second.until('done', 2)
  })

  test('a question over HTTP is another device too', async () => {
    const { first, sessionId } = await firstDevice()
    await postChat(server.address, { message: QUESTIONS[1], sessionId }, { cookie: first.cookie })
    await first.until('transferred')
    await first.until('done', 2)
  })

  test('a turn can be read over events by its principal only', async () => {
    const response = await postChat(server.address, { message: QUESTIONS[0] })
    const { data } = (await response.json()) as { data: { turnId: string; text: string } }
    const url = `${server.address}/api/turns/${data.turnId}/events`
    assert.equal((await fetch(url)).status, 404)
    const cookie = cookieOf(response)
    const beyond = await (await fetch(`${url}?offset=${data.text.length + 5}`, { headers: { cookie } })).text()
    assert.doesNotMatch(beyond, /event: chunk/)
    assert.match(beyond, /event: done/)
  })

  test('the metrics of all this can be read, and contain nothing personal', async () => {
    const { first, sessionId } = await firstDevice()
    const { turnId } = await first.until('accepted')
    const text = await (await fetch(`${server.address}/metrics`)).text()
    assert.match(text, /^mangaassist_websocket_connections [1-9]/m)
    assert.match(text, /^mangaassist_delivery_frame_bytes_count\{door="ws"\} [1-9]/m)
    assert.match(text, /^mangaassist_turn_running \d+$/m)
    for (const personal of [sessionId, turnId, 'guest_']) assert.equal(text.includes(personal), false)
    assert.match(text, /^mangaassist_reader_gap_total 0$/m)
  })
})
