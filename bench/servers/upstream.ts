// A vendor for measurements: 64 deltas of the OpenAI wire, 5 ms apart, and no work of its own.
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { reportUsage } from './report-usage.ts'
import { DELTA_MS, DELTA_TEXT, DELTAS } from './scripted-model.ts'

const event = (body: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'bench', ...body })}\n\n`
const delta = event({ choices: [{ index: 0, delta: { content: DELTA_TEXT }, finish_reason: null }] })
const end = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
const usage = event({
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: DELTAS, total_tokens: 100 + DELTAS },
})

async function answer(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let index = 0; index < DELTAS; index += 1) {
    if (index > 0) await sleep(DELTA_MS)
    response.write(delta)
  }
  response.end(`${end}${usage}data: [DONE]\n\n`)
}

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => void answer(response))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  reportUsage(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
})
