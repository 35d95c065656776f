// A port that keeps attackers busy and ignores their data: it answers HTTP, and opens and reads WebSockets.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.end('{}'))
})
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (opened) => opened.on('error', () => {}).on('message', () => {}))
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.on('disconnect', () => process.exit(0))
