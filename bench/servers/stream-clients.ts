// Clients that ask and read: `COUNT` of them at `ADDRESS`. On request they report the delays of frames since the last
// report: from the oldest token in a frame to its arrival here, on the same machine's clock.
import { once } from 'node:events'
import { WebSocket } from 'ws'

const AT_ONCE = 50
const address = process.env['ADDRESS'] ?? ''
const count = Number(process.env['COUNT'] ?? 0)
const TEXT = /"text":"(\d+) /
let lateMs: number[] = []
let betweenMs: number[] = []
let bytes = 0
let firstMs: number[] = []
let done = 0
let opened = 0

export interface Lateness {
  readonly lateMs: readonly number[]
  readonly betweenMs: readonly number[]
  readonly firstMs: readonly number[]
  readonly bytes: number
  readonly done: number
}

async function open(): Promise<void> {
  while (opened < count) {
    const number = (opened += 1)
    const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, 'mangaassist.v1', { perMessageDeflate: false })
    await once(socket, 'message')
    socket.on('error', (error) => console.error(error.message))
    socket.on('close', (code) => code !== 1006 && code !== 1005 && console.error(`closed by the server: ${code}`))
    const askedAt = performance.now()
    let last: number | undefined
    socket.on('message', (data: Buffer) => {
      const text = data.toString('latin1')
      bytes += data.length
      if (text.startsWith('{"type":"error"')) console.error(text)
      if (text.startsWith('{"type":"done"')) done += 1
      const sentAt = TEXT.exec(text.slice(0, 300))?.[1]
      if (sentAt === undefined) return
      const now = performance.now()
      if (last === undefined) firstMs.push(now - askedAt)
      else betweenMs.push(now - last)
      last = now
      lateMs.push((Date.now() % 10_000_000) - Number(sentAt))
    })
    socket.send(JSON.stringify({ type: 'chat', requestId: `r${number}`, message: `question ${number}` }))
  }
}

process.on('message', () => {
  process.send?.({ lateMs, betweenMs, firstMs, bytes, done } satisfies Lateness)
  lateMs = []
  betweenMs = []
  firstMs = []
  bytes = 0
})
process.on('disconnect', () => process.exit(0))
await Promise.all(Array.from({ length: AT_ONCE }, open))
process.send?.({ address })
