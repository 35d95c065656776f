// A shopper's conversations with the real server, over every door.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { ChunkFrame, DoneFrame, ServerFrame } from '@mangaassist/protocol'
import { createClient } from '@mangaassist/client'
import { applyChunks, checkPromise } from '#fixtures/edge/socket-client.ts'
import { cookieOf, postChat, SLOWLY, startServer, temporaryFolder } from './server-process.ts'

const QUESTION = '進撃の巨人が好きなら次は何を読む？'
const folder = await temporaryFolder()
const server = await startServer({ dataDir: folder.path, env: SLOWLY })
after(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const chat = (requestId: string, more: object = {}) => ({ type: 'chat', requestId, message: QUESTION, ...more })

async function* events(
  response: Response,
): AsyncGenerator<{ event: string; id: string | undefined; frame: ServerFrame }> {
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString('utf8')
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      yield { event: field('event') ?? '', id: field('id'), frame: JSON.parse(field('data') ?? '') as ServerFrame }
    }
  }
}

// In parallel: every test is a guest of its own, and a slow answer leaves time for others.
suite('a shopper’s conversations', { concurrency: true }, () => {
  test('over the WebSocket an answer arrives in pieces and matches its length and hash', async () => {
    const client = await server.connect()
    client.send(chat('r1'))
    const done = await client.until('done')
    assert.equal(done.finishReason, 'stop')
    const [accepted] = client.of('accepted')
    assert.equal(accepted?.requestId, 'r1')
    const text = client.answer(accepted?.turnId ?? '')
    assert.ok(text.length > 20)
    assert.ok(client.of('chunk').length > 2)
    const meta = client.of('meta').at(-1)
    assert.equal(meta?.tier, 'embedded')
    assert.ok((meta?.products.length ?? 0) > 0)
    assert.equal(done.usage.outputTokens > 0, true)
    assert.equal(done.sessionVersion, 1)
  })

  test('a question on a series page is about that series, and a title alone is answered in the page’s language', async () => {
    const client = await server.connect()
    const page = { productId: 'berserk', path: '/series/berserk' }
    client.send(chat('p1', { message: 'is this one in stock?', interfaceLanguage: 'en', page }))
    const { turnId } = await client.until('done')
    const meta = client.of('meta').at(-1)
    assert.deepEqual(
      meta?.products.map(({ id }) => id),
      ['berserk'],
    )
    assert.deepEqual(
      meta.sources?.map(({ kind, id }) => [kind, id]),
      [['product', 'berserk']],
    )
    assert.match(client.answer(turnId), /Berserk/)
    for (const [message, interfaceLanguage, words] of [
      ['SLAM DUNK', 'ja', /[ぁ-ん]/],
      ['鬼滅の刃', 'en', /volumes/],
    ] as const) {
      const response = await postChat(server.address, { message, interfaceLanguage })
      const { data, metadata } = (await response.json()) as {
        data: { text: string; sessionId: string }
        metadata: { sources?: readonly { readonly id: string; readonly at: string }[] }
      }
      assert.match(data.text, words)
      assert.equal(metadata.sources?.length, 1)
      const session = await fetch(`${server.address}/api/sessions/${data.sessionId}`, {
        headers: { cookie: cookieOf(response) },
      })
      const { data: stored } = (await session.json()) as {
        data: { turns: readonly { language: string; interfaceLanguage: string; sources: unknown }[] }
      }
      const [turn] = stored.turns
      assert.deepEqual(
        [turn?.language, turn?.interfaceLanguage, turn?.sources],
        [interfaceLanguage, interfaceLanguage, metadata.sources],
      )
    }
  })

  test('as JSON the answer is complete, with its limits', async () => {
    const response = await postChat(server.address, { message: 'something like Spy x Family but darker' })
    assert.equal(response.status, 200)
    const { data, metadata, success } = (await response.json()) as {
      success: boolean
      data: { text: string; finishReason: string }
      metadata: DoneFrame
    }
    assert.equal(success, true)
    assert.equal(data.finishReason, 'stop')
    checkPromise(data.text, metadata)
    assert.equal(response.headers.get('ratelimit-limit'), '10')
    assert.match(response.headers.get('x-request-id') ?? '', /^req_/)
  })

  test('as events the answer streams, and Last-Event-ID resumes it where the reader left', async () => {
    const response = await postChat(server.address, { message: QUESTION }, { accept: 'text/event-stream' })
    const cookie = cookieOf(response)
    const first: ChunkFrame[] = []
    let turnId = ''
    let lastId = ''
    for await (const { event, frame, id } of events(response)) {
      if (frame.type === 'accepted') turnId = frame.turnId
      if (frame.type !== 'chunk') continue
      assert.equal(event, 'chunk')
      first.push(frame)
      lastId = id ?? ''
      if (first.length === 2) break
    }
    const resumed = await fetch(`${server.address}/api/turns/${turnId}/events`, {
      headers: { cookie, 'last-event-id': lastId },
    })
    const rest: ChunkFrame[] = []
    let done: DoneFrame | undefined
    for await (const { frame } of events(resumed)) {
      if (frame.type === 'chunk') rest.push(frame)
      if (frame.type === 'done') done = frame
    }
    assert.equal(rest[0]?.offset, Number(lastId))
    assert.ok(done)
    checkPromise(applyChunks([...first, ...rest]), done)
  })

  test('another connection resumes a lost one in mid-answer without a missing or repeated character', async () => {
    const first = await server.connect()
    first.send(chat('r1'))
    await first.until('chunk', 2)
    first.socket.terminate()
    const { turnId } = await first.until('accepted')
    const half = applyChunks(first.of('chunk'))
    const second = await server.connect(first.cookie)
    assert.equal(second.setCookie, undefined)
    second.send({ type: 'resume', turnId, offset: half.length })
    const done = await second.until('done')
    assert.equal(done.finishReason, 'stop')
    assert.ok(second.answer(turnId, half).length > half.length)
    second.send({ type: 'resume', turnId, offset: 0 })
    await second.until('done', 2)
    assert.equal(second.of('chunk').at(-1)?.turnId, turnId)
  })

  test('a stop from another tab ends the answer for every reader, and its text stays', async () => {
    const first = await server.connect()
    first.send(chat('r1'))
    const { sessionId, turnId } = await first.until('accepted')
    await first.until('chunk')
    const second = await server.connect(first.cookie)
    second.send({ type: 'resume', turnId, offset: 0 })
    await second.until('chunk')
    second.send({ type: 'stop', turnId })
    for (const client of [first, second]) {
      const done = await client.until('done')
      assert.equal(done.finishReason, 'stopped')
      client.answer(turnId)
    }
    const response = await fetch(`${server.address}/api/sessions/${sessionId}`, { headers: { cookie: first.cookie } })
    const { data } = (await response.json()) as { data: { turns: { answer: string; finishReason: string }[] } }
    assert.deepEqual(
      data.turns.map((turn) => [turn.answer, turn.finishReason]),
      [[first.answer(turnId), 'stopped']],
    )
  })

  test('a stop over HTTP does the same', async () => {
    const client = await server.connect()
    client.send(chat('r1'))
    const { turnId } = await client.until('accepted')
    const url = `${server.address}/api/turns/${turnId}/stop`
    const response = await fetch(url, { method: 'POST', headers: { cookie: client.cookie } })
    assert.equal(response.status, 200)
    assert.equal((await client.until('done')).finishReason, 'stopped')
  })

  test('for other principals a session and a turn do not exist', async () => {
    const owner = await server.connect()
    owner.send(chat('r1'))
    const { sessionId, turnId } = await owner.until('accepted')
    const stranger = await server.connect()
    for (const frame of [
      { type: 'resume', turnId, offset: 0 },
      { type: 'stop', turnId },
      { type: 'watch', sessionId },
      chat('r2', { sessionId }),
    ]) {
      assert.equal((await stranger.refused(frame)).code, 'NOT_FOUND', frame.type)
    }
    for (const [method, path] of [
      ['GET', `/api/turns/${turnId}/events`],
      ['POST', `/api/turns/${turnId}/stop`],
      ['GET', `/api/sessions/${sessionId}`],
      ['DELETE', `/api/sessions/${sessionId}`],
    ] as const) {
      const response = await fetch(`${server.address}${path}`, { method, headers: { cookie: stranger.cookie } })
      assert.equal(response.status, 404, path)
    }
    const list = await fetch(`${server.address}/api/sessions`, { headers: { cookie: stranger.cookie } })
    assert.deepEqual(((await list.json()) as { data: unknown }).data, [])
    assert.equal((await owner.until('done')).finishReason, 'stop')
  })

  test('a second question in a busy conversation is refused; in another it is not', async () => {
    const client = await server.connect()
    client.send(chat('r1'))
    const { sessionId } = await client.until('accepted')
    await client.until('chunk')
    const busy = await client.refused({ type: 'chat', requestId: 'r2', sessionId, message: '在庫はありますか？' })
    assert.equal(busy.code, 'SESSION_BUSY')
    assert.equal(busy.requestId, 'r2')
    client.send({ type: 'chat', requestId: 'r3', message: '送料はいくらですか' })
    const other = await client.until('accepted', 2)
    assert.notEqual(other.sessionId, sessionId)
    await client.until('done', 2)
    client.send({ type: 'chat', requestId: 'r4', sessionId, message: '在庫はありますか？' })
    await client.until('done', 3)
    assert.equal(client.of('done').at(-1)?.sessionVersion, 2)
  })

  test('a repeated idempotency key joins the running turn, and with another question is refused', async () => {
    const first = await server.connect()
    first.send(chat('r1', { idempotencyKey: 'key-1' }))
    const { turnId } = await first.until('accepted')
    await first.until('chunk')
    const second = await server.connect(first.cookie)
    second.send(chat('r2', { idempotencyKey: 'key-1' }))
    const joined = await second.until('accepted')
    assert.deepEqual([joined.turnId, joined.duplicate, joined.requestId], [turnId, true, 'r2'])
    const refused = await second.refused({
      type: 'chat',
      requestId: 'r3',
      message: '別の質問',
      idempotencyKey: 'key-1',
    })
    assert.equal(refused.code, 'INVALID_REQUEST')
    await first.until('done')
    await second.until('done')
    assert.equal(first.answer(turnId), second.answer(turnId))
    const again = await postChat(
      server.address,
      { message: QUESTION, idempotencyKey: 'key-1' },
      { cookie: first.cookie },
    )
    const { data, metadata } = (await again.json()) as {
      data: { turnId: string; text: string }
      metadata: { duplicate: boolean }
    }
    assert.deepEqual([data.turnId, metadata.duplicate, data.text], [turnId, true, first.answer(turnId)])
    const stranger = await server.connect()
    stranger.send(chat('r1', { idempotencyKey: 'key-1' }))
    assert.notEqual((await stranger.until('accepted')).turnId, turnId)
  })

  test('a second device watches a conversation and reads its turns', async () => {
    const phone = await server.connect()
    phone.send({ type: 'chat', requestId: 'r1', message: 'こんにちは' })
    const { sessionId } = await phone.until('accepted')
    await phone.until('done')
    const desktop = await server.connect(phone.cookie)
    desktop.send({ type: 'watch', sessionId })
    desktop.send({ type: 'ping' })
    await desktop.until('heartbeat')
    phone.send(chat('r2', { sessionId }))
    const accepted = await desktop.until('accepted')
    assert.equal(accepted.requestId, 'r2')
    await desktop.until('done')
    await phone.until('done', 2)
    assert.equal(desktop.answer(accepted.turnId), phone.answer(accepted.turnId))
  })

  test('a conversation is listed, read and deleted', async () => {
    const answered = await postChat(server.address, { message: 'おすすめを教えて' })
    const cookie = cookieOf(answered)
    const { data: answer } = (await answered.json()) as { data: { sessionId: string; text: string } }
    const get = async (path: string) =>
      (await fetch(`${server.address}${path}`, { headers: { cookie } })).json() as Promise<{ data: never }>
    const { data: list } = (await get('/api/sessions')) as { data: { sessionId: string; version: number }[] }
    assert.deepEqual(
      list.map(({ sessionId, version }) => [sessionId, version]),
      [[answer.sessionId, 1]],
    )
    const { data: detail } = (await get(`/api/sessions/${answer.sessionId}`)) as {
      data: { turns: { question: string; answer: string }[] }
    }
    assert.equal(detail.turns[0]?.question, 'おすすめを教えて')
    assert.equal(detail.turns[0]?.answer, answer.text)
    const removed = await fetch(`${server.address}/api/sessions/${answer.sessionId}`, {
      method: 'DELETE',
      headers: { cookie },
    })
    assert.equal(removed.status, 200)
    assert.deepEqual(((await get('/api/sessions')) as { data: unknown }).data, [])
  })

  test('limits and catalogue can be read', async () => {
    const quota = (await (await fetch(`${server.address}/api/quota`)).json()) as { data: { tier: string } }
    assert.equal(quota.data.tier, 'free')
    const found = await fetch(`${server.address}/api/products?q=${encodeURIComponent('進撃の巨人')}`)
    const { data } = (await found.json()) as { data: { title: { ja: string } }[] }
    assert.equal(data[0]?.title.ja, '進撃の巨人')
  })

  test('the client library works with the server', async () => {
    const client = createClient({ url: server.address })
    const types = new Set<string>()
    for await (const part of client.chat({ message: QUESTION })) types.add(part.type)
    client.close()
    assert.ok(types.has('done'))
  })

  test('health, readiness and the contract are served', async () => {
    assert.equal((await fetch(`${server.address}/healthz`)).status, 200)
    const ready = await fetch(`${server.address}/readyz`)
    assert.equal(ready.status, 200)
    assert.equal(
      ((await ready.json()) as { dependencies: { database: { status: string } } }).dependencies.database.status,
      'ok',
    )
    const contract = (await (await fetch(`${server.address}/openapi.json`)).json()) as { openapi: string }
    assert.equal(contract.openapi, '3.1.0')
  })
})

test('a guest’s eleventh question in a minute is refused with a retry time', async () => {
  await using place = await temporaryFolder()
  await using quick = await startServer({ dataDir: place.path })
  const client = await quick.connect()
  const answers = []
  for (let count = 1; count <= 11; count += 1) {
    const response = await postChat(quick.address, { message: `やあ ${count}` }, { cookie: client.cookie })
    answers.push(response.status)
    if (response.status === 429) {
      assert.ok(Number(response.headers.get('retry-after')) >= 1)
      assert.equal(response.headers.get('ratelimit-remaining'), '0')
    }
    await response.body?.cancel()
  }
  assert.deepEqual([answers.filter((status) => status === 200).length, answers.at(-1)], [10, 429])
})
