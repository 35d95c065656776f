// Decides whether a client may open a connection, by whatever transport: host and origin, the number of open connections,
// the shared rate, identity, and the connections of one network and of one principal. A refusal releases all it took.
import { closeCodes } from '@mangaassist/protocol'
import type { App } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import { Refusal } from '#domain/refusal.ts'
import { originAllowed, pageOrigin } from '../http/origin.ts'
import type { Addressed } from '../http/origin.ts'
import type { Identify, Identity } from '../identity/auth.ts'
import { guestCookiesIn } from '../identity/guest-cookie.ts'
import { memberTokenIn } from '../identity/member-cookie.ts'
import { Seats } from './seats.ts'

/** The request for a connection. */
export interface ConnectionRequest {
  /** Whether the requested host is ours. */
  readonly isOurHost: boolean
  readonly addressed: Addressed
  readonly origin: string | undefined
  readonly authorization: string | undefined
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly ticket: string | undefined
  /** A pseudonym of the caller's network. */
  readonly network: string
}

export interface AdmittedConnection {
  readonly kind: 'admitted'
  readonly identity: Identity
  /** Its seat among the open connections: must be disposed when the connection ends. */
  readonly seat: Disposable
  /** Releases everything when it does not become a connection after all. */
  readonly undo: () => void
}

export interface RefusedConnection {
  readonly kind: 'refused'
  readonly refusal: unknown
  /** One of `closeCodes`. */
  readonly code: number
  readonly reason: string
  /** Set when the caller was refused after it was identified: its cookie is changed nevertheless. */
  readonly identity?: Identity
}

export type AdmitConnection = (request: ConnectionRequest) => Promise<AdmittedConnection | RefusedConnection>

interface AdmissionParts {
  readonly app: Pick<App, 'connect'>
  readonly config: Pick<Config, 'server' | 'rates'>
  readonly identify: Identify
}

/** Shared by all doors of a node: its limits are the node's. */
export function connectionAdmitter({ app, config, identify }: AdmissionParts): AdmitConnection {
  const { rates, server } = config
  const allSeats = new Seats(server.connectionsMax)
  const networkSeats = new Seats(rates.address.connectionsMax)
  const principalSeats = new Seats(rates.userConnectionsMax)

  return async (request) => {
    if (!request.isOurHost || !originAllowed(request.origin, request.addressed, server)) return foreignOrigin()
    using seats = new DisposableStack()
    using rate = new DisposableStack()
    let identity: Identity | undefined
    try {
      if (!allSeats.hasRoom(NODE)) refuseAsTooMany()
      // The network's own limit first: a refusal by it costs nothing that all share.
      seats.use(networkSeats.take(request.network) ?? refuseAsTooMany('address-connections'))
      const token = await app.connect().catch((error: unknown) => tooMany(error))
      if ('kind' in token) return token
      rate.defer(() => token.undo())
      identity = await identify(credentialsOf(request, server))
      // Other connections may have opened while an issuer was asked.
      seats.use(allSeats.take(NODE) ?? refuseAsTooMany())
      seats.use(principalSeats.take(identity.principal.id) ?? refuseAsTooMany('connections-of-user'))
    } catch (error) {
      return { ...refusedFor(error), ...(identity === undefined ? {} : { identity }) }
    }
    const seat = seats.move()
    const spent = rate.move()
    const undo = () => {
      seat.dispose()
      spent.dispose()
    }
    return { kind: 'admitted', identity, seat, undo }
  }
}

/** All connections of the node have one holder. */
const NODE = 'node'

function credentialsOf(
  { addressed, authorization, cookies, origin, ticket }: ConnectionRequest,
  server: Config['server'],
) {
  return {
    authorization,
    ...guestCookiesIn(cookies, addressed.secure),
    ...memberTokenIn(cookies, addressed.secure),
    origin: pageOrigin({ origin }, addressed, server),
    ticket,
  }
}

function foreignOrigin(): RefusedConnection {
  return {
    kind: 'refused',
    refusal: new Refusal('FORBIDDEN'),
    code: closeCodes.policy,
    reason: 'origin not allowed',
  }
}

function tooMany(refusal: unknown): RefusedConnection {
  return { kind: 'refused', refusal, code: closeCodes.tooManyConnections, reason: 'too many connections' }
}

function refuseAsTooMany(scope?: string): never {
  throw new Refusal('RATE_LIMITED', scope === undefined ? {} : { details: { scope } })
}

function refusedFor(error: unknown): RefusedConnection {
  if (error instanceof Refusal && error.code === 'RATE_LIMITED') return tooMany(error)
  // When the identity cannot be checked now, the caller is not at fault and may retry.
  const isOurs = !(error instanceof Refusal) || error.code !== 'UNAUTHENTICATED'
  const [code, reason] = isOurs
    ? ([closeCodes.internal, 'identity could not be verified'] as const)
    : ([closeCodes.policy, 'identity not verified'] as const)
  return { kind: 'refused', refusal: error, code, reason }
}
