// A rolling deploy, forwards and back: nodes of the previous version and of this one serve the same shoppers on the same Redis.
// Each reads what the other wrote: conversations, running answers, keys, budgets, ledger; and takes over the other's turns.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { systemClock } from '#adapters/system/clock.ts'
import { applyChunks, checkPromise } from '#fixtures/edge/socket-client.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import type { RedisServer } from '#fixtures/stores/redis-server.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { SLOWLY, startServer, temporaryFolder } from '../e2e/server-process.ts'
import { checkOutPreviousVersion, hasPreviousVersion, previousCommit } from './previous-version.ts'
import type { PreviousVersion } from './previous-version.ts'

const QUESTION = '進撃の巨人が好きなら次は何を読む？'
const ADMIN = 'maa_of_the_rolling_test'
const skip = hasPreviousVersion() ? false : `the history of this clone lacks ${previousCommit}`
const VERSIONS = ['previous', 'this'] as const
type Version = (typeof VERSIONS)[number]
type Node = Awaited<ReturnType<typeof startServer>>

let redis: RedisServer | undefined
let previous: PreviousVersion | undefined
before(async () => {
  if (skip !== false) return
  redis = await startRedis()
  previous = checkOutPreviousVersion()
})
after(async () => {
  await redis?.[Symbol.asyncDispose]()
  previous?.[Symbol.dispose]()
})

async function startNode(version: Version, more: Readonly<Record<string, string>> = {}): Promise<Node> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const env = {
    ...SLOWLY,
    MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '30',
    MANGA_ANSWERS__FRESHMS: '1',
    MANGA_ANSWERS__FOLLOWMS: '1',
    MANGA_STATE__REDIS: redis?.url ?? '',
    MANGA_STATE__CALLMS: '10000',
    MANGA_TURNS__LEASEMS: '2000',
    MANGA_TURNS__RENEWMS: '500',
    MANGA_TURNS__ORPHANSCANMS: '300',
    MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'rolling', hash: secretHash(ADMIN) }]),
    ...more,
  }
  const bin = version === 'previous' ? { bin: previous?.bin ?? '' } : {}
  const server = opened.use(await startServer({ dataDir: folder.path, env, ...bin }))
  const keep = opened.move()
  return { ...server, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}

