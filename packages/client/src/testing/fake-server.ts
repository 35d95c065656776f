// A real WebSocket server on loopback. The test sends its frames, so that a test reads like the conversation it is
// about. By itself the server only sends `ready` on connection, and gives tickets unless the test refuses them.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import type {
  ChatFrame,
  ClientFrame,
  DoneFrame,
  ErrorCode,
  MetaFrame,
  QuotaView,
  ServerFrame,
} from '@mangaassist/protocol'
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

interface TicketAsked {
  readonly body: { readonly guestToken?: string }
  readonly headers: IncomingHttpHeaders
  /** The number of this request, from 1. */
  readonly count: number
  /** Resolves when the request was answered or the client aborted it. */
  readonly over: Promise<unknown>
}
type HttpAnswer = { readonly status?: number; readonly body: unknown } | 'cut off' | 'silence'
export type AnswerTicket = (asked: TicketAsked) => HttpAnswer

/** Gives a ticket to the guest of the request, else to a new guest; tickets are numbered. */
export const grant: AnswerTicket = ({ body, count }) => ({
  body: {
    success: true,
    data: { guestToken: body.guestToken ?? `guest-${count}`, ticket: `ticket-${count}`, expiresAt: '' },
  },
})

export const refuse = (status: number, code: ErrorCode) => ({
  status,
  body: { success: false, error: { code, message: code } },
})

export type FakePeer = ReturnType<typeof createPeer>

export interface Serving {
  readonly heartbeatMs?: number
  readonly greet?: boolean
  readonly answerTicket?: AnswerTicket
  readonly answerCall?: (call: Call) => HttpAnswer
}

/** A call over HTTP that is not for a ticket. */
interface Call {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

export async function startFakeServer({
  heartbeatMs = 5000,
  greet = true,
  answerTicket = grant,
  answerCall = () => ({ body: { success: true } }),
}: Serving = {}) {
  const asked: TicketAsked[] = []
  const calls: Call[] = []
  const http = createServer((request, response) => {
    const over = once(response, 'close')
    void text(request).then((sent) => {
      const body: unknown = sent === '' ? undefined : JSON.parse(sent)
      if (request.url !== '/api/ticket') {
        const call = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
        calls.push(call)
        return answerWith(answerCall(call))
      }
      const latest = { body: body as TicketAsked['body'], headers: request.headers, count: asked.length + 1, over }
      asked.push(latest)
      answerWith(answerTicket(latest))
    })
    function answerWith(answer: HttpAnswer): void {
      if (answer === 'silence') return
      if (answer === 'cut off') response.destroy()
      else response.writeHead(answer.status ?? 200).end(JSON.stringify(answer.body))
    }
  })
  const server = new WebSocketServer({ server: http, handleProtocols: () => 'mangaassist.v1' })
  await once(http.listen(0, '127.0.0.1'), 'listening')
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
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    /** The requests for tickets. */
    asked,
    calls,
    /** The next connection of a client. */
    connection: () => peers.next(),
    async [Symbol.asyncDispose]() {
      for (const socket of server.clients) socket.terminate()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
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
