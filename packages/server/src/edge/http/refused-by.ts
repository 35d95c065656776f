// Who an HTTP request came from, for the record of its refusal. Only requests of shoppers and programs are recorded: operators have the
// audit, and a page that does not exist is not worth a record.
import type { FastifyRequest } from 'fastify'
import type { RefusedBy } from '#domain/turn-records/refused-by.ts'
import { doorOf, routeOf } from './request-scope.ts'
import type { NameNetwork } from './network.ts'

export function refusedBy(request: FastifyRequest, nameNetwork: NameNetwork): RefusedBy | undefined {
  const [door, route] = [doorOf(request), routeOf(request)]
  if (door === 'admin' || !/^\/(api|v1)\//.test(route)) return undefined
  return {
    door,
    route: `${request.method} ${route}`,
    // Absent where the request was refused before its caller was known.
    principal: request.principal,
    requestId: request.id,
    network: () => nameNetwork(request.raw),
  }
}
