// Every fault of a provider, alone, against the whole server over real sockets: it ends in the right tier, within its
// limit, and the shown text is complete or marked as incomplete. Each by a guest of its own, on a server that no other test
// uses at the time and whose lanes were reset.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'
import { defaults } from '#config/config.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { serve } from '../../src/main.ts'
import { faultSchemas } from '@mangaassist/simulation/vendor/faults'
import type { VendorFault } from '@mangaassist/simulation/vendor/faults'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { loopClock } from '#fixtures/time/loop-clock.ts'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { temporaryFolder } from './server-process.ts'
import { lendIndex } from '#fixtures/stores/stored-index.ts'

const ANSWER = '『鬼滅の刃』は全23巻で完結しています。家族の絆を描いた物語で、最後まで一気に読めます。👨‍👩‍👧 Well worth it.'
const SAME = { identicalText: ANSWER }
const PRIMARY = 'primary-1'
const ECONOMY = 'economy-1'
const ADMIN = 'maa_faults'
/** Questions that the FAQ does not know, each asked once. */
// Nothing that catalogue or FAQ could answer: without a model only the lowest tiers answer.
const QUESTION = 'カレーの作り方を教えて'
/** Long enough for a second call within it. */
const FRESH_MS = 3000
/** Clock of all servers and providers here, so that a busy machine decides no result. */
const clock = loopClock()

/** Without a text of its own the simulator answers differently each time. */
async function start(
  env: Readonly<Record<string, string>> = {},
  { tokensPerSecond = 400, ...said }: { identicalText?: string; tokensPerSecond?: number } = SAME,
) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const pace = { tokensPerSecond }
  const simulator = opened.use(await startSimulator({ clock, ...said, pace }))
  const model = (name: string, id: string) => ({
    [`MANGA_MODELS__${name}__PROVIDER`]: 'openai-compatible',
    [`MANGA_MODELS__${name}__ID`]: id,
    [`MANGA_MODELS__${name}__BASEURL`]: `${simulator.url}/v1`,
    [`MANGA_MODELS__${name}__PRICE`]: '1,2',
    [`MANGA_MODELS__${name}__FIRSTTOKENMS`]: '4000',
    [`MANGA_MODELS__${name}__STALLMS`]: '2500',
  })
  lendIndex(folder.path)
  const serving = await serve({
    workspaceRoot: folder.path,
    clock,
    print: () => {},
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder.path,
      MANGA_SERVER__LOGLEVEL: 'silent',
      MANGA_PROBE__EVERYMS: '0',
      MANGA_AUTH__V1GUESTS: 'true',
      MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'test', hash: secretHash(ADMIN) }]),
      ...model('PRIMARY', PRIMARY),
      ...model('ECONOMY', ECONOMY),
      ...env,
    },
  })
  opened.defer(() => serving.close())
  const keep = opened.move()
  return { simulator, address: serving.address, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}

type Opened = Awaited<ReturnType<typeof start>>

