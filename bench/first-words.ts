// Time to the first words of a real answer: the server as `npm start` runs it, real questions over SSE, two shoppers at
// a time. Prints the distribution; the aim is 300 ms at p95.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const SHOPPERS = Number(process.env['CONCURRENT'] ?? 2)
const ROUNDS = Number(process.env['ROUNDS'] ?? 4)

async function start(dataDir: string) {
  const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, MANGA_SERVER__LOGLEVEL: 'silent' }
  const server = spawn(process.execPath, [join(ROOT, 'packages/server/bin/mangaassist.js'), 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const began = performance.now()
  for await (const text of server.stdout) {
    const address = /ready at (http:\S+)/u.exec(String(text))?.[1]
    if (address !== undefined) return { server, address, readyMs: performance.now() - began }
  }
  throw new Error('the server did not start')
}

/** Each question comes from its own guest, so that no rate limit applies. */
async function firstWords(address: string, message: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(`${address}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ message }),
  })
  let first: number | undefined
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString()
    if (first === undefined && text.includes('event: chunk')) first = performance.now() - began
  }
  if (first === undefined) throw new Error(`no words for: ${message}\n${text}`)
  return first
}

const dataDir = await mkdtemp(join(tmpdir(), 'mangaassist-bench-'))
const { server, address, readyMs } = await start(dataDir)
const questions = (await readFile(join(ROOT, 'packages/bookseller/evaluation/grounded-questions.txt'), 'utf8'))
  .trim()
  .split('\n')
const queue = Array.from({ length: ROUNDS }, () => questions).flat()
const times: number[] = []
const shopper = async () => {
  for (let question = queue.shift(); question !== undefined; question = queue.shift()) {
    times.push(await firstWords(address, question))
  }
}
await Promise.all(Array.from({ length: SHOPPERS }, shopper))
server.kill()
await rm(dataDir, { recursive: true, force: true })
times.sort((a, b) => a - b)
const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)
console.log(`ready in ${readyMs.toFixed(0)} ms; ${times.length} answers, ${SHOPPERS} at a time`)
console.log(`first words p50 ${at(0.5)} ms · p95 ${at(0.95)} ms · p99 ${at(0.99)} ms · slowest ${at(1)} ms`)
