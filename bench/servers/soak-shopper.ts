// A shopper of the soak test: asks repeatedly over the raw protocol, applies chunks by offset, and records violations.
// Sometimes it disconnects in the middle and resumes, reads slowly, or presses stop.
import { createHash } from 'node:crypto'
import type { DoneFrame, ServerFrame } from '../../packages/protocol/src/index.ts'
import { WebSocket } from 'ws'

export interface Seen {
  answers: number
  stopped: number
  interrupted: number
  resumed: number
  slow: number
  refused: number
  readonly breaches: string[]
}

export interface ShopperParts {
  readonly url: string
  readonly number: number
  readonly float: () => number
  readonly endsAt: number
  readonly expected: string
  readonly seen: Seen
}

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

class Connection {
  readonly socket: WebSocket
  readonly #frames: ServerFrame[] = []
  #wake: (() => void) | undefined
  #closed = false
  cookie: string | undefined

  constructor(url: string, cookie: string | undefined) {
    this.socket = new WebSocket(url, 'mangaassist.v1', cookie === undefined ? {} : { headers: { cookie } })
    this.cookie = cookie
    this.socket.on('upgrade', (response) => (this.cookie ??= response.headers['set-cookie']?.[0]?.split(';')[0]))
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.#closed = true
      this.#wake?.()
    })
    this.socket.on('message', (data: Buffer) => {
      this.#frames.push(JSON.parse(data.toString()) as ServerFrame)
      this.#wake?.()
    })
  }

  /** The next frame; undefined when the connection is closed. */
  async next(): Promise<ServerFrame | undefined> {
    for (;;) {
      const frame = this.#frames.shift()
      if (frame !== undefined) return frame
      if (this.#closed) return undefined
      await new Promise<void>((wake) => (this.#wake = wake))
    }
  }
}

export async function soakShopper({ url, number, float, endsAt, expected, seen }: ShopperParts): Promise<void> {
  let cookie: string | undefined
  let asked = 0

  async function dial(): Promise<Connection> {
    for (;;) {
      const connection = new Connection(url, cookie)
      const frame = await connection.next()
      if (frame?.type === 'ready') {
        cookie ??= connection.cookie
        return connection
      }
      connection.socket.terminate()
      await sleep(100 + float() * 400)
    }
  }

  /** Reads one answer to its end across all disconnects; returns early when it was refused. */
  async function answer(key: string): Promise<void> {
    let text = ''
    let turnId: string | undefined
    let hangUpAt = float() < 0.5 ? float() * expected.length : Number.POSITIVE_INFINITY
    const stopAt = float() < 0.1 ? float() * expected.length : Number.POSITIVE_INFINITY
    for (;;) {
      const connection = await dial()
      const { socket } = connection
      if (turnId === undefined) {
        const message = `${number} の ${asked} 番目の質問`
        socket.send(JSON.stringify({ type: 'chat', requestId: key, idempotencyKey: key, message }))
      } else {
        seen.resumed += 1
        socket.send(JSON.stringify({ type: 'resume', turnId, offset: text.length }))
      }
      let stopSent = false
      for (let frame = await connection.next(); frame !== undefined; frame = await connection.next()) {
        if (frame.type === 'error') {
          // The server is starting or stopping, or the turn was lost before it was durable.
          if (frame.code === 'NOT_FOUND' && turnId !== undefined) seen.breaches.push(`${key}: its turn was not found`)
          else seen.refused += 1
          socket.terminate()
          await sleep(300)
          if (frame.code === 'NOT_FOUND') return
          break
        }
        if (frame.type === 'accepted') turnId ??= frame.turnId
        if (frame.type === 'chunk' && frame.turnId === turnId) {
          if (frame.offset !== text.length) {
            seen.breaches.push(`${key}: text at ${frame.offset} after ${text.length} units`)
          }
          text += frame.text
          if (text.length > stopAt && !stopSent) {
            stopSent = true
            socket.send(JSON.stringify({ type: 'stop', turnId }))
          }
          if (float() < 0.01) {
            seen.slow += 1
            socket.pause()
            await sleep(500 + float() * 2000)
            socket.resume()
          }
          if (text.length > hangUpAt) {
            hangUpAt = Number.POSITIVE_INFINITY
            socket.terminate()
            await sleep(float() * 3000)
            break
          }
        }
        if (frame.type === 'done' && frame.turnId === turnId) {
          socket.close()
          return check(key, text, frame)
        }
      }
    }
  }

  function check(key: string, text: string, done: DoneFrame): void {
    const { finishReason, length, sha256 } = done
    seen.answers += 1
    if (finishReason === 'stopped') seen.stopped += 1
    if (finishReason === 'interrupted') seen.interrupted += 1
    if (length !== text.length) seen.breaches.push(`${key}: ${text.length} units of ${length}`)
    if (createHash('sha256').update(text).digest('hex') !== sha256) seen.breaches.push(`${key}: wrong hash`)
    // The fallback for an unreachable model is a valid answer with its own tier.
    if (done.tier === 'primary' && !expected.startsWith(text))
      seen.breaches.push(`${key}: text differs from the model's answer`)
    if (done.tier === 'primary' && finishReason === 'stop' && text !== expected) {
      seen.breaches.push(`${key}: ended whole with ${text.length} of ${expected.length} units`)
    }
  }

  await sleep(float() * 3000)
  while (Date.now() < endsAt) {
    asked += 1
    await answer(`s${number}-${asked}`)
    await sleep(float() * 1000)
  }
}
