// One attacker of `hostile.ts`, in its own process and from its own address: runs one attack against one target as fast
// as it can, and starts again whenever it is cut off.
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

const { hostname, port } = new URL(process.env['TARGET'] ?? '')
const target = { host: hostname, port: Number(port), localAddress: '127.0.0.2' }
const counts = { sent: 0, refused: 0, cut: 0 }
const PARALLEL = 8
const CONNECTIONS_MAX = 200

/** A text frame of a client; the mask is zero, so that its bytes stay the same. */
function frame(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}

const UPGRADE = [
  'GET /ws HTTP/1.1',
  'host: localhost',
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
  '\r\n',
].join('\r\n')

/** Keeps a socket full of the same bytes, and opens the next when it is closed. */
function flood(opening: string, piece: Buffer, count: number): void {
  const socket = connect(target)
  let isUpgraded = opening === ''
  const pump = () => {
    while (isUpgraded && !socket.destroyed && socket.writable) {
      counts.sent += count
      if (!socket.write(piece)) return
    }
  }
  socket.on('connect', () => (opening === '' ? pump() : socket.write(opening)))
  socket.on('data', () => {
    if (isUpgraded) return
    isUpgraded = true
    pump()
  })
  socket.on('drain', pump).on('error', () => {})
  socket.on('close', () => {
    counts.cut += 1
    setImmediate(() => flood(opening, piece, count))
  })
}

function floodFrames(text: string): void {
  const one = frame(text)
  const count = Math.floor(65_536 / one.length)
  flood(UPGRADE, Buffer.concat(Array.from({ length: count }, () => one)), count)
}

const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL })

function ask(path: string, headers: Record<string, string> = {}, body?: string): Promise<void> {
  return new Promise((done) => {
    const method = body === undefined ? 'GET' : 'POST'
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request({ ...target, agent, path, method, headers: { host: 'localhost', ...length, ...headers } })
    sent.on('response', (response) => {
      counts.sent += 1
      if ((response.statusCode ?? 0) >= 400) counts.refused += 1
      response.on('end', done).on('error', done).resume()
    })
    sent.on('error', () => {
      counts.cut += 1
      setImmediate(done)
    })
    sent.end(body)
  })
}

async function repeat(make: (number: number) => Promise<void>): Promise<void> {
  let number = 0
  const worker = async () => {
    for (;;) await make((number += 1))
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
}

const json = { 'content-type': 'application/json' }
const chat = (message: string, sessionId?: string) =>
  ask('/api/chat', json, JSON.stringify({ message, ...(sessionId === undefined ? {} : { sessionId }) }))

/** Opens WebSockets and holds those that are accepted. */
function hoard(held: Set<Socket>): void {
  const socket = connect(target)
  socket.on('connect', () => socket.write(UPGRADE)).on('error', () => {})
  socket.on('data', () => {
    counts.sent += 1
    if (held.size >= CONNECTIONS_MAX) return void socket.destroy()
    held.add(socket)
    setImmediate(() => hoard(held))
  })
  socket.on('close', () => {
    counts.cut += 1
    const wasHeld = held.delete(socket)
    if (!wasHeld) setImmediate(() => hoard(held))
  })
}

const unique = (text: string, number: number) => `${text}${number.toString(36)}`
const LONG = '\uFDFA'
const attacks: Readonly<Record<string, () => void>> = {
  'long-text': () => void repeat((number) => chat(unique(LONG.repeat(4990), number))),
  'long-text-that-passes': () => void repeat((number) => chat(unique(LONG.repeat(550), number))),
  digits: () => void repeat((number) => chat(unique('1234567890'.repeat(330), number))),
  'broken-frames': () => floodFrames('{'),
  pings: () => floodFrames('{"type":"ping"}'),
  stops: () => floodFrames('{"type":"stop","turnId":"turn_x"}'),
  watches: () => floodFrames('{"type":"watch","sessionId":"s_x"}'),
  pipelined: () => flood('', Buffer.from('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(1000)), 1000),
  searches: () =>
    void repeat((number) =>
      ask(`/api/products?q=${encodeURIComponent(unique('猫と海と空を飛ぶ少年の話 '.repeat(30), number))}`),
    ),
  prompts: () => {
    const content = 'x'.repeat(1_000_000)
    const headers = { ...json, authorization: 'Bearer guest' }
    void repeat(() =>
      ask('/v1/chat/completions', headers, JSON.stringify({ model: 'auto', messages: [{ role: 'user', content }] })),
    )
  },
  person: () => void repeat((number) => ask(number % 2 === 0 ? '/api/me/export' : '/api/me')),
  'admin-tokens': () => void repeat((number) => ask('/api/admin/tiers', { authorization: `Bearer guess-${number}` })),
  connections: () => {
    const held = new Set<Socket>()
    for (let number = 0; number < PARALLEL; number += 1) hoard(held)
  },
}

attacks[process.env['ATTACK'] ?? '']?.()
process.on('message', () => process.send?.(counts))
process.on('disconnect', () => process.exit(0))
process.send?.({ address: '' })
