// `npm run bench -- repeats`: three real nodes on one real Redis that pauses for 60 ms to 3 s every few seconds, and
// shoppers who repeat requests on other nodes meanwhile, by JSON and by event stream. Fails unless every key led to one
// turn and every conversation shows each question once, in the order it was asked. MINUTES (2), SHOPPERS (8), SEED.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededFloats } from '../packages/server/src/lib/collections/seeded-floats.ts'
import { startRedis } from '../packages/server/test/fixtures/stores/redis-server.ts'
import { crowd } from './servers/crowd.ts'

const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
const NODES = 3
const PAUSE_MS_MIN = 60
const PAUSE_MS_MAX = 3000
const REQUESTS_MAX = 12
const TURNS_OF_CONVERSATION = 6
const SETTLED_AFTER_MS = 20_000
const READS_MAX = 20
const READ_AGAIN_MS = 500
const float = seededFloats(String(setting('SEED', 1)))
const between = (from: number, to: number) => from + float() * (to - from)
const root = resolve(import.meta.dirname, '..')

const counts = { keys: 0, requests: 0, joined: 0, pauses: 0, pausedMs: 0 }
const refusals = new Map<string, number>()
const twice: string[] = []
const wrong: string[] = []
const conversations: { cookie: string; sessionId: string; asked: string[] }[] = []

const redis = await startRedis({ args: ['--appendonly', 'yes'] })
const dataDir = await mkdtemp(join(tmpdir(), 'mangaassist-repeats-'))

async function startNode(number: number): Promise<{ child: ChildProcess; address: string }> {
  const child = fork(join(root, 'packages/server/bin/mangaassist.js'), ['serve'], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      ...crowd,
      PORT: '0',
      DATA_DIR: join(dataDir, String(number)),
      MANGA_SERVER__LOGLEVEL: 'error',
      MANGA_STATE__REDIS: redis.url,
      MANGA_STATE__ALONE__INPUTTOKENSPERUSER: '100000000',
      MANGA_STATE__ALONE__OUTPUTTOKENSPERUSER: '100000000',
      MANGA_TIERS__FREE__REQUESTSPERMINUTE: '100000',
      MANGA_TIERS__FREE__INPUTTOKENSPERDAY: '100000000',
      MANGA_TIERS__FREE__OUTPUTTOKENSPERDAY: '100000000',
      MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
      MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '60',
      MANGA_ANSWERS__FRESHMS: '1',
      MANGA_ANSWERS__FOLLOWMS: '1',
    },
  })
  let output = ''
  const address = await new Promise<string>((ready, failed) => {
    child.stdout?.on('data', (data: Buffer) => {
      output += data.toString()
      const [, found] = /ready at (http:\S+)/.exec(output) ?? []
      if (found !== undefined) ready(found)
    })
    void once(child, 'exit').then(() => failed(new Error(`a node ended: ${output}`)))
  })
  return { child, address }
}

const nodes = await Promise.all(Array.from({ length: NODES }, (_, number) => startNode(number)))
const endsAt = performance.now() + setting('MINUTES', 2) * 60_000
const anyNode = (but?: string) => {
  const others = nodes.map(({ address }) => address).filter((address) => address !== but)
  return others[Math.floor(float() * others.length)] ?? ''
}

async function pauseNowAndThen(): Promise<void> {
  const operator = connect(redis.port, '127.0.0.1')
  operator.resume()
  while (performance.now() < endsAt) {
    await sleep(between(1000, 8000))
    const ms = Math.round(PAUSE_MS_MIN * (PAUSE_MS_MAX / PAUSE_MS_MIN) ** float())
    operator.write(`CLIENT PAUSE ${ms} ALL\r\n`)
    counts.pauses += 1
    counts.pausedMs += ms
  }
  operator.destroy()
}

interface Question {
  readonly key: string
  readonly message: string
  readonly sessionId: string | undefined
  readonly cookie: string
  requests: number
  readonly turns: Map<string, string>
}

/** Sends once; returns the wait before the next try, or undefined when it was accepted. */
async function send(question: Question, address: string, signal?: AbortSignal): Promise<number | undefined> {
  question.requests += 1
  counts.requests += 1
  const streams = float() < 0.5
  const response = await fetch(`${address}/api/chat`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-attempt': String(question.requests),
      cookie: question.cookie,
      ...(streams ? { accept: 'text/event-stream' } : {}),
    },
    body: JSON.stringify({
      message: question.message,
      idempotencyKey: question.key,
      ...(question.sessionId === undefined ? {} : { sessionId: question.sessionId }),
    }),
    ...(signal === undefined ? {} : { signal }),
  })
  const text = await response.text()
  if (!response.ok) {
    const { error } = JSON.parse(text) as { error: { code: string; retryAfterMs?: number } }
    refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1)
    return Math.min(5000, error.retryAfterMs ?? 1000)
  }
  const [, turnId = ''] = /"turnId":"([^"]+)"/.exec(text) ?? []
  const [, sessionId = ''] = /"sessionId":"([^"]+)"/.exec(text) ?? []
  if (text.includes('"duplicate":true')) counts.joined += 1
  question.turns.set(turnId, sessionId)
  return undefined
}

