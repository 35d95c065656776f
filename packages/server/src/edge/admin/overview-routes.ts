// The admin API for the overview of the cluster, which the console and `mangaassist top` poll.
import { OverviewView } from '@mangaassist/protocol/admin'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const getOverview = {
  schema: {
    operationId: 'adminOverview',
    summary: 'The whole cluster at a glance: each node, their sum, half an hour of history, lanes and spending',
    description: 'Read at most once a second, for any number of callers.',
    response: answers(OverviewView),
  },
  config: { admin: true },
} satisfies RouteDescription

export function adminOverviewRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/overview', getOverview, async () => success(await app.admin.overview()))
}
