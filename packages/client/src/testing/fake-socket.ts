// Sockets without a network and with a mocked clock, for tests of waits: with real sockets a test would take as long as
// the wait. The test controls each frame and the clock.
import { setImmediate } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import type { BackpressureFrame, ChatFrame, ClientFrame, ServerFrame } from '@mangaassist/protocol'
import { createClient } from '../index.ts'
import type { ChatPart, ClientOptions, Socket } from '../index.ts'

type Listener = (event: { readonly data: unknown; readonly code: number }) => void

class FakeSocket implements Socket {
  readonly sent: ClientFrame[] = []
  readonly #listeners: [string, Listener][] = []

  send(data: string): void {
    this.sent.push(JSON.parse(data) as ClientFrame)
  }
  close(): void {}
  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.push([type, listener as Listener])
  }
  #emit(type: string, event: { data?: unknown; code?: number }): void {
    for (const [registered, listener] of this.#listeners)
      if (registered === type) listener({ data: '', code: 0, ...event })
  }
  say(frame: Partial<ServerFrame>): void {
    this.#emit('message', { data: JSON.stringify(frame) })
  }
  greet(heartbeatMs = 5000): void {
    this.say({ type: 'ready', heartbeatMs })
  }
  press(action: BackpressureFrame['action'], retryAfterMs = 0): void {
    this.say({ type: 'backpressure', action, retryAfterMs, message: 'busy' })
  }
  accept(turnId = 't1', which = 0): void {
    const asked = this.chats[which]
    if (asked === undefined) throw new Error('nothing was asked')
    this.say({ type: 'accepted', requestId: asked.requestId, turnId, sessionId: 's1' })
  }
  drop(code = 1006): void {
    this.#emit('close', { code })
  }
  get chats(): ChatFrame[] {
    return this.sent.filter((frame) => frame.type === 'chat')
  }
}

export function setUpInMockedTime(t: TestContext, options: Partial<ClientOptions> = {}, random = 0) {
  t.mock.method(Math, 'random', () => random)
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const sockets: FakeSocket[] = []
  const notices: string[] = []
  const client = createClient({
    url: 'http://shop.example',
    // With a cookie the client needs no ticket, and therefore no network.
    headers: { cookie: 'ma_guest=g' },
    webSocket: class extends FakeSocket {
      constructor() {
        super()
        sockets.push(this)
      }
    },
    onNotice: (notice) => notices.push(notice.type === 'backpressure' ? notice.action : notice.type),
    ...options,
  })
  t.after(() => client.close())

  async function pass(ms: number): Promise<void> {
    t.mock.timers.tick(ms)
    await setImmediate()
  }
  /** The latest socket, after its `ready`. */
  async function connected(): Promise<FakeSocket> {
    await pass(0)
    const socket = sockets.at(-1)
    if (socket === undefined) throw new Error('no connection was made')
    socket.greet()
    await pass(0)
    return socket
  }
  /** Asks and collects the parts; `failed` is the error that was thrown. */
  function ask(message: string, signal?: AbortSignal) {
    const result: { readonly parts: ChatPart[]; failed: unknown } = { parts: [], failed: undefined }
    const listen = async (): Promise<void> => {
      for await (const part of client.chat({ message, signal })) result.parts.push(part)
    }
    listen().catch((error: unknown) => (result.failed = error))
    return result
  }
  return { client, sockets, notices, pass, connected, ask }
}

export function fakePage() {
  const target = new EventTarget()
  const page = {
    navigator: { onLine: true },
    document: { visibilityState: 'visible' },
    addEventListener: (type: string, listener: () => void) => target.addEventListener(type, listener),
    removeEventListener: (type: string, listener: () => void) => target.removeEventListener(type, listener),
  }
  return {
    page,
    go(type: 'online' | 'offline'): void {
      page.navigator.onLine = type === 'online'
      target.dispatchEvent(new Event(type))
    },
    wake: (type: 'visibilitychange' | 'pageshow') => target.dispatchEvent(new Event(type)),
  }
}