/** Sends until it is accepted; a request whose sender disconnects still counts as sent. */
async function sendUntilTaken(question: Question, address: string, hangUpAfterMs: number): Promise<void> {
  let to = address
  for (let tries = 0; tries < REQUESTS_MAX; tries += 1) {
    const signal = tries === 0 && hangUpAfterMs > 0 ? AbortSignal.timeout(hangUpAfterMs) : undefined
    const waitMs = await send(question, to, signal).catch(() => 0)
    if (waitMs === undefined) return
    await sleep(waitMs)
    to = anyNode(to)
  }
}

async function ask(cookie: string, message: string, sessionId: string | undefined): Promise<string | undefined> {
  counts.keys += 1
  const question: Question = {
    key: `k${counts.keys}`,
    message,
    sessionId,
    cookie,
    requests: 0,
    turns: new Map(),
  }
  const first = anyNode()
  const again = async () => {
    await sleep(between(1, 1500))
    await sendUntilTaken(question, anyNode(first), 0)
  }
  const hangUpAfterMs = float() < 0.5 ? Math.round(between(20, 1200)) : 0
  await Promise.all([sendUntilTaken(question, first, hangUpAfterMs), again(), ...(float() < 0.5 ? [again()] : [])])
  if (question.turns.size > 1) twice.push(`${question.key}: ${[...question.turns.keys()].join(', ')}`)
  return [...question.turns.values()][0]
}

async function shop(number: number): Promise<void> {
  const hello = await fetch(`${anyNode()}/api/quota`)
  const cookie = hello.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  while (performance.now() < endsAt) {
    let sessionId: string | undefined
    const asked: string[] = []
    for (let turn = 0; turn < TURNS_OF_CONVERSATION && performance.now() < endsAt; turn += 1) {
      const message = `Something dark, please. ${number}-${counts.keys}`
      const session = await ask(cookie, message, sessionId)
      if (session === undefined) break
      sessionId ??= session
      if (session === sessionId) asked.push(message)
    }
    if (sessionId !== undefined) conversations.push({ cookie, sessionId, asked })
  }
}

interface ShownTurn {
  readonly turnId: string
  readonly question: string
}

/**
 * A node on a busy machine may consider its Redis late and refuse the read, which says nothing about the stored data.
 */
async function turnsOf(sessionId: string, cookie: string): Promise<readonly ShownTurn[]> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${anyNode()}/api/sessions/${sessionId}`, { headers: { cookie } })
    const body = await response.text()
    if (response.ok) return (JSON.parse(body) as { data: { turns: readonly ShownTurn[] } }).data.turns
    if (tries === READS_MAX) throw new Error(`${sessionId} cannot be read: ${response.status} ${body}`)
    await sleep(READ_AGAIN_MS)
  }
}

await Promise.all([pauseNowAndThen(), ...Array.from({ length: setting('SHOPPERS', 8) }, (_, number) => shop(number))])
await sleep(SETTLED_AFTER_MS)
for (const { asked, cookie, sessionId } of conversations) {
  const turns = await turnsOf(sessionId, cookie)
  if (turns.map(({ question }) => question).join('\n') === asked.join('\n')) continue
  const shown = turns.map(({ question, turnId }) => `${question} (${turnId})`)
  wrong.push(`${sessionId}:\n  asked ${asked.join(', ')}\n  shown ${shown.join(', ')}`)
}
const metrics = await Promise.all(nodes.map(async ({ address }) => (await fetch(`${address}/metrics`)).text()))
const counted = (name: string) =>
  metrics
    .flatMap((text) => text.match(new RegExp(`^${name}\\S* (\\d+)`, 'gm')) ?? [])
    .map((line) => Number(line.split(' ')[1]))
for (const { child } of nodes) child.kill('SIGKILL')
await redis[Symbol.asyncDispose]()
await rm(dataDir, { recursive: true, force: true })

const refused = [...refusals].map(([code, count]) => `${count} ${code}`).join(', ') || 'none'
console.log(`${counts.keys} keys, ${counts.requests} requests, ${counts.joined} joined; refused: ${refused}`)
console.log(
  `${counts.pauses} pauses, ${Math.round(counts.pausedMs / 1000)} s in all; ${conversations.length} conversations`,
)
console.log(
  `granted alone: ${counted('mangaassist_budget_standalone_granted_total').reduce((sum, count) => sum + count, 0)}`,
)
console.log(`keys that led to two turns: ${twice.length}; conversations that show something else: ${wrong.length}`)
for (const what of [...twice, ...wrong].slice(0, 20)) console.log(what)
if (twice.length + wrong.length > 0) process.exitCode = 1
