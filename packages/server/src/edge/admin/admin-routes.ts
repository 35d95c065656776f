// The operators' API: tiers, single users, resets, and the audit of all that; usage and lanes have files of their own. Every change says why.
import { EnvelopeMetadata, successEnvelope } from '@mangaassist/protocol'
import Type from 'typebox'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import {
  AuditLine,
  AuditQuery,
  PagedMetadata,
  Reason,
  ResetRequest,
  TierOverride,
  TierView,
  UserId,
  UserOverrideRequest,
  UserOverrideView,
  UserView,
} from './schemas.ts'
import { adminDataRoutes } from './data-routes.ts'
import { adminLaneRoutes } from './lane-routes.ts'
import { adminUsageRoutes } from './usage-routes.ts'
import { invalid } from '../http/problem.ts'
import type { HttpParts, Routes } from '../http/route-parts.ts'

const TierParams = Type.Object({ tier: Type.String({ minLength: 1, maxLength: 64 }) })
const UserParams = Type.Object({ userId: UserId })
const AUDIT_DEFAULT = 100

export function adminRoutes(api: Routes, parts: HttpParts): void {
  api.decorateRequest('admin')
  api.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      request.admin = parts.identifyAdmin(request.headers.authorization)
    } catch (error) {
      // A guess that failed is worth a line; how often one may guess is the gate's business.
      const fields = { requestId: request.id, network: parts.nameNetwork(request.raw) }
      parts.telemetry.log('warn', 'admin.refused', fields)
      throw error
    }
  })
  tierRoutes(api, parts)
  userRoutes(api, parts)
  auditRoute(api, parts)
  adminUsageRoutes(api, parts)
  adminLaneRoutes(api, parts)
  adminDataRoutes(api, parts)
}

function tierRoutes(api: Routes, { app, clock }: HttpParts): void {
  const answer = answering(clock)

  api.get(
    '/api/admin/tiers',
    {
      schema: {
        operationId: 'adminListTiers',
        summary: 'The tiers: as configured, as overridden, and as they count',
        response: described(Type.Array(TierView)),
      },
      config: { admin: true },
    },
    async () => answer([...(await app.admin.tiers())]),
  )

  api.put(
    '/api/admin/tiers/:tier',
    {
      schema: {
        operationId: 'adminSetTier',
        summary: 'Put figures in place of the configured ones of a tier',
        description: 'Replaces the override that was there. It counts on every node within seconds.',
        params: TierParams,
        body: Type.Object({ limits: TierOverride, reason: Reason }),
        response: described(AuditLine),
      },
      config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
    },
    async ({ admin, body, params }) =>
      answer(await app.admin.setTier(params.tier, body.limits, { by: admin.name, reason: body.reason })),
  )

  api.delete(
    '/api/admin/tiers/:tier',
    {
      schema: {
        operationId: 'adminClearTier',
        summary: 'Bring the configured figures of a tier back',
        params: TierParams,
        querystring: Type.Object({ reason: Reason }),
        response: described(AuditLine),
      },
      config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
    },
    async ({ admin, params, query }) =>
      answer(await app.admin.setTier(params.tier, undefined, { by: admin.name, reason: query.reason })),
  )
}

