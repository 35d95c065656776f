// A real WebSocket server on loopback whose every frame the test writes itself, so that a test reads as the
// conversation it is about. Sends `ready` on connection; nothing else by itself.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ChatFrame, ClientFrame, DoneFrame, MetaFrame, QuotaView, ServerFrame } from '@mangaassist/protocol'
import { WebSocketServer } from 'ws'
import type { WebSocket as Peer } from 'ws'
import { createInbox } from '../inbox.ts'

const line = { used: 0, reserved: 0, limit: 100 }
const quota: QuotaView = {
  tier: 'free',
  resetsAt: '2026-11-16T00:00:00+09:00',
  input: line,
  output: line,
  costMicroUsd: line,
  requestsPerMinute: line,
}

export type FakePeer = ReturnType<typeof createPeer>

export async function startFakeServer({ heartbeatMs = 5000, greet = true } = {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: () => 'mangaassist.v1' })
  await once(server, 'listening')
  const peers = createInbox<FakePeer>()
  server.on('connection', (socket, request) => {
    const peer = createPeer(socket, request.headers, request.url ?? '')
    if (greet)
      peer.send({
        type: 'ready',
        connectionId: 'c',
        protocol: 'mangaassist.v1',
        heartbeatMs,
        principal: { tier: 'free', quota },
      })
    peers.push(peer)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next connection that a client makes. */
    connection: () => peers.next(),
    async [Symbol.asyncDispose]() {
      for (const socket of server.clients) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function createPeer(socket: Peer, headers: Readonly<Record<string, unknown>>, url: string) {
  const inbox = createInbox<ClientFrame>()
  socket.on('message', (data: Buffer) => inbox.push(JSON.parse(data.toString()) as ClientFrame))
  const closed = once(socket, 'close')
  const send = (frame: ServerFrame): void => socket.send(JSON.stringify(frame))
  return {
    headers,
    url,
    closed,
    send,
    next: () => inbox.next(),
    drop: () => socket.terminate(),
    close: (code: number) => socket.close(code),
    async accept(turnId = 't1', sessionId = 's1'): Promise<ChatFrame> {
      const frame = await inbox.next()
      if (frame.type !== 'chat') throw new Error(`expected a chat, got ${frame.type}`)
      send({ type: 'accepted', requestId: frame.requestId, turnId, sessionId })
      return frame
    },
    meta: (turnId = 't1') => send(metaFrame(turnId)),
    chunk: (offset: number, text: string, turnId = 't1') =>
      send({ type: 'chunk', turnId, epoch: 0, seq: 0, offset, text }),
    done: (text: string, over: Partial<DoneFrame> = {}) => send({ ...doneFrame(text), ...over }),
  }
}

function metaFrame(turnId: string): MetaFrame {
  return {
    type: 'meta',
    turnId,
    tier: 'embedded',
    model: 'embedded',
    degraded: false,
    confidence: 1,
    products: [],
    quota,
  }
}

export function doneFrame(text: string): DoneFrame {
  return {
    type: 'done',
    turnId: 't1',
    finishReason: 'stop',
    length: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    usage: { inputTokens: 1, outputTokens: 1, estimated: false },
    costMicroUsd: 0,
    timings: { ttftMs: 1, totalMs: 2, tokensPerSecond: 10 },
    tier: 'embedded',
    model: 'embedded',
    sessionVersion: 1,
  }
}
