// The built-in load balancer, a process of its own. It chooses the node with the fewest open connections among those whose
// /readyz answers 200, passes WebSockets and streams through as they come, and tries another node only when a connection
// could not be made: a request that may have arrived is never sent twice. The cluster sends the list of nodes.
import { createServer, get, request as httpRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

interface Backend {
  readonly name: string
  readonly port: number
  isUp: boolean
  failures: number
  readonly open: Set<Socket>
}

const CHECK_EVERY_MS = 500
const CHECK_MS_MAX = 1000
const FAILURES_MAX = 2
const CONNECT_MS_MAX = 1000
const NO_NODE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'

let backends: readonly Backend[] = []

process.on('message', (nodes: readonly { name: string; port: number }[]) => {
  backends = nodes.map(
    ({ name, port }) =>
      backends.find((known) => known.port === port) ?? { name, port, isUp: false, failures: 0, open: new Set() },
  )
  for (const backend of backends) if (!backend.isUp) check(backend)
})
process.on('disconnect', () => process.exit())

function check(backend: Backend): void {
  const url = `http://127.0.0.1:${backend.port}/readyz`
  let settled = false
  const settle = (isUp: boolean) => {
    if (settled) return
    settled = true
    backend.failures = isUp ? 0 : backend.failures + 1
    const was = backend.isUp
    if (isUp || backend.failures >= FAILURES_MAX) backend.isUp = isUp
    if (was !== backend.isUp) console.log(`${backend.name} is ${backend.isUp ? 'up' : 'down'}`)
  }
  const asked = get(url, { agent: false, timeout: CHECK_MS_MAX }, (response) => {
    response.resume()
    settle(response.statusCode === 200)
  })
  asked.on('timeout', () => asked.destroy())
  asked.on('error', () => settle(false))
}
setInterval(() => backends.forEach(check), CHECK_EVERY_MS)

/** A connection to the least busy node; nodes that refuse are passed over. Undefined: no node can be reached. */
async function dial(): Promise<{ backend: Backend; socket: Socket } | undefined> {
  const byLoad = backends.toSorted((one, other) => one.open.size - other.open.size)
  for (const backend of [...byLoad.filter(({ isUp }) => isUp), ...byLoad.filter(({ isUp }) => !isUp)]) {
    const socket = await connected(backend)
    if (socket !== undefined) return { backend, socket }
    console.log(`${backend.name} refuses connections`)
  }
  return undefined
}

function connected(backend: Backend): Promise<Socket | undefined> {
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>()
  const socket = connect({ port: backend.port, host: '127.0.0.1', noDelay: true })
  backend.open.add(socket)
  socket.on('close', () => backend.open.delete(socket))
  socket.setTimeout(CONNECT_MS_MAX, () => socket.destroy())
  socket.on('error', () => {})
  socket.once('close', () => resolve(undefined))
  socket.once('connect', () => {
    socket.setTimeout(0)
    resolve(socket)
  })
  return promise
}

function forwardedHeaders({ headers, socket }: IncomingMessage) {
  const before = headers['x-forwarded-for']
  const address = socket.remoteAddress ?? ''
  return {
    'x-forwarded-for': before === undefined ? address : `${String(before)}, ${address}`,
    'x-forwarded-proto': 'http',
    'x-forwarded-host': headers.host ?? '',
  }
}

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const dialled = await dial()
  if (dialled === undefined) return void response.writeHead(503, { connection: 'close' }).end()
  const headers = { ...request.headers, ...forwardedHeaders(request), connection: 'close' }
  const { method = 'GET', url: path = '/' } = request
  const onward = httpRequest({ createConnection: () => dialled.socket, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    response.flushHeaders()
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  onward.setNoDelay(true)
  onward.on('error', () => response.destroy())
  response.on('close', () => dialled.socket.destroy())
  request.pipe(onward)
}

async function upgrade(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
  client.on('error', () => {})
  const dialled = await dial()
  if (dialled === undefined) return void client.end(NO_NODE)
  const { socket } = dialled
  const lines = request.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
  )
  const added = Object.entries(forwardedHeaders(request)).map(([name, value]) => `${name}: ${value}`)
  const kept = lines.filter((line) => !/^x-forwarded-/i.test(line))
  socket.write(`${request.method} ${request.url} HTTP/1.1\r\n${[...kept, ...added].join('\r\n')}\r\n\r\n`)
  socket.write(head)
  socket.pipe(client).pipe(socket)
  client.on('close', () => socket.destroy())
  socket.on('close', () => client.destroy())
}

const server = createServer((request, response) => void pass(request, response))
server.on('upgrade', (request, client, head) => void upgrade(request, client, head))
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))
