// The webhook for alarms against a real HTTP server: the contract, the two formats, and that tries end.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { systemClock } from '#adapters/system/clock.ts'
import { alarmSenderContract, SAMPLE_MESSAGE } from '#ports/alarm-sender/contract.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { alarmWebhook } from './alarm-webhook.ts'

async function receiver(context: TestContext, statusOf: (times: number) => number) {
  const bodies: string[] = []
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      bodies.push(Buffer.concat(pieces).toString())
      keys.push(request.headers['idempotency-key'])
      response.writeHead(statusOf(bodies.length)).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const slept: number[] = []
  // Pauses return at once.
  const clock = { ...systemClock(), sleep: async (ms: number) => void slept.push(ms) }
  const url = `http://127.0.0.1:${port}/hook?key=s3cret`
  const sender = (format: 'json' | 'slack' = 'json') =>
    alarmWebhook({ name: 'desk', format, url, clock, random: seededRandom(1), deadlineMs: 5000, triesMax: 3 })
  return { bodies, keys, sender, slept }
}

alarmSenderContract('webhook', async (context) => {
  const taking = await receiver(context, () => 204)
  const refusing = await receiver(context, () => 403)
  return { sender: taking.sender(), received: () => taking.bodies.join(), refused: refusing.sender(), secret: 's3cret' }
})

test('the generic format is the whole message, recognised by its key', async (context) => {
  const { bodies, keys, sender } = await receiver(context, () => 200)
  await sender().send(SAMPLE_MESSAGE)
  assert.deepEqual(JSON.parse(bodies[0] ?? ''), SAMPLE_MESSAGE)
  assert.deepEqual(keys, [SAMPLE_MESSAGE.key])
})

test('the Slack format has a text, blocks and the runbook, and escapes its markup', async (context) => {
  const { bodies, sender } = await receiver(context, () => 200)
  const text = 'ALARM [page] <b>&\n- lane=primary 61 s\nWhat to do: https://wiki.example/lane-down.md'
  await sender('slack').send({ ...SAMPLE_MESSAGE, text, runbook: 'https://wiki.example/lane-down.md' })
  assert.deepEqual(JSON.parse(bodies[0] ?? ''), {
    text: 'ALARM [page] &lt;b&gt;&amp;',
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: '*ALARM [page] &lt;b&gt;&amp;*' } },
      { type: 'section', text: { type: 'mrkdwn', text: '- lane=primary 61 s' } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: '<https://wiki.example/lane-down.md>' }] },
    ],
  })
})

test('a transient failure is tried again, with pauses, and a refusal is not', async (context) => {
  const passing = await receiver(context, (times) => (times < 3 ? 503 : 200))
  assert.deepEqual(await passing.sender().send(SAMPLE_MESSAGE), { outcome: 'delivered' })
  assert.deepEqual([passing.bodies.length, passing.slept.length], [3, 2])
  const refusing = await receiver(context, () => 410)
  assert.deepEqual(await refusing.sender().send(SAMPLE_MESSAGE), { outcome: 'failed', reason: 'status 410' })
  assert.equal(refusing.bodies.length, 1)
  const lasting = await receiver(context, () => 500)
  assert.deepEqual(await lasting.sender().send(SAMPLE_MESSAGE), { outcome: 'failed', reason: 'status 500' })
  assert.equal(lasting.bodies.length, 3)
})