function userRoutes(api: Routes, { app, clock }: HttpParts): void {
  const answer = answering(clock)

  api.get(
    '/api/admin/overrides',
    {
      schema: {
        operationId: 'adminListOverrides',
        summary: 'The users with limits of their own',
        response: described(Type.Array(UserOverrideView)),
      },
      config: { admin: true },
    },
    async () => answer([...(await app.admin.userOverrides())]),
  )

  api.get(
    '/api/admin/users/:userId',
    {
      schema: {
        operationId: 'adminGetUser',
        summary: 'What a user may use today, has used, has reserved and has left',
        description: 'Their tier is the one of their last answer today, else `free`; `tier` says it better.',
        params: UserParams,
        querystring: Type.Object({ tier: Type.Optional(Type.String({ maxLength: 64 })) }),
        response: described(UserView),
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ params, query }) => answer(await app.admin.user(params.userId, query.tier)),
  )

  api.put(
    '/api/admin/users/:userId/override',
    {
      schema: {
        operationId: 'adminSetOverride',
        summary: 'Give a user another tier or limits of their own',
        description: 'Replaces the override that was there. It counts on every node within seconds.',
        params: UserParams,
        body: UserOverrideRequest,
        response: described(AuditLine),
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ admin, body, params }) => {
      const { expiresAt, limits, reason, tier } = body
      if (tier === undefined && limits === undefined) throw invalid('body', 'needs a tier or limits')
      const override = {
        ...(tier === undefined ? {} : { tier }),
        ...(limits === undefined ? {} : { limits }),
        ...(expiresAt === undefined ? {} : { expiresAt: momentOf(expiresAt) }),
      }
      return answer(await app.admin.setUser(params.userId, override, { by: admin.name, reason }))
    },
  )

  api.delete(
    '/api/admin/users/:userId/override',
    {
      schema: {
        operationId: 'adminClearOverride',
        summary: 'Take a user’s override away',
        params: UserParams,
        querystring: Type.Object({ reason: Reason }),
        response: described(AuditLine),
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ admin, params, query }) =>
      answer(await app.admin.setUser(params.userId, undefined, { by: admin.name, reason: query.reason })),
  )

  api.post(
    '/api/admin/users/:userId/reset',
    {
      schema: {
        operationId: 'adminResetUse',
        summary: 'Count what a user used today, or in a conversation, as nothing',
        description:
          'What is reserved stays reserved, and the ledger keeps every row: `before` of the answer is what was taken off the limits.',
        params: UserParams,
        body: ResetRequest,
        response: described(AuditLine),
      },
      config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
    },
    async ({ admin, body, params }) => {
      const author = { by: admin.name, reason: body.reason }
      const { userId } = params
      if (body.scope === 'day') return answer(await app.admin.reset({ scope: 'day', userId }, author))
      if (body.sessionId === undefined) throw invalid('sessionId', 'is required')
      return answer(await app.admin.reset({ scope: 'session', sessionId: body.sessionId, userId }, author))
    },
  )
}

function auditRoute(api: Routes, { app, clock }: HttpParts): void {
  api.get(
    '/api/admin/audit',
    {
      schema: {
        operationId: 'adminAudit',
        summary: 'Every change, newest first: who, when, what, from what to what, and why',
        querystring: AuditQuery,
        response: { 200: successEnvelope(Type.Array(AuditLine), PagedMetadata) },
      },
      config: { admin: true, errors: ['INVALID_REQUEST'] },
    },
    async ({ query }) => {
      const { after, limit = AUDIT_DEFAULT, subject } = query
      const below = after === undefined ? undefined : Number(after)
      if (below !== undefined && !Number.isSafeInteger(below))
        throw invalid('after', 'is not the `next` of a page before')
      const lines = await app.admin.audit({
        limit,
        ...(below === undefined ? {} : { below }),
        ...(subject === undefined ? {} : { subject }),
      })
      const last = lines.length === limit ? lines.at(-1) : undefined
      const next = last === undefined ? {} : { next: String(last.number) }
      return { success: true as const, data: [...lines], metadata: { timestamp: isoTime(clock.now()), ...next } }
    },
  )
}

const described = <Data extends Type.TSchema>(data: Data) => ({ 200: successEnvelope(data, EnvelopeMetadata) })

function answering(clock: HttpParts['clock']) {
  return <Data>(data: Data) => ({ success: true as const, data, metadata: { timestamp: isoTime(clock.now()) } })
}

function momentOf(text: string): number {
  const at = fromIsoTime(text)
  if (at === undefined) throw invalid('expiresAt', 'must be a moment such as 2026-12-24T18:00:00+09:00')
  return at
}