/** A guest of a server, and an operator's actions there. */
async function visit({ address, simulator }: Opened) {
  const client = new SocketClient(`${address.replace('http', 'ws')}/ws`)
  await client.until('ready')
  let asked = 0
  const ask = async (message = QUESTION) => {
    asked += 1
    client.send({ type: 'chat', requestId: `r${asked}`, message })
    const done = await client.until('done', asked)
    const text = client
      .of('chunk')
      .filter(({ turnId }) => turnId === done.turnId)
      .map((chunk) => chunk.text)
      .join('')
    const meta = client.of('meta').findLast(({ turnId }) => turnId === done.turnId)
    return { done, text, meta }
  }
  /** Resets the lanes, so that earlier faults do not count. */
  const forget = async () => {
    for (const name of ['primary', 'economy']) {
      const response = await fetch(`${address}/api/admin/lanes/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'reset', reason: 'the next fault' }),
      })
      assert.equal(response.status, 200)
    }
  }
  return { simulator, address, client, ask, forget, [Symbol.dispose]: () => client.socket.terminate() }
}

/** A server of its own, with one guest. */
async function open(...options: Parameters<typeof start>) {
  await using opened = new AsyncDisposableStack()
  const visited = opened.use(await visit(opened.use(await start(...options))))
  const keep = opened.move()
  return { ...visited, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}

const idle: Opened[] = []
after(() => Promise.all(idle.map((server) => server[Symbol.asyncDispose]())))

/** On a shared server; not after a failure, whose effects no other test should meet. */
async function borrow(use: (server: Awaited<ReturnType<typeof visit>>) => Promise<void>): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(idle.pop() ?? (await start()))
  using visited = await visit(server)
  await use(visited)
  server.simulator.reset()
  await visited.forget()
  opened.move()
  idle.push(server)
}

interface Expected {
  readonly tier: AnswerTier
  readonly finishReason?: FinishReason
  /** Whether the shopper has a model's whole answer. */
  readonly whole?: boolean
}

const primary: Expected = { tier: 'primary', whole: true }
const economy: Expected = { tier: 'economy', whole: true }
const message: Expected = { tier: 'message' }
const kept: Expected = { tier: 'message', finishReason: 'deferred' }
/** No model could continue: the source is the one that began. */
const cut: Expected = { tier: 'primary', finishReason: 'interrupted' }

/** Blocked content is not continued. */
const filtered: Expected = { tier: 'primary', finishReason: 'blocked' }

/** On the primary model alone, and on every model. */
const faults: readonly (readonly [string, VendorFault, Expected, Expected])[] = [
  ['throttled', { fault: 'error', error: 'throttled' }, economy, kept],
  ['throttled, asking for an hour', { fault: 'error', error: 'throttled', retryAfterSeconds: 3600 }, economy, kept],
  ['past a quota', { fault: 'quota', tokens: 1, windowMs: 600_000 }, economy, kept],
  ['out of credit', { fault: 'error', error: 'quota-exhausted' }, economy, message],
  ['unavailable', { fault: 'error', error: 'unavailable' }, economy, kept],
  ['failing', { fault: 'error', error: 'internal' }, economy, kept],
  ['too small', { fault: 'context-window', tokens: 1 }, economy, message],
  ['resetting', { fault: 'reset' }, economy, kept],
  ['silent', { fault: 'silence' }, economy, kept],
  ['silent after its headers', { fault: 'silence', after: 'headers' }, economy, kept],
  ['slow to begin', { fault: 'slow-first-token', ms: 9000 }, economy, kept],
  ['thinking first', { fault: 'thinks', tokens: 20 }, primary, primary],
  ['cutting the connection', { fault: 'cut', afterTokens: 12, how: 'destroy' }, economy, cut],
  ['ending the body too soon', { fault: 'cut', afterTokens: 12, how: 'end' }, economy, cut],
  ['cutting within an event', { fault: 'cut', afterTokens: 12, how: 'mid-event' }, economy, cut],
  ['stalling', { fault: 'stall', afterTokens: 12 }, economy, cut],
  ['failing inside its stream', { fault: 'exception', error: 'internal', afterTokens: 12 }, economy, cut],
  ['failing before its stream begins', { fault: 'exception', error: 'internal', beforeStart: true }, economy, kept],
  // The next model has nothing to add, and ends.
  ['leaving out the end', { fault: 'missing-end' }, primary, { ...cut, whole: true }],
  ['leaving out the very last of its end', { fault: 'missing-end', only: 'last' }, primary, primary],
  ['sending what cannot be read', { fault: 'malformed', afterTokens: 12 }, primary, primary],
  ['sending what nobody knows', { fault: 'unknown-event', afterTokens: 12 }, primary, primary],
  ['silent about usage', { fault: 'usage', shape: 'missing' }, primary, primary],
  ['unwilling to take its own beginning', { fault: 'no-prefill' }, primary, primary],
  ['crowded', { fault: 'brownout', slots: 1 }, primary, primary],
  ['calling a tool', { fault: 'tool-use' }, economy, message],
  [
    'filtering',
    { fault: 'blocked' },
    { tier: 'message', finishReason: 'blocked' },
    { tier: 'message', finishReason: 'blocked' },
  ],
  // Only an embedder sends vectors.
  ['sending wrong vectors', { fault: 'vectors', shape: 'wrong-dimensions' }, primary, primary],
  ['filtering in the middle', { fault: 'blocked', afterTokens: 12 }, filtered, filtered],
]

async function check(
  server: Awaited<ReturnType<typeof visit>>,
  { tier, finishReason = 'stop', whole = false }: Expected,
  question: string,
) {
  const { done, text, meta } = await server.ask(question)
  assert.deepEqual([done.tier, done.finishReason], [tier, finishReason], JSON.stringify({ meta, text }))
  assert.equal(meta?.degraded, tier !== 'primary')
  if (whole) assert.equal(text, ANSWER)
  else assert.notEqual(text, ANSWER)
  if (finishReason === 'interrupted') assert.ok(ANSWER.startsWith(text) && text !== '')
  assert.ok((done.timings.ttftMs ?? 0) <= defaults.deadlines.stream.firstWordMs, `${done.timings.ttftMs} ms`)
}

test('the table has every fault', () => {
  assert.deepEqual(new Set(faults.map(([, { fault }]) => fault)), new Set(Object.keys(faultSchemas)))
})

// Most of the time is backoff.
const TOGETHER = 4
suite('every fault alone', { concurrency: TOGETHER }, () => {
  for (const [number, [name, fault, alone, everywhere]] of faults.entries()) {
    test(`a provider that is ${name} ends in the ${alone.tier} tier, and with all of them in the ${everywhere.tier} tier`, () =>
      borrow(async (server) => {
        server.simulator.faults({ ...fault, model: PRIMARY })
        // Different questions every time: a cached answer may be reused.
        await check(server, alone, `${QUESTION} ${number}`)
        server.simulator.heal()
        await server.forget()
        server.simulator.faults(fault)
        await check(server, everywhere, `${QUESTION} ${number} もう一度`)
      }))
  }
})

test('a question that the catalogue can answer is answered from it when no model does', async () => {
  await using server = await open()
  server.simulator.faults({ fault: 'error', error: 'unavailable' })
  const { done, text, meta } = await server.ask('ベルセルクの在庫は？')
  assert.deepEqual([done.tier, done.finishReason, meta?.confidence], ['embedded', 'stop', 0.5])
  assert.match(text, /ベルセルク/)
})

test('a stream that broke off once is continued by the same model, and every call is charged', async () => {
  await using server = await open()
  server.simulator.faults({ fault: 'cut', afterTokens: 12, times: 1 })
  const { done, text, meta } = await server.ask()
  assert.deepEqual([text, done.tier, done.finishReason, meta?.degraded], [ANSWER, 'primary', 'stop', false])
  assert.equal(server.simulator.attempts().length, 2)
  assert.match(JSON.stringify(server.simulator.attempts()[1]?.body), /途中で切れて/)
})

test('a continuation with different text does not finish the answer: it ends as interrupted', async () => {
  await using server = await open({}, {})
  for (const afterTokens of [16, 24]) {
    server.simulator.faults({ fault: 'cut', afterTokens, times: 1 })
    const { done, text } = await server.ask(`${QUESTION} ${afterTokens}`)
    assert.equal(done.finishReason, 'interrupted', text)
    assert.equal([...text].length, afterTokens)
  }
})

async function complete(address: string, stream: boolean, content = QUESTION) {
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer guest' },
    body: JSON.stringify({ model: 'auto', stream, messages: [{ role: 'user', content }] }),
  })
  return { response, body: await response.text() }
}

const cutting = faults.filter(([, fault]) => 'afterTokens' in fault || fault.fault === 'missing-end')

/** Blocked content is marked as such, as in OpenAI's own answers; nothing else may be short. */
function assertWhole(choice: { readonly message: { readonly content: string }; readonly finish_reason: string }): void {
  if (choice.finish_reason !== 'content_filter') assert.equal(choice.message.content, ANSWER)
}

suite('on /v1 no cut answer is a success', { concurrency: TOGETHER }, () => {
  for (const [name, fault] of cutting) {
    test(`a provider that is ${name} gives the whole answer or an error, streamed or not`, () =>
      borrow(async ({ address, simulator }) => {
        simulator.faults(fault)
        const { response, body } = await complete(address, false, `${QUESTION} ${name}`)
        if (response.ok) assertWhole(JSON.parse(body).choices[0])
        else assert.ok('error' in JSON.parse(body))
        assertWholeStream((await complete(address, true, `${QUESTION} ${name}`)).body)
      }))
  }
})

function assertWholeStream(body: string): void {
  const events = body.split('\n\n').filter((event) => event !== '')
  const payloads = events.map((event) => event.replace(/^data: /, ''))
  const parts = payloads.filter((event) => event.startsWith('{')).map((event) => JSON.parse(event))
  const text = parts.map((part) => part.choices?.[0]?.delta?.content ?? '').join('')
  const finish_reason = parts.map((part) => part.choices?.[0]?.finish_reason ?? '').findLast((reason) => reason !== '')
  if (payloads.includes('[DONE]')) assertWhole({ message: { content: text }, finish_reason })
  else assert.ok('error' in parts.at(-1), body)
}

test('on /v1 a broken stream is continued or is an error, never a truncated success; Retry-After is passed on', async () => {
  await using server = await open()
  server.simulator.faults({ fault: 'cut', afterTokens: 12, times: 1 })
  const mended = await complete(server.address, false)
  assert.equal(mended.response.status, 200)
  assert.ok(mended.body.includes(JSON.stringify(ANSWER).slice(1, -1)))
  server.simulator.heal()
  server.simulator.faults({ fault: 'cut', afterTokens: 12 })
  assert.equal((await complete(server.address, false)).response.status, 502)
  const streamed = await complete(server.address, true)
  assert.ok(!streamed.body.includes('[DONE]') && streamed.body.includes('"error"'), streamed.body)
  await using throttled = await open()
  throttled.simulator.faults({ fault: 'error', error: 'throttled', retryAfterSeconds: 77 })
  const response = await fetch(`${throttled.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer guest' },
    body: JSON.stringify({ model: 'primary', messages: [{ role: 'user', content: QUESTION }] }),
  })
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '77'])
})

