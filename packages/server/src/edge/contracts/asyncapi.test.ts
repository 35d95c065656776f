// The AsyncAPI document: complete, consistent, and true of the existing frames.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { clientFrames, closeCodes, errorCodes, PROTOCOL, serverFrames } from '@mangaassist/protocol'
import { Compile } from 'typebox/compile'
import { openDoors } from '#fixtures/edge/doors.ts'
import { frameExamples } from './frame-examples.ts'

interface Reference {
  $ref: string
}
interface Document {
  asyncapi: string
  info: { title: string; version: string }
  channels: Record<
    string,
    {
      address: string
      messages: Record<string, Reference>
      bindings: { ws: { headers: { properties: Record<string, { const?: string }> }; query: object } }
      'x-close-codes': { code: number; description: string }[]
    }
  >
  operations: Record<
    string,
    { action: string; channel: Reference; messages: Reference[]; reply?: { channel: Reference; messages: Reference[] } }
  >
  components: {
    messages: Record<string, { name: string; summary: string; payload: Reference; examples: { payload: object }[] }>
    schemas: Record<string, object>
  }
  'x-errors': Record<string, { status: number; message: { ja: string; en: string } }>
}

async function fetchDocument(): Promise<Document> {
  await using doors = await openDoors()
  const response = await doors.http.inject({ url: '/asyncapi.json' })
  assert.equal(response.statusCode, 200)
  assert.match(String(response.headers['content-type']), /^application\/json/)
  return response.json() as Document
}

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref') yield String(inner)
    else yield* references(inner)
  }
}

function follow(document: Document, reference: string): unknown {
  assert.ok(reference.startsWith('#/'), reference)
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
}

const all = { ...clientFrames, ...serverFrames }

test('the messages of the channel are exactly the frames of the protocol, with their schemas', async () => {
  const document = await fetchDocument()
  const { channels, components } = document
  assert.equal(document.asyncapi, '3.0.0')
  assert.deepEqual(Object.keys(components.messages).toSorted(), Object.keys(all).toSorted())
  assert.deepEqual(Object.keys(channels['socket']?.messages ?? {}).toSorted(), Object.keys(all).toSorted())
  for (const [type, message] of Object.entries(components.messages)) {
    const schema = follow(document, message.payload.$ref) as { properties: { type: { const: string } } }
    assert.equal(schema.properties.type.const, type)
    assert.ok(message.summary, type)
  }
})

test('client frames are received with their replies; server frames are sent', async () => {
  const { operations } = await fetchDocument()
  const typesOf = (action: string) =>
    Object.values(operations)
      .filter((operation) => operation.action === action)
      .flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1) ?? ''))
      .toSorted()
  assert.deepEqual(typesOf('receive'), Object.keys(clientFrames).toSorted())
  assert.deepEqual(typesOf('send'), Object.keys(serverFrames).toSorted())
  for (const { action, channel, messages, reply } of Object.values(operations)) {
    // An operation may use only the messages of its own channel.
    for (const { $ref } of [...messages, ...(reply?.messages ?? [])])
      assert.ok($ref.startsWith(`${channel.$ref}/messages/`), $ref)
    assert.equal(action === 'receive', reply !== undefined)
  }
})

test('every reference in the document leads somewhere', async () => {
  const document = await fetchDocument()
  const found = [...references(document)]
  assert.ok(found.length > 50)
  for (const reference of found) assert.ok(follow(document, reference), reference)
})

test('the schemas are schemas that compile, and plain JSON', async () => {
  const { components } = await fetchDocument()
  for (const [name, schema] of Object.entries(components.schemas)) {
    assert.doesNotThrow(() => Compile({ $defs: {}, ...schema }), name)
    assert.equal(JSON.stringify(schema).includes('~'), false, name)
  }
})

test('every message has a valid example, and the example of an answer is consistent', async () => {
  const { components } = await fetchDocument()
  for (const [type, schema] of Object.entries(all)) {
    const [example] = components.messages[type]?.examples ?? []
    assert.ok(Compile(schema).Check(example?.payload), type)
  }
  const { chunk, done } = frameExamples
  assert.equal(chunk.text.length, done.length)
  assert.equal(createHash('sha256').update(chunk.text, 'utf8').digest('hex'), done.sha256)
})

test('the document has the subprotocol, the ticket, the close codes and the errors in both languages', async () => {
  const document = await fetchDocument()
  const socket = document.channels['socket']
  assert.equal(socket?.address, '/ws')
  assert.equal(socket.bindings.ws.headers.properties['Sec-WebSocket-Protocol']?.const, PROTOCOL)
  assert.ok('ticket' in (socket.bindings.ws.query as { properties: object }).properties)
  assert.deepEqual(
    socket['x-close-codes'].map(({ code }) => code),
    Object.values(closeCodes),
  )
  assert.ok(socket['x-close-codes'].every(({ description }) => description !== ''))
  assert.deepEqual(Object.keys(document['x-errors']), [...errorCodes])
  assert.ok(Object.values(document['x-errors']).every(({ message }) => message.ja !== '' && message.en !== ''))
})
