// The bare `ws` server that ours is compared with: it sends `ready` and heartbeats from one timer, and stores nothing.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { reportUsage } from './report-usage.ts'

const HEARTBEAT_MS = 5000

const server = createServer()
const sockets = new WebSocketServer({ server, perMessageDeflate: false, handleProtocols: () => 'mangaassist.v1' })
sockets.on('connection', (socket) => socket.send('{"type":"ready"}'))
setInterval(() => {
  for (const socket of sockets.clients) socket.send('{"type":"heartbeat"}')
}, HEARTBEAT_MS)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  reportUsage(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
})