test('on REST the partial answer is returned at the deadline, marked as partial, and stored so', async () => {
  // The whole answer would take longer than the deadline.
  await using server = await open({}, { ...SAME, tokensPerSecond: 2 })
  const response = await fetch(`${server.address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requestId: 'r1', message: QUESTION }),
  })
  const { data } = (await response.json()) as { data: { text: string; finishReason: string; sessionId: string } }
  assert.deepEqual([response.status, data.finishReason], [200, 'timeout'])
  assert.ok(data.text !== '' && data.text !== ANSWER && ANSWER.startsWith(data.text), data.text)
  const headers = { cookie: String(response.headers.get('set-cookie')).split(';')[0] ?? '' }
  const kept = await (await fetch(`${server.address}/api/sessions/${data.sessionId}`, { headers })).text()
  assert.ok(kept.includes('"timeout"') && kept.includes(JSON.stringify(data.text).slice(1, -1)), kept)
})

test('a fresh cached answer is given to another guest, and during an outage a stale one, marked as such', async () => {
  await using server = await open({ MANGA_ANSWERS__FRESHMS: String(FRESH_MS) })
  const first = await server.ask('送料はいくらですか？')
  assert.deepEqual([first.done.tier, first.text], ['primary', ANSWER])
  const other = new SocketClient(`${server.address.replace('http', 'ws')}/ws`)
  await other.until('ready')
  const askAgain = async (count: number) => {
    other.send({ type: 'chat', requestId: `o${count}`, message: '送料はいくらですか？' })
    const done = await other.until('done', count)
    return { done, meta: other.of('meta').findLast(({ turnId }) => turnId === done.turnId) }
  }
  const again = await askAgain(1)
  assert.deepEqual([again.done.tier, again.meta?.cached, again.meta?.degraded], ['cached', true, false])
  assert.equal(again.done.costMicroUsd, 0)
  other.socket.terminate()
  server.simulator.faults({ fault: 'error', error: 'unavailable' })
  const staleAt = clock.now() + FRESH_MS
  await waitUntil('the answer is stale', () => clock.now() >= staleAt)
  const third = new SocketClient(`${server.address.replace('http', 'ws')}/ws`)
  await third.until('ready')
  third.send({ type: 'chat', requestId: 't1', message: '送料はいくらですか？' })
  const done = await third.until('done')
  const [meta] = third.of('meta')
  assert.deepEqual([done.tier, meta?.cached, meta?.degraded, meta?.confidence], ['cached', true, true, 0.5])
  third.socket.terminate()
})

test('with every connection in use a turn waits in the queue with its position; a stop leaves the queue', async () => {
  // Long enough for two answers, one after the other.
  const own = {
    MANGA_LADDER: 'primary',
    MANGA_MODELS__PRIMARY__CONNECTIONSMAX: '1',
    MANGA_ANSWERS__FIRSTWORDMS: '10000',
  }
  await using server = await open(own)
  server.simulator.faults({ fault: 'slow-first-token', ms: 1500 })
  const others = await Promise.all(
    [1, 2].map(async (number) => {
      const client = new SocketClient(`${server.address.replace('http', 'ws')}/ws`)
      await client.until('ready')
      return { client, ask: () => client.send({ type: 'chat', requestId: 'o', message: `${QUESTION} ${number}` }) }
    }),
  )
  const first = server.ask()
  await waitUntil('the model is asked', () => server.simulator.attempts().length > 0)
  for (const { ask } of others) ask()
  const [waiting, leaving] = others.map(({ client }) => client)
  assert.ok(waiting !== undefined && leaving !== undefined)
  const { turnId, position } = await leaving.until('queued')
  assert.ok(position >= 1 && (await waiting.until('queued')).etaMs > 0)
  leaving.send({ type: 'stop', turnId })
  assert.equal((await leaving.until('done')).finishReason, 'stopped')
  assert.deepEqual([(await first).text, (await waiting.until('done')).finishReason], [ANSWER, 'stop'])
  assert.equal(server.simulator.attempts().length, 2)
  const metrics = await (await fetch(`${server.address}/metrics`)).text()
  for (const outcome of ['permit', 'cancelled']) {
    const waits = `mangaassist_lane_queue_wait_seconds_count\\{lane="primary",outcome="${outcome}"\\}`
    assert.match(metrics, new RegExp(`^${waits} 1$`, 'm'))
  }
  assert.match(metrics, /^mangaassist_lane_permit_requests_total\{lane="primary",outcome="permit"\} 2$/m)
  for (const { client } of others) client.socket.terminate()
})

test('a deferred question is answered in its conversation when a model is available', async () => {
  await using server = await open()
  server.simulator.faults({ fault: 'error', error: 'throttled' })
  const { done } = await server.ask()
  assert.equal(done.finishReason, 'deferred')
  server.simulator.heal()
  const later = await server.client.until('done', 2)
  assert.deepEqual([later.finishReason, later.tier === 'primary' || later.tier === 'economy'], ['stop', true])
  assert.notEqual(later.turnId, done.turnId)
  assert.equal(server.client.of('accepted').at(-1)?.sessionId, server.client.of('accepted')[0]?.sessionId)
})
