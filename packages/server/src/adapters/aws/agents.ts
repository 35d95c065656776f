// Keep-alive connections to AWS with a connect timeout that a busy process does not use up: the SDK's own timer fires
// before such a process has read that the connection is open.
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Socket } from 'node:net'
import { fairTimers } from '#lib/time/fair-timers.ts'
import type { Clock } from '#ports/clock/port.ts'

export interface AgentLimits {
  readonly connectMs: number
  readonly connectionsMax: number
}

export function awsAgents(
  clock: Clock,
  limits: AgentLimits,
): { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent } {
  const pool = { keepAlive: true, maxSockets: limits.connectionsMax }
  const timers = fairTimers({ clock })
  const limited = <Agent extends HttpAgent>(agent: Agent): Agent => {
    const connect = agent.createConnection.bind(agent)
    agent.createConnection = (options, callback) => {
      const socket = connect(options, callback)
      if (socket instanceof Socket) boundConnecting(socket, timers, limits.connectMs)
      return socket
    }
    return agent
  }
  return { httpAgent: limited(new HttpAgent(pool)), httpsAgent: limited(new HttpsAgent(pool)) }
}

function boundConnecting(socket: Socket, timers: ReturnType<typeof fairTimers>, connectMs: number): void {
  if (!socket.connecting) return
  const timer = timers.after(connectMs, () => socket.destroy(new NotConnected(connectMs)))
  const stop = () => timer[Symbol.dispose]()
  socket.once('connect', stop)
  socket.once('close', stop)
}

/** Has the code that the operating system would use. */
class NotConnected extends Error {
  readonly code = 'ECONNREFUSED'

  constructor(connectMs: number) {
    super(`no connection within ${connectMs} ms`)
    this.name = 'NotConnected'
  }
}
