// The admin API for experiments: which are configured and run, starting and stopping one, and its report.
import {
  AuditLine,
  ExperimentParams,
  ExperimentReportView,
  ExperimentView,
  ReasonRequest,
  ReportQuery,
} from '@mangaassist/protocol/admin'
import type { ExperimentReportView as ReportView, ExperimentView as View } from '@mangaassist/protocol/admin'
import Type from 'typebox'
import type { App } from '#app/app.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { answers, envelopes } from '../http/envelope.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

const listExperiments = {
  schema: {
    operationId: 'adminListExperiments',
    summary: 'The configured experiments with their arms, and who started or stopped them',
    response: answers(Type.Array(ExperimentView)),
  },
  config: { admin: true },
} satisfies RouteDescription

const startExperiment = {
  schema: {
    operationId: 'adminStartExperiment',
    summary: 'Start a configured experiment',
    description:
      'Takes effect on every node within seconds. A stopped one starts again with the same arm for each user.',
    params: ExperimentParams,
    body: ReasonRequest,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

const stopExperiment = {
  schema: {
    operationId: 'adminStopExperiment',
    summary: 'Stop a running experiment',
    description: 'Every shopper gets the configured settings again, on every node within seconds. Its report stays.',
    params: ExperimentParams,
    body: ReasonRequest,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

const experimentReport = {
  schema: {
    operationId: 'adminExperimentReport',
    summary: 'The outcomes of each arm since the last start, compared with control',
    description: 'The intervals hold at all readings together, so the report may be read at any time.',
    params: ExperimentParams,
    querystring: ReportQuery,
    response: answers(ExperimentReportView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

export function adminExperimentRoutes(api: Routes, { app, clock }: Pick<HttpParts, 'app' | 'clock'>): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/experiments', listExperiments, async () => success((await app.admin.experiments()).map(viewOf)))

  api.post('/api/admin/experiments/:name/start', startExperiment, async ({ admin, body, params }) =>
    success(await app.admin.startExperiment(params.name, authorOf(admin, body.reason))),
  )

  api.post('/api/admin/experiments/:name/stop', stopExperiment, async ({ admin, body, params }) =>
    success(await app.admin.stopExperiment(params.name, authorOf(admin, body.reason))),
  )

  api.get('/api/admin/experiments/:name/report', experimentReport, async ({ params, query }) =>
    success(reportOf(await app.admin.experimentReport(params.name, query.effect))),
  )
}

type Overview = Awaited<ReturnType<App['admin']['experiments']>>[number]
type Report = Awaited<ReturnType<App['admin']['experimentReport']>>

function viewOf({ arms, started, stopped, ...rest }: Overview): View {
  const ofArms = arms.map((arm) => ({ ...arm, changes: [...arm.changes], stopped: timed(arm.stopped) }))
  return { ...rest, arms: ofArms, started: timed(started), stopped: timed(stopped) }
}

function reportOf({ arms, from, to, ...rest }: Report): ReportView {
  const ofArms = arms.map(({ outcomes, stoppedAt, ...arm }) => ({
    ...arm,
    stoppedAt: stoppedAt === null ? null : isoTime(stoppedAt),
    outcomes: [...outcomes],
  }))
  return { ...rest, from: isoTime(from), to: to === null ? null : isoTime(to), arms: ofArms }
}

function timed<Stop extends { readonly at: number }>(stop: Stop | null) {
  return stop === null ? null : { ...stop, at: isoTime(stop.at) }
}
