// The webhook against a real HTTP server: what it receives, what is retried and what is not, and that retries end.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { handoverContract } from '#ports/handover/contract.ts'
import type { Clock } from '#ports/clock/port.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { httpHandover } from './handover.ts'

type Answer = (response: ServerResponse, times: number) => void

const OK: Answer = (response) => response.writeHead(204).end()
const CALL = { turnId: 'turn_1', sessionId: 'sess_1', language: 'en', reason: 'timeout', question: 'secret' } as const

/** Waits return at once; the test records how long they would have been. */
function hasty(): Clock & { readonly slept: number[] } {
  const clock = systemClock()
  const slept: number[] = []
  const sleep = async (ms: number) => void slept.push(ms)
  return { ...clock, slept, sleep }
}

async function webhook(context: TestContext, answer: Answer) {
  const arrived: { readonly body: unknown; readonly headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      arrived.push({ body: JSON.parse(Buffer.concat(pieces).toString()), headers: request.headers })
      answer(response, arrived.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hook?key=s3cret`
  const clock = hasty()
  const telemetry = memoryTelemetry()
  const shared = { url, clock, telemetry, random: seededRandom(1) }
  const limits = { withText: false, deadlineMs: 5000, triesMax: 3, underWayMax: 4 }
  const handover = (over: Partial<typeof limits> = {}) => httpHandover({ ...shared, ...limits, ...over })
  return { arrived, clock, handover, telemetry, url }
}

handoverContract('http handover', async (context, options) => {
  const { arrived, handover } = await webhook(context, OK)
  return { handover: handover(options), arrived: () => arrived.map(({ body }) => body) }
})

test('a repeat is recognised by its idempotency key', async (context) => {
  const { arrived, handover } = await webhook(context, OK)
  await handover().call(CALL)
  assert.equal(arrived[0]?.headers['idempotency-key'], 'turn_1')
  assert.equal(arrived[0]?.headers['content-type'], 'application/json')
})

test('a transient failure is retried with growing pauses, a limited number of times', async (context) => {
  const passing = await webhook(context, (response, times) => response.writeHead(times < 3 ? 503 : 200).end('thanks'))
  assert.equal(await passing.handover().call(CALL), 'delivered')
  assert.equal(passing.arrived.length, 3)
  const lasting = await webhook(context, (response) => response.writeHead(429).end())
  assert.equal(await lasting.handover().call(CALL), 'gave-up')
  assert.equal(lasting.arrived.length, 3)
  const [first = 0, second = 0] = lasting.clock.slept
  assert.ok(first >= 250 && second >= 500 && lasting.clock.slept.length === 2)
})

test('a refusal or a redirect is not retried', async (context) => {
  const refused = await webhook(context, (response) => response.writeHead(404).end())
  assert.equal(await refused.handover().call(CALL), 'gave-up')
  assert.equal(refused.arrived.length, 1)
  const elsewhere = await webhook(context, (response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
  )
  assert.equal(await elsewhere.handover({ triesMax: 1 }).call(CALL), 'gave-up')
})

test('a call that is never answered is abandoned, and its slot becomes free', async (context) => {
  const { arrived, handover } = await webhook(context, () => {})
  const slow = handover({ deadlineMs: 500, triesMax: 2, underWayMax: 1 })
  assert.equal(await slow.call(CALL), 'gave-up')
  assert.deepEqual([arrived.length, slow.isFree()], [2, true])
})

test('an unreachable server is logged without its address', async (context) => {
  const { handover, telemetry, url } = await webhook(context, (response) => response.destroy())
  assert.equal(await handover().call(CALL), 'gave-up')
  const logged = JSON.stringify(telemetry.logged.map(({ cause, ...entry }) => ({ ...entry, cause: String(cause) })))
  assert.match(logged, /handover\.failed/)
  for (const secret of ['s3cret', url, 'secret']) assert.ok(!logged.includes(secret))
})
