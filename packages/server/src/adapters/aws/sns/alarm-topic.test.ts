// SNS against a stub that speaks its wire: the contract, the exact call, what is tried again and what is not.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { systemClock } from '#adapters/system/clock.ts'
import { alarmSenderContract, SAMPLE_MESSAGE } from '#ports/alarm-sender/contract.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { alarmTopic } from './alarm-topic.ts'

const TOPIC = 'arn:aws:sns:ap-northeast-1:123456789012:alarms'
const TAKEN = `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>m-1</MessageId></PublishResult><ResponseMetadata><RequestId>r-1</RequestId></ResponseMetadata></PublishResponse>`
const failure = (code: string) =>
  `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error><RequestId>r-1</RequestId></ErrorResponse>`

interface Reply {
  readonly status: number
  readonly body: string
}

async function stub(context: TestContext, replyTo: (times: number) => Reply) {
  const calls: { readonly body: URLSearchParams; readonly authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = new URLSearchParams(Buffer.concat(pieces).toString())
      calls.push({ body, authorization: request.headers.authorization })
      const reply = replyTo(calls.length)
      response.writeHead(reply.status, { 'content-type': 'text/xml' }).end(reply.body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const sender = alarmTopic({
    name: 'topic',
    topicArn: TOPIC,
    region: 'ap-northeast-1',
    baseURL: `http://127.0.0.1:${port}`,
    credentials: { kind: 'keys', accessKeyId: 'AKIATEST', secretAccessKey: 's3cret' },
    // Pauses return at once.
    clock: { ...systemClock(), sleep: async () => {} },
    random: seededRandom(1),
    deadlineMs: 10_000,
    triesMax: 3,
    limits: { connectMs: 5000, connectionsMax: 2 },
  })
  context.after(() => sender[Symbol.dispose]())
  return { calls, sender }
}

alarmSenderContract('sns topic', async (context) => {
  const taking = await stub(context, () => ({ status: 200, body: TAKEN }))
  const refusing = await stub(context, () => ({ status: 403, body: failure('AuthorizationError') }))
  const received = () => taking.calls.map(({ body }) => [...body.values()].join('\n')).join('\n')
  return { sender: taking.sender, received, refused: refusing.sender, secret: 's3cret' }
})

test('the call is a signed Publish with subject, text and attributes', async (context) => {
  const { calls, sender } = await stub(context, () => ({ status: 200, body: TAKEN }))
  await sender.send(SAMPLE_MESSAGE)
  const [call] = calls
  assert.match(
    call?.authorization ?? '',
    /^AWS4-HMAC-SHA256 Credential=AKIATEST\/\d{8}\/ap-northeast-1\/sns\/aws4_request/,
  )
  const fields = Object.fromEntries(call?.body ?? [])
  assert.deepEqual(
    [fields['Action'], fields['TopicArn'], fields['Subject'], fields['Message']],
    ['Publish', TOPIC, 'MangaAssist fired: lane-down [page]', SAMPLE_MESSAGE.text],
  )
  const attributes = [1, 2, 3, 4].map((number) => {
    const entry = `MessageAttributes.entry.${number}`
    return [fields[`${entry}.Name`], fields[`${entry}.Value.DataType`], fields[`${entry}.Value.StringValue`]]
  })
  assert.deepEqual(attributes, [
    ['alarm', 'String', 'lane-down'],
    ['kind', 'String', 'fired'],
    ['severity', 'String', 'page'],
    ['key', 'String', 'lane-down:1000:fired'],
  ])
})

test('a throttled call is tried again, a forbidden one is not', async (context) => {
  const passing = await stub(context, (times) =>
    times < 3 ? { status: 400, body: failure('Throttling') } : { status: 200, body: TAKEN },
  )
  assert.deepEqual(await passing.sender.send(SAMPLE_MESSAGE), { outcome: 'delivered' })
  assert.equal(passing.calls.length, 3)
  const refusing = await stub(context, () => ({ status: 403, body: failure('AuthorizationError') }))
  assert.equal((await refusing.sender.send(SAMPLE_MESSAGE)).outcome, 'failed')
  assert.equal(refusing.calls.length, 1)
})
