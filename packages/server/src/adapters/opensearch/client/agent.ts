// Connections to OpenSearch with a deadline of their own: the client's timeout starts when the socket is there.
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { Clock } from '#ports/clock/port.ts'

const SOCKETS_MAX = 64

export function agentOf(
  node: string,
  { clock, connectMs }: { readonly clock: Pick<Clock, 'after'>; readonly connectMs: number },
): HttpAgent | HttpsAgent {
  const { protocol } = new URL(node)
  const options = { keepAlive: true, maxSockets: SOCKETS_MAX, maxFreeSockets: SOCKETS_MAX, scheduling: 'lifo' } as const
  const agent = protocol === 'http:' ? new HttpAgent(options) : new HttpsAgent(options)
  const connected = protocol === 'http:' ? 'connect' : 'secureConnect'
  const create = agent.createConnection.bind(agent)
  agent.createConnection = (...given: Parameters<typeof create>) => {
    const socket = create(...given) as Socket
    const timer = clock.after(connectMs, () => socket.destroy(new Error('ETIMEDOUT: no connection in time')))
    const clear = () => timer[Symbol.dispose]()
    socket.once(connected, clear).once('close', clear)
    return socket
  }
  return agent
}
