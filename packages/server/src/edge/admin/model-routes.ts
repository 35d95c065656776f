// The admin API for what the models did: figures, faults and the phases of their lanes in the hours before a moment; what routing
// would save while it is off; and whether the models are slower than the first word is promised.
import { ModelsQuery, ModelsView } from '@mangaassist/protocol/admin'
import type { App } from '#app/app.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { rejectedView } from '#services/lanes.ts'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'

const HOURS_DEFAULT = 24

const getModels = {
  schema: {
    operationId: 'adminModels',
    summary:
      'What each model did in some hours: calls, faults with the vendor’s words, latency, cost, share; and how its lane was',
    description:
      'Counted by quarters of an hour (a first one that is cut by the time is counted whole), kept for eight days. Nodes store their counts every 15 seconds.',
    querystring: ModelsQuery,
    response: answers(ModelsView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

export function adminModelRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/models', getModels, async ({ query }) => {
    const { hours = HOURS_DEFAULT, to } = query
    const report = await app.admin.modelsReport({ hours, ...(to === undefined ? {} : { to }) })
    const routing = app.admin.routingProposal()
    return success({ ...viewOf(report), ...(routing === undefined ? {} : { routing }) })
  })
}

type Report = Awaited<ReturnType<App['admin']['modelsReport']>>

function viewOf({ from, lanes, models, slow, stepMs, tiers, to, turns }: Report): ModelsView {
  return {
    from: isoTime(from),
    to: isoTime(to),
    stepMs,
    turns,
    tiers,
    models: models.map(({ faults, history, name: model, rejected, ...figures }) => ({
      model,
      ...figures,
      rejected: rejected === null ? null : rejectedView(rejected),
      share: turns === 0 ? null : figures.answers / turns,
      faults: faults.map(({ lastAt, model: _, ...fault }) => ({ ...fault, lastAt: isoTime(lastAt) })),
      history: history.map(({ at, ...step }) => ({ at: isoTime(at), ...step })),
    })),
    lanes: lanes.map(laneView),
    ...(slow === undefined ? {} : { slow }),
  }
}

function laneView({ changes, models, spans, ...lane }: Report['lanes'][number]) {
  return {
    ...lane,
    models: [...models],
    spans: spans.map((span) => ({ ...span, from: isoTime(span.from), to: isoTime(span.to) })),
    changes: changes.map(({ at, by, calls, failures, from, to, why }) => ({
      at: isoTime(at),
      from,
      to,
      why,
      ...(by === undefined ? {} : { by }),
      calls,
      failures,
    })),
  }
}
