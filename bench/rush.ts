// `npm run bench -- rush`: one real node on a healthy Redis, QUESTIONS (500) asked at once by a guest each, in ROUNDS
// (3). Fails if the node reported a Redis call as late or refused a question as `state-unavailable`: all waiting here
// is caused by the node itself.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startRedis } from '../packages/server/test/fixtures/stores/redis-server.ts'
import { crowd } from './servers/crowd.ts'

const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
const QUESTIONS = setting('QUESTIONS', 500)
const ROUNDS = setting('ROUNDS', 3)
const root = resolve(import.meta.dirname, '..')

const redis = await startRedis()
const dataDir = await mkdtemp(join(tmpdir(), 'mangaassist-rush-'))
const node = fork(join(root, 'packages/server/bin/mangaassist.js'), ['serve'], {
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  env: {
    PATH: process.env['PATH'],
    ...crowd,
    PORT: '0',
    DATA_DIR: dataDir,
    MANGA_SERVER__LOGLEVEL: 'error',
    MANGA_STATE__REDIS: redis.url,
    MANGA_ANSWERS__FRESHMS: '1',
    MANGA_ANSWERS__FOLLOWMS: '1',
  },
})
const address = await ready()
let failures = 0
for (let round = 1; round <= ROUNDS; round += 1) await ask(round)
node.kill('SIGKILL')
await redis[Symbol.asyncDispose]()
await rm(dataDir, { recursive: true, force: true })
process.exitCode = failures === 0 ? 0 : 1

async function ready(): Promise<string> {
  let output = ''
  return new Promise((found, failed) => {
    node.stdout?.on('data', (data: Buffer) => {
      output += data.toString()
      const [, at] = /ready at (http:\S+)/.exec(output) ?? []
      if (at !== undefined) found(at)
    })
    void once(node, 'exit').then(() => failed(new Error(`the node ended: ${output}`)))
  })
}

async function ask(round: number): Promise<void> {
  const before = await counted()
  const from = performance.now()
  const all = await Promise.all(Array.from({ length: QUESTIONS }, (_, number) => question(`${round}-${number}`)))
  const tookMs = performance.now() - from
  const after = await counted()
  const outcomes = new Map<string, number>()
  for (const outcome of all) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  const late = after.late - before.late
  const notAsked = after.notAsked - before.notAsked
  failures += late + notAsked + (outcomes.get('state-unavailable') ?? 0)
  const shown = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
  console.log(
    `round ${round}: ${shown} in ${(tookMs / 1000).toFixed(1)} s; Redis calls late ${late}, not made ${notAsked}`,
  )
}

async function question(name: string): Promise<string> {
  const response = await fetch(`${address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-attempt': '1' },
    body: JSON.stringify({ message: `Something dark, please. ${name}`, idempotencyKey: `k-${name}` }),
  }).catch(() => undefined)
  if (response === undefined) return 'cut'
  const text = await response.text()
  if (response.ok) return 'answered'
  const { error } = JSON.parse(text) as { error: { code: string; details?: { reason?: string } } }
  return error.details?.reason ?? error.code
}

async function counted(): Promise<{ late: number; notAsked: number }> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const sum = (name: string) =>
    (text.match(new RegExp(`^${name}(\\{.*\\})? \\d+`, 'gm')) ?? []).reduce(
      (all, line) => all + Number(line.split(' ').at(-1)),
      0,
    )
  return { late: sum('mangaassist_redis_call_timeout_total'), notAsked: sum('mangaassist_redis_call_refused_total') }
}
