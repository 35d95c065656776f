// A platform without a built-in WebSocket, such as Node 20: one must be given, else an error says so at once.
import assert from 'node:assert/strict'
import test from 'node:test'
import WebSocket from 'ws'
import { createClient } from './index.ts'
import { collect, endOf, setUp } from './testing/set-up.ts'

test('with the WebSocket of the package ws, answers, subprotocol and headers work', async (t) => {
  const headers = { authorization: 'Bearer key' }
  const { server, client } = await setUp(t, { webSocket: WebSocket, headers, origin: 'https://shop.example' })
  const answer = collect(client.chat({ message: 'a' }))
  const peer = await server.connection()
  assert.equal(peer.headers['sec-websocket-protocol'], 'mangaassist.v1')
  assert.equal(peer.headers['authorization'], 'Bearer key')
  assert.equal(peer.headers['origin'], 'https://shop.example')
  await peer.accept()
  peer.chunk(0, '猫')
  peer.done('猫')
  assert.deepEqual([endOf(await answer).text, endOf(await answer).verified], ['猫', true])
})

test('a lost WebSocket of the package ws is replaced, and the answer is resumed', async (t) => {
  const { server, client } = await setUp(t, { webSocket: WebSocket })
  const answer = collect(client.chat({ message: 'a' }))
  const first = await server.connection()
  await first.accept()
  first.chunk(0, 'ab')
  first.drop()
  const second = await server.connection()
  assert.equal((await second.next()).type, 'resume')
  second.chunk(2, 'cd')
  second.done('abcd')
  assert.equal(endOf(await answer).text, 'abcd')
})

test('without any WebSocket, the error says what to pass as an option', (t) => {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket') as PropertyDescriptor
  t.after(() => Object.defineProperty(globalThis, 'WebSocket', original))
  Reflect.deleteProperty(globalThis, 'WebSocket')
  assert.throws(
    () => createClient({ url: 'http://127.0.0.1:1' }),
    /^Error: This platform has no WebSocket .*option webSocket.*package 'ws'\.$/,
  )
  createClient({ url: 'http://127.0.0.1:1', webSocket: WebSocket }).close()
})