async function get<Data>({ address }: Node, path: string, headers: Record<string, string>): Promise<Data> {
  const response = await fetch(`${address}${path}`, { headers })
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`)
  return ((await response.json()) as { data: Data }).data
}

interface Conversation {
  readonly version: number
  readonly turns: readonly { readonly question: string; readonly answer: string }[]
}

for (const one of VERSIONS) {
  const other = one === 'this' ? 'previous' : 'this'

  suite(`${one} version beside the ${other} one`, { skip, concurrency: true }, () => {
    test('a conversation continues on the other version, and both show all of it', async () => {
      await using first = await startNode(one)
      await using second = await startNode(other)
      const guest = await first.connect()
      guest.send({ type: 'chat', requestId: 'r1', message: QUESTION })
      const { sessionId } = await guest.until('done').then(() => guest.until('accepted'))
      const answers = [guest.answer((await guest.until('accepted')).turnId)]
      for (const [index, node] of [second, first, second].entries()) {
        const device = await node.connect(guest.cookie)
        device.send({ type: 'chat', requestId: `r${index + 2}`, message: `もっと教えて ${index}`, sessionId })
        const { turnId } = await device.until('accepted')
        await device.until('done')
        answers.push(device.answer(turnId))
      }
      for (const node of [first, second]) {
        const { turns, version } = await get<Conversation>(node, `/api/sessions/${sessionId}`, { cookie: guest.cookie })
        assert.deepEqual([version, turns.map(({ answer }) => answer)], [4, answers])
      }
      const quotas = await Promise.all(
        [first, second].map((node) => get<object>(node, '/api/quota', { cookie: guest.cookie })),
      )
      assert.deepEqual(quotas[0], quotas[1])
      const rows = await Promise.all(
        [first, second].map((node) =>
          get<{ totals: object }>(node, `/api/admin/usage`, { authorization: `Bearer ${ADMIN}` }),
        ),
      )
      assert.deepEqual(rows[0]?.totals, rows[1]?.totals)
    })

    test('an answer is read on the other version while it is written, and its key leads there', async () => {
      await using writing = await startNode(one)
      await using reading = await startNode(other)
      const guest = await writing.connect()
      const asked = { type: 'chat', requestId: 'r1', message: QUESTION, idempotencyKey: 'rolling-key' }
      guest.send(asked)
      const { turnId } = await guest.until('accepted')
      await guest.until('chunk', 2)
      const half = applyChunks(guest.of('chunk'))
      const device = await reading.connect(guest.cookie)
      device.send({ type: 'resume', turnId, offset: half.length })
      device.send({ ...asked, requestId: 'again', attempt: 2 })
      const again = await device.until('accepted')
      assert.equal(again.turnId, turnId)
      const done = await device.until('done')
      await guest.until('done')
      assert.equal(device.answer(turnId, half), guest.answer(turnId))
      assert.equal(done.finishReason, 'stop')
    })

    test('a turn of a killed node is completed by the other version', async () => {
      await using dying = await startNode(one)
      await using living = await startNode(other)
      const guest = await dying.connect()
      guest.send({ type: 'chat', requestId: 'r1', message: QUESTION })
      const { turnId, sessionId } = await guest.until('accepted')
      await guest.until('chunk', 2)
      const half = applyChunks(guest.of('chunk'))
      await dying.kill()
      const device = await living.connect(guest.cookie)
      device.send({ type: 'resume', turnId, offset: half.length })
      const done = await device.until('done')
      const text = device.answer(turnId, half)
      checkPromise(text, done)
      assert.equal(done.finishReason, 'stop')
      const { turns } = await get<Conversation>(living, `/api/sessions/${sessionId}`, { cookie: guest.cookie })
      assert.deepEqual(
        turns.map(({ answer }) => answer),
        [text],
      )
    })
  })
}

class Refused extends Error {}

/** Rejects when the question is refused. */
async function refusalOf(device: Awaited<ReturnType<Node['connect']>>): Promise<never> {
  throw new Refused((await device.until('error')).code)
}

/** A shopper who asks one question after another, of any node that is there, and repeats a question until it is answered. */
async function shop(nodes: () => readonly Node[], isOver: () => boolean, number: number) {
  let cookie: string | undefined
  let sessionId: string | undefined
  let answered = 0
  for (let question = 0; !isOver(); question += 1) {
    const key = `shopper-${number}-${question}`
    for (let attempt = 1; ; attempt += 1) {
      assert.ok(attempt < 60, `${key} was never answered`)
      const list = nodes()
      const node = list[(number + question + attempt) % list.length] as Node
      try {
        const device = await node.connect(cookie)
        cookie ??= device.cookie
        const more = sessionId === undefined ? {} : { sessionId }
        device.send({
          type: 'chat',
          requestId: key,
          message: `${QUESTION} ${question}`,
          idempotencyKey: key,
          attempt,
          ...more,
        })
        const accepted = await Promise.race([device.until('accepted'), refusalOf(device)])
        sessionId = accepted.sessionId
        await device.until('done')
        device.answer(accepted.turnId)
        device.socket.close()
        answered += 1
        break
      } catch (error) {
        // The node drains, or its connection ended: the shopper sends the question again elsewhere.
        if (error instanceof assert.AssertionError) throw error
        await systemClock().sleep(250)
      }
    }
  }
  return { cookie: cookie ?? '', sessionId: sessionId ?? '', answered }
}

test('three nodes are replaced one by one, forwards and back, and no turn is lost or doubled', { skip }, async () => {
  await using opened = new AsyncDisposableStack()
  const quick = { MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '120' }
  const nodes = await Promise.all(Array.from({ length: 3 }, () => startNode('previous', quick)))
  opened.defer(async () => void (await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))))
  let isOver = false
  const shoppers = Array.from({ length: 6 }, (_, number) =>
    shop(
      () => [...nodes],
      () => isOver,
      number,
    ),
  )
  for (const version of ['this', 'previous'] as const) {
    for (const index of nodes.keys()) {
      const next = await startNode(version, quick)
      const old = nodes[index] as Node
      nodes[index] = next
      old.child.kill('SIGTERM')
      assert.deepEqual(await old.exited, { code: 0, signal: null }, old.stderr())
      await old[Symbol.asyncDispose]()
    }
  }
  isOver = true
  const shopped = await Promise.all(shoppers)
  for (const { answered, cookie, sessionId } of shopped) {
    assert.ok(answered > 0)
    const { turns } = await get<Conversation>(nodes[0] as Node, `/api/sessions/${sessionId}`, { cookie })
    const asked = turns.map(({ question }) => Number(question.replace(`${QUESTION} `, '')))
    assert.deepEqual(
      asked,
      Array.from({ length: answered }, (_, index) => index),
    )
  }
})
