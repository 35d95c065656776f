// Who may read the metrics of a node: a caller on the machine itself, an operator, or the holder of the metrics token.
// Metrics name models and their state, which is not public.
import type { IncomingMessage } from 'node:http'
import type { Config } from '#config/config.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { operatorTest } from './admins.ts'
import type { IdentifyAdmin } from './admins.ts'
import { hostNameOf, isLoopbackName } from '../http/hosts.ts'

export interface FiguresParts {
  readonly server: Config['server']
  readonly identifyAdmin: IdentifyAdmin
  /** `sha256:` and the digest in hex. */
  readonly metricsHash?: string | undefined
}

export type MayReadFigures = (request: IncomingMessage) => boolean

const BEARER = /^bearer +(\S+)$/i
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'] as const

export function figuresGuard({ identifyAdmin, metricsHash, server }: FiguresParts): MayReadFigures {
  /** From this machine directly: a request through a proxy or a tunnel on it is not local. */
  const isLocal = ({ headers, socket }: IncomingMessage): boolean =>
    !server.trustProxy &&
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    isLoopbackName(hostNameOf(headers.host ?? '') ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)

  const isAdmin = operatorTest(identifyAdmin)

  return (request) => {
    const { authorization } = request.headers
    if (authorization === undefined) return isLocal(request)
    const [, token] = BEARER.exec(authorization) ?? []
    const isReader = token !== undefined && metricsHash !== undefined && secretHash(token) === metricsHash
    return isReader || isAdmin(authorization) || isLocal(request)
  }
}
