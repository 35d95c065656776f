// A server for the tests of the pages: the real catalogue under the real routes, the built files under the real policy,
// and a chat whose answers the test scripts. It has no budgets and no models, only the protocol.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChatFrame, ClientFrame, DoneFrame, MetaFrame, ServerFrame, SessionSummary } from '@mangaassist/protocol'
import { WebSocketServer } from 'ws'
import type { WebSocket as Peer } from 'ws'
import { answerApi } from './fake-api.ts'
import type { TurnCall } from './fake-api.ts'
import { serveFile } from './fake-files.ts'

/** One turn that a test scripts. The server stores every frame of it, so that a reload can resume. */
interface Turn {
  readonly turnId: string
  readonly question: string
  meta(over?: Partial<MetaFrame>): void
  text(text: string): void
  done(over?: Partial<DoneFrame>): void
  send(frame: ServerFrame): void
  readonly stopped: Promise<void>
}
export type Script = (turn: Turn) => Promise<void> | void

export interface FakeServer {
  readonly url: string
  /** Answers each question. */
  script: Script
  /** The response of `GET /api/sessions/:id`; 404 when undefined. */
  session: object | undefined
  /** The response with `before`. */
  earlierSession: object | undefined
  /** The response of `GET /api/sessions`; deletions remove from it. */
  readonly conversations: SessionSummary[]
  readonly requests: string[]
  readonly asked: ChatFrame[]
  readonly socketUrls: string[]
  /** Bodies of the calls about turns, by address: thumbs and opened cards. */
  readonly calls: TurnCall[]
  dropSockets(): void
  /** Sends a frame to every connection. */
  say(frame: ServerFrame): void
  /** A question from another device of the same reader. */
  askElsewhere(question: string): void
  /** Requests to `/api` fail while true. */
  broken: boolean
  /** Requests of other sites are refused, as by a server that does not allow their origin. */
  closedToOthers: boolean
  close(): Promise<void>
}

interface Running {
  readonly turnId: string
  readonly question: string
  readonly frames: ServerFrame[]
  text: string
  readonly stop: PromiseWithResolvers<void>
}

const line = { used: 0, reserved: 0, limit: 100 }
const quota = {
  tier: 'free',
  resetsAt: '2026-11-16T00:00:00+09:00',
  input: line,
  output: line,
  costMicroUsd: line,
  requestsPerMinute: line,
}

export async function startFakeServer(): Promise<FakeServer> {
  const turns = new Map<string, Running>()
  const listeners = new Set<Peer>()
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'mangaassist.v1' })
  // A page that is closed may leave a request behind.
  const http = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  http.on('upgrade', (request, socket, head) => {
    server.socketUrls.push(request.url ?? '')
    sockets.handleUpgrade(request, socket, head, connected)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')

  const server: FakeServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    script: (turn) => turn.done(),
    session: undefined,
    earlierSession: undefined,
    conversations: [],
    requests: [],
    asked: [],
    socketUrls: [],
    calls: [],
    broken: false,
    closedToOthers: false,
    dropSockets: () => listeners.forEach((peer) => peer.terminate()),
    say,
    askElsewhere(question) {
      const running = begin(`elsewhere-${turns.size}`, question)
      server.session = { turns: [], runningTurn: { turnId: running.turnId, question } }
      say({ type: 'accepted', requestId: 'theirs', turnId: running.turnId, sessionId: 's1' })
      void server.script(play(running))
    },
    async close() {
      for (const peer of sockets.clients) peer.terminate()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', server.url)
    if (!url.pathname.startsWith('/api/')) return serveFile(url.pathname, response)
    server.requests.push(`${request.method} ${url.pathname}${url.search}`)
    if (server.closedToOthers) return void response.writeHead(403).end()
    await answerApi({ ...server, request, response, url })
  }

  function connected(peer: Peer): void {
    listeners.add(peer)
    peer.on('close', () => listeners.delete(peer))
    peer.on('message', (data: Buffer) => receive(JSON.parse(data.toString()) as ClientFrame, peer))
    send(peer, {
      type: 'ready',
      connectionId: 'c',
      protocol: 'mangaassist.v1',
      heartbeatMs: 60_000,
      principal: { tier: 'free', quota },
    })
  }

  function receive(frame: ClientFrame, peer: Peer): void {
    if (frame.type === 'chat') return accept(frame, peer)
    if (frame.type === 'ping') return send(peer, { type: 'heartbeat', at: new Date().toISOString() })
    if (frame.type === 'stop') return turns.get(frame.turnId)?.stop.resolve()
    if (frame.type !== 'resume') return
    const turn = turns.get(frame.turnId)
    if (turn === undefined)
      return send(peer, { type: 'error', turnId: frame.turnId, code: 'NOT_FOUND', message: 'gone' })
    // Sends all of them: the client drops the text that it has, by the offsets of the chunks.
    for (const stored of turn.frames) send(peer, stored)
  }

  function accept(frame: ChatFrame, peer: Peer): void {
    server.asked.push(frame)
    const running = begin(`t${server.asked.length}`, frame.message)
    const { turnId } = running
    send(peer, { type: 'accepted', requestId: frame.requestId, turnId, sessionId: frame.sessionId ?? 's1' })
    void server.script(play(running))
  }

  function begin(turnId: string, question: string): Running {
    const running: Running = { turnId, question, frames: [], text: '', stop: Promise.withResolvers() }
    turns.set(turnId, running)
    return running
  }

  function say(frame: ServerFrame): void {
    for (const peer of listeners) send(peer, frame)
  }

  function play(running: Running): Turn {
    const { turnId, question } = running
    const record = (frame: ServerFrame): void => {
      running.frames.push(frame)
      say(frame)
    }
    return {
      turnId,
      question,
      stopped: running.stop.promise,
      send: record,
      meta: (over = {}) => record({ ...metaFrame(turnId), ...over }),
      text(text) {
        record({ type: 'chunk', turnId, epoch: 0, seq: running.frames.length, offset: running.text.length, text })
        running.text += text
      },
      done: (over = {}) => record({ ...doneFrame(turnId, running.text), ...over }),
    }
  }

  return server
}

function send(peer: Peer, frame: ServerFrame): void {
  peer.send(JSON.stringify(frame))
}

function metaFrame(turnId: string): MetaFrame {
  const route = { tier: 'embedded', model: 'embedded', degraded: false, confidence: 1 } as const
  return { type: 'meta', turnId, ...route, products: [], quota }
}

function doneFrame(turnId: string, text: string): DoneFrame {
  return {
    type: 'done',
    turnId,
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

/** A script that sends a text in small pieces, as a model would. */
export function streaming(
  text: string,
  { meta = {}, everyMs = 5 }: { meta?: Partial<MetaFrame>; everyMs?: number } = {},
): Script {
  return async (turn) => {
    turn.meta(meta)
    for (const piece of text.match(/[\s\S]{1,6}/g) ?? []) {
      turn.text(piece)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    turn.done()
  }
}
