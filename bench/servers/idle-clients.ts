// Silent clients: `COUNT` of them at `ADDRESS`, until the parent process ends.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { reportUsage } from './report-usage.ts'

const AT_ONCE = 100
/** Loopback source addresses: a single one has too few ports for many thousands of connections. */
const SOURCES = 8

const address = process.env['ADDRESS'] ?? ''
const count = Number(process.env['COUNT'] ?? 0)
let opened = 0

async function open(): Promise<void> {
  while (opened < count) {
    opened += 1
    const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, 'mangaassist.v1', {
      localAddress: `127.0.0.${1 + (opened % SOURCES)}`,
      perMessageDeflate: false,
    })
    await once(socket, 'message')
    socket.once('close', (code) => console.error(`closed by the server: ${code}`))
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, open))
reportUsage(address)
