// The admin API for the nodes of the cluster: which there are, in which version, how busy, and which of them leads.
import { NodesView } from '@mangaassist/protocol/admin'
import type { App } from '#app/app.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { rejectedView } from '#services/lanes.ts'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const listNodes = {
  schema: {
    operationId: 'adminListNodes',
    summary: 'The nodes of the cluster, in the order in which they joined',
    description:
      'A node is left out when it stops, and when it has not announced itself for 15 seconds. On one machine there is one.',
    response: answers(NodesView),
  },
  config: { admin: true },
} satisfies RouteDescription

export function adminNodeRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/nodes', listNodes, async () => {
    const { at, nodes } = await app.admin.nodes()
    return success({ at: isoTime(at), nodes: nodes.map(viewOf) })
  })
}

function viewOf(node: Awaited<ReturnType<App['admin']['nodes']>>['nodes'][number]) {
  const { activity: _, isDraining: draining, isLeader: leader, isThis: self, rejected = [], ...rest } = node
  const { joinedAt, startedAt, waiting: __, ...view } = rest
  return {
    ...view,
    rejected: rejected.map(rejectedView),
    startedAt: isoTime(startedAt),
    joinedAt: isoTime(joinedAt),
    draining,
    leader,
    self,
  }
}
