// The client: its calls on one connection.
import { ask, chatFrame, resume } from './ask.ts'
import { createConnection, headersOf } from './connection.ts'
import { call } from './call.ts'
import { conversationsOf } from './conversations.ts'
import type { Client, ClientOptions } from './types.ts'
import { watch } from './watch.ts'

export function createClient(options: ClientOptions): Client {
  const connection = createConnection(options)
  const sender = { connection, headers: headersOf(options) }
  const name = randomName()
  let asked = 0
  return {
    chat(input) {
      asked += 1
      return ask(connection, chatFrame(`${name}-${asked}`, input), input.signal)
    },
    resume: (turnId, offset = 0) => resume(connection, turnId, offset),
    stop: (turnId) => connection.send({ type: 'stop', turnId }),
    feedback: (turnId, value, { reason, sessionId, signal } = {}) =>
      call(sender, { path: ['turns', turnId, 'feedback'], body: { value, reason, sessionId }, signal }).then(nothing),
    opened: (turnId, productId, { sessionId } = {}) =>
      call(sender, { path: ['turns', turnId, 'opened'], body: { productId, sessionId } }).then(nothing),
    conversations: conversationsOf(sender),
    watch: (sessionId, { signal } = {}) =>
      watch({ connection, sessionId, isOwn: (requestId) => requestId.startsWith(name), signal }),
    close: () => connection.close(),
  }
}

const nothing = (): void => {}

/** The prefix of request ids and idempotency keys. Not `randomUUID`, which is missing on pages over plain http. */
function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36).padStart(2, '0')).join('')
}
