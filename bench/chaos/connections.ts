// Connections of the simulated clients to the load balancer: a WebSocket and an event stream, each a sequence of frames that ends when
// the connection does. A connection on which nothing comes for longer than two heartbeats is given up, as a real client does.
import type { ClientFrame, ServerFrame } from '../../packages/protocol/src/index.ts'
import { WebSocket } from 'ws'

const SILENCE_MS_MAX = 12_000
const OPEN_MS_MAX = 10_000

/** Frames as they come, and how the connection ended. */
class Frames {
  readonly #waiting: ServerFrame[] = []
  #wake: (() => void) | undefined
  #isClosed = false
  isSilent = false

  push(frame: ServerFrame): void {
    this.#waiting.push(frame)
    this.#wake?.()
  }

  close(): void {
    this.#isClosed = true
    this.#wake?.()
  }

  /** The next frame; undefined when the connection has ended, or was silent for too long. */
  async next(): Promise<ServerFrame | undefined> {
    for (;;) {
      const frame = this.#waiting.shift()
      if (frame !== undefined) return frame
      if (this.#isClosed) return undefined
      let timer: NodeJS.Timeout | undefined
      const spoke = await new Promise<boolean>((resolve) => {
        this.#wake = () => resolve(true)
        timer = setTimeout(() => resolve(false), SILENCE_MS_MAX)
      })
      clearTimeout(timer)
      if (spoke) continue
      this.isSilent = true
      return undefined
    }
  }
}

export interface Line {
  next(): Promise<ServerFrame | undefined>
  readonly isSilent: () => boolean
  close(): void
}

export interface SocketLine extends Line {
  send(frame: ClientFrame): void
  /** Stops and continues reading. */
  pause(): void
  resume(): void
  readonly cookie: string
}

/** Undefined when no connection could be made. */
export async function openSocket(address: string, cookie: string | undefined): Promise<SocketLine | undefined> {
  const headers = cookie === undefined ? {} : { cookie }
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, 'mangaassist.v1', {
    headers,
    handshakeTimeout: OPEN_MS_MAX,
  })
  const frames = new Frames()
  let own = cookie ?? ''
  socket.on('upgrade', (response) => (own ||= response.headers['set-cookie']?.[0]?.split(';')[0] ?? ''))
  socket.on('error', () => {})
  socket.on('close', () => frames.close())
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as ServerFrame))
  const first = await frames.next()
  if (first?.type !== 'ready') {
    socket.terminate()
    return undefined
  }
  return {
    next: () => frames.next(),
    isSilent: () => frames.isSilent,
    close: () => socket.terminate(),
    send: (frame) => socket.send(JSON.stringify(frame)),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    cookie: own,
  }
}

/** The events of a response, or the refusal in place of it as an `error` frame; undefined when none came. */
export async function openEvents(url: string, init: RequestInit): Promise<Line | undefined> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), SILENCE_MS_MAX)
  const frames = new Frames()
  const line = { next: () => frames.next(), isSilent: () => frames.isSilent, close: () => abort.abort() }
  try {
    const response = await fetch(url, { ...init, signal: abort.signal })
    clearTimeout(timer)
    if (response.body === null) return undefined
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      void readEvents(response.body, frames)
      return line
    }
    const { error } = (await response.json()) as { error: object }
    frames.push({ type: 'error', ...error } as ServerFrame)
    frames.close()
    return line
  } catch {
    clearTimeout(timer)
    return undefined
  }
}

async function readEvents(body: ReadableStream<Uint8Array>, frames: Frames): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, data] = /^data: (.*)$/m.exec(event) ?? []
        if (data !== undefined) frames.push(JSON.parse(data) as ServerFrame)
      }
    }
  } catch {
    // The connection broke; the reader resumes.
  }
  frames.close()
}
