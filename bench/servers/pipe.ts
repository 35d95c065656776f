// A bare relay of the OpenAI wire: pipes a request to the vendor and the answer back.
import { Agent, createServer, request as ask } from 'node:http'
import { reportUsage } from './report-usage.ts'

const vendor = new URL(process.env['UPSTREAM'] ?? '')
const agent = new Agent({ keepAlive: true, maxSockets: 25 })

const server = createServer((incoming, response) => {
  const headers = { 'content-type': 'application/json', 'content-length': incoming.headers['content-length'] }
  const outgoing = ask(new URL(incoming.url ?? '/', vendor), { method: 'POST', agent, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] ?? '' })
    answer.pipe(response)
  })
  incoming.pipe(outgoing)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  reportUsage(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
})
