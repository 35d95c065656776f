// The bare relay that ours is compared with: the same deltas at the same pace, written to the socket, with nothing
// stored, counted or checked.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { reportUsage } from './report-usage.ts'
import { DELTA_MS, DELTA_TEXT, DELTAS } from './scripted-model.ts'

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => void answer(response))
})

async function answer(response: import('node:http').ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let index = 0; index < DELTAS; index += 1) {
    if (index > 0) await sleep(DELTA_MS)
    response.write(`event: chunk\ndata: ${JSON.stringify({ text: DELTA_TEXT })}\n\n`)
  }
  response.end('event: done\ndata: {}\n\n')
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  reportUsage(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
})
