// What the story of a turn says of its readers, by every door: the whole app behind real sockets, with a model that speaks when the test
// wants. The slow reader is on a Unix socket, whose buffers in the system are small.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { createApp } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import { storyText } from '#cli/turns/story-print.ts'
import type { Model } from '#ports/model/port.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { applyChunks, SocketClient } from '#fixtures/edge/socket-client.ts'
import { END, say, START, usage } from '#fixtures/models/scripted-model.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { testConfig, wireTest } from '#fixtures/stores/wire-test.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { sampleFaq, sampleShelves } from '#fixtures/turns/samples.ts'

const QUESTION = '泣ける漫画を教えて'
const FIRST = 'はい。'
const DELTAS = 3000
const LENGTH = FIRST.length + DELTAS - 1

async function serving(streaming: Partial<Config['streaming']> = {}) {
  const clock = systemClock()
  const telemetry = memoryTelemetry({ now: () => clock.now() })
  const [mayGoOn, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const model: Model = {
    id: 'scripted',
    async *stream() {
      yield START
      yield say(FIRST)
      await mayGoOn.promise
      for (let delta = 1; delta < DELTAS; delta += 1) yield say('本')
      await mayEnd.promise
      yield usage(10, DELTAS)
      yield END
    },
  }
  const tiers = Object.entries(testConfig.tiers).map(
    ([name, tier]) => [name, { ...tier, outputTokensPerRequest: 2 * DELTAS }] as const,
  )
  const config = {
    ...testConfig,
    streaming: { ...testConfig.streaming, ...streaming },
    tiers: Object.fromEntries(tiers),
  }
  const wired = await wireTest({ clock, random: systemRandom(), products: sampleShelves(), faq: sampleFaq(), model })
  const app = createApp({ ...wired, telemetry }, config)
  const doors = await openDoors({ served: app, telemetry, clock, models: config.models, streaming })
  const counted = (name: string) => telemetry.counted.filter((count) => count.name === name).length
  /** The story as an operator reads it, and its record. */
  const storyOf = async (turnId: string) => {
    const story = await app.admin.turnStory(turnId)
    assert.ok(story.record.kind !== 'refusal')
    return { record: story.record, text: storyText(story) }
  }
  return {
    counted,
    doors,
    mayGoOn: mayGoOn.resolve,
    mayEnd: mayEnd.resolve,
    storyOf,
    async [Symbol.asyncDispose]() {
      mayGoOn.resolve()
      mayEnd.resolve()
      await doors[Symbol.asyncDispose]()
      await app.drain()
    },
  }
}

/** The bytes of a turn's frames, as a client got them. */
function bytesOf(client: SocketClient, turnId: string): number {
  const own = client.frames.filter((frame) => 'turnId' in frame && frame.turnId === turnId && frame.type !== 'accepted')
  return own.reduce((sum, frame) => sum + Buffer.byteLength(JSON.stringify(frame)), 0)
}

test('a slow reader over a WebSocket that is paused, disconnects and resumes is in the story', async (context) => {
  await using world = await serving({ flushBytes: 1, highWaterBytes: 2048, stalledPollMs: 20, stalledPollsMax: 10_000 })
  const path = join(tempDir(context), 'shop.sock')
  await world.doors.http.listen({ path })
  const url = `ws+unix:${path}:/ws`
  const slow = new SocketClient(url)
  await slow.until('ready')
  slow.send({ type: 'chat', requestId: 'r1', message: QUESTION })
  const { turnId } = await slow.until('accepted')
  await slow.until('chunk')
  slow.socket.pause()
  world.mayGoOn()
  await waitUntil('the reader is paused', () => world.counted('reader_paused_total') > 0)
  const { cookie } = slow
  const had = slow.of('chunk').reduce((text, chunk) => text + chunk.text, '')
  slow.socket.terminate()
  await waitUntil('the server knows that it has left', () => world.counted('websocket_closed_total') > 0)

  const back = new SocketClient(url, { headers: { cookie } })
  await back.until('ready')
  back.send({ type: 'resume', turnId, offset: had.length })
  // A reader that still reads when the record is written has no end there.
  await waitUntil('it has caught up', () => applyChunks(back.of('chunk'), had).length === LENGTH)
  world.mayEnd()
  await back.until('done')
  assert.equal(back.answer(turnId, had).length, LENGTH)

  const { record, text } = await world.storyOf(turnId)
  const [first, second] = record.sentTo ?? []
  assert.ok(first !== undefined && second !== undefined)
  assert.deepEqual([record.deltas, record.readers, record.sentTo?.length, record.received.resumed], [DELTAS, 2, 2, 1])
  assert.ok((record.frames ?? 0) > 1)
  assert.deepEqual([first.door, first.end], ['ws', 'left'])
  assert.ok((first.pauses ?? 0) >= 1 && (first.pausedMs ?? -1) >= 0)
  assert.ok(first.bytes > 2048 && first.frames < DELTAS)
  const frames = back.frames.filter(({ type }) => ['meta', 'chunk', 'done'].includes(type)).length
  assert.deepEqual(
    [second.door, second.offset, second.frames, second.bytes, second.end],
    ['ws', had.length, frames, bytesOf(back, turnId), 'complete'],
  )
  assert.match(text, /^text +3,000 deltas, written in [\d,]+ frames$/m)
  assert.match(text, /^1 +WebSocket +disconnected /m)
  assert.match(text, new RegExp(`^2 +WebSocket +everything sent +${had.length} `, 'm'))
})

test('readers over HTTP, event streams and /v1 are in the stories with the bytes of their answers', async () => {
  await using world = await serving()
  const address = await world.doors.listen()
  world.mayGoOn()
  world.mayEnd()
  const post = (route: string, body: object, accept = 'application/json') =>
    fetch(`${address}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    })
  const [reader] = await readersOf(await post('/api/chat', { message: QUESTION }))
  assert.deepEqual(reader, ['http', 1, 'complete'])

  const streamed = await post('/api/chat', { message: '別の質問です' }, 'text/event-stream')
  const [event, frames] = await readersOf(streamed, (text) => text.slice(text.indexOf('event: meta')))
  assert.deepEqual([event?.[0], event?.[2]], ['sse', 'complete'])
  assert.equal(event?.[1], frames.match(/^event: (meta|chunk|done)$/gm)?.length)

  const prompt = { model: 'auto', messages: [{ role: 'user', content: 'hello' }] }
  assert.deepEqual((await readersOf(await post('/v1/chat/completions', prompt)))[0], ['v1', 1, 'complete'])
  const chunks = await post('/v1/chat/completions', { ...prompt, stream: true })
  const [chunked] = await readersOf(chunks)
  assert.deepEqual([chunked?.[0], chunked?.[2]], ['v1', 'complete'])

  /** The one reader of an answer, whose bytes are those of `part` of the body. */
  async function readersOf(response: Response, part = (text: string) => text) {
    const body = await response.text()
    const turnId = /turn_\w+/.exec(body)?.[0] ?? `turn_${/chatcmpl-(\w+)/.exec(body)?.[1]}`
    const { record } = await world.storyOf(turnId)
    const [sent] = record.sentTo ?? []
    assert.ok(sent !== undefined)
    assert.equal(sent.bytes, Buffer.byteLength(part(body)))
    return [[sent.door, sent.frames, sent.end] as const, part(body)] as const
  }
})
