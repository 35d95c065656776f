// Effect of one attacker on other shoppers: the time to the first word and to the whole answer while each attack runs
// against the server, compared with the same attack on a port that ignores it. The aim is at most twice at p95.
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { askMeasured, startMeasured } from './servers/measured-process.ts'
import type { MeasuredProcess } from './servers/measured-process.ts'

const ANSWERS = Number(process.env['ANSWERS'] ?? 100)
/** Both are measured alternately, so that other work on the machine affects both. */
const BLOCKS = Number(process.env['BLOCKS'] ?? 2)
const SETTLING_MS = 1000
/** Shoppers at the same time; each asks one question after the other. */
const SHOPPERS = 5
/** A longer wait is a failure of the attack's row, so that the run always ends. */
const FRAME_MS_MAX = 60_000
const RATIO_MAX = 2
/** Questions per conversation, since each conversation has its own budget. */
const CONVERSATION = 5
const ATTACKS = [
  'long-text',
  'long-text-that-passes',
  'digits',
  'broken-frames',
  'pings',
  'stops',
  'watches',
  'pipelined',
  'searches',
  'prompts',
  'person',
  'admin-tokens',
  'connections',
]
const QUESTIONS = [
  '進撃の巨人が好きなら次は何を読む？',
  'Something funny for a rainy day',
  '送料はいくらですか',
  '泣ける恋愛漫画を教えて',
  'Is One Piece finished?',
  '短くて完結している作品は？',
]

interface Timed {
  readonly firstMs: number
  readonly wholeMs: number
}

class Shopper {
  readonly #number: number
  readonly #socket: WebSocket
  #asked = 0
  #sessionId: string | undefined
  readonly #frames: ((frame: { type: string; sessionId?: string }) => void)[] = []

  constructor(address: string, number: number) {
    this.#number = number
    const headers = { authorization: 'Bearer sk-shopper' }
    this.#socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, 'mangaassist.v1', {
      headers,
      localAddress: '127.0.0.3',
    })
    this.#socket.on('error', () => {})
    this.#socket.on('message', (data: Buffer) => this.#frames[0]?.(JSON.parse(data.toString('utf8'))))
  }

  async ready(): Promise<void> {
    await this.#until('ready')
  }

  async ask(): Promise<Timed> {
    this.#asked += 1
    if (this.#asked % CONVERSATION === 0) this.#sessionId = undefined
    // The number makes the question unique, so that it is not cached.
    const message = `${QUESTIONS[this.#asked % QUESTIONS.length]} (${this.#number}-${this.#asked})`
    const session = this.#sessionId === undefined ? {} : { sessionId: this.#sessionId }
    const from = performance.now()
    const first = this.#until('chunk')
    this.#socket.send(JSON.stringify({ type: 'chat', requestId: `r${this.#asked}`, message, ...session }))
    await first
    const firstMs = performance.now() - from
    this.#sessionId = (await this.#until('done')).sessionId
    return { firstMs, wholeMs: performance.now() - from }
  }

  close(): void {
    this.#socket.terminate()
  }

  #until(type: string): Promise<{ sessionId?: string }> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) => {
        clearTimeout(timer)
        reject(new Error(why))
      }
      const closed = () => fail(`the connection was closed before ${type}`)
      const timer = setTimeout(() => fail(`no ${type} in ${FRAME_MS_MAX} ms`), FRAME_MS_MAX)
      this.#socket.once('close', closed)
      this.#frames[0] = (frame) => {
        if (frame.type === 'error') fail(JSON.stringify(frame))
        if (frame.type !== type) return
        clearTimeout(timer)
        this.#socket.off('close', closed)
        resolve(frame)
      }
    })
  }
}

function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN
}

async function answersUnder(attack: string, target: string, shoppers: readonly Shopper[], count: number) {
  const { child } = await startMeasured('attacker', { ATTACK: attack, TARGET: target })
  try {
    await sleep(SETTLING_MS)
    const times: Timed[] = []
    const askOn = async (shopper: Shopper) => {
      for (let answer = 0; answer < Math.ceil(count / SHOPPERS); answer += 1) times.push(await shopper.ask())
    }
    await Promise.all(shoppers.map(askOn))
    return { times, counts: await askMeasured<{ sent: number; refused: number; cut: number }>(child) }
  } finally {
    child.disconnect()
  }
}

async function measure(attack: string): Promise<boolean> {
  const shop = await startMeasured('shop')
  const dummy = await startMeasured('dummy')
  const shoppers = Array.from({ length: SHOPPERS }, (_, index) => new Shopper(shop.address, index))
  try {
    return await compare(attack, { shop, dummy, shoppers })
  } catch (error) {
    console.log(`✗ ${attack.padEnd(22)} failed: ${error instanceof Error ? error.message : String(error)}`)
    return false
  } finally {
    for (const shopper of shoppers) shopper.close()
    for (const { child } of [shop, dummy]) if (child.connected) child.disconnect()
  }
}

interface Scene {
  readonly shop: MeasuredProcess
  readonly dummy: MeasuredProcess
  readonly shoppers: readonly Shopper[]
}

async function compare(attack: string, { shop, dummy, shoppers }: Scene): Promise<boolean> {
  await Promise.all(shoppers.map((shopper) => shopper.ready()))
  for (let warm = 0; warm < 3; warm += 1) await Promise.all(shoppers.map((shopper) => shopper.ask()))
  const idle: Timed[] = []
  const attacked: Timed[] = []
  let sent = ''
  for (let block = 0; block < BLOCKS; block += 1) {
    idle.push(...(await answersUnder(attack, dummy.address, shoppers, ANSWERS / BLOCKS)).times)
    const { times, counts } = await answersUnder(attack, shop.address, shoppers, ANSWERS / BLOCKS)
    attacked.push(...times)
    sent = `${counts.sent} sent, ${counts.refused} refused, ${counts.cut} cut in the last block`
  }
  const figures = (['firstMs', 'wholeMs'] as const).map((of) => {
    const [calm, busy] = [p95(idle.map((time) => time[of])), p95(attacked.map((time) => time[of]))]
    return { calm, busy, ratio: busy / calm }
  })
  const shown = figures.map(
    ({ busy, calm, ratio }) => `${calm.toFixed(0)} → ${busy.toFixed(0)} ms (${ratio.toFixed(2)})`,
  )
  const isFine = figures.every(({ ratio }) => ratio <= RATIO_MAX)
  console.log(`${isFine ? '✓' : '✗'} ${attack.padEnd(22)} first word ${shown[0]} · whole ${shown[1]} · ${sent}`)
  return isFine
}

const wanted = process.argv.slice(2)
console.log(`p95 of ${ANSWERS} answers, attacker at a dummy port → attacker at the server`)
let failed = 0
for (const attack of wanted.length > 0 ? wanted : ATTACKS) if (!(await measure(attack))) failed += 1
process.exitCode = failed === 0 ? 0 : 1
