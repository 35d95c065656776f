// The admin API for limits: those of tiers, those of single users, and resets of use.
import {
  AuditLine,
  ReasonRequest,
  ResetRequest,
  TierOverrideRequest,
  TierParams,
  TierView,
  UserOverrideRequest,
  UserOverrideView,
  UserParams,
  UserQuery,
  UserView,
} from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { answers, envelopes } from '../http/envelope.ts'
import { invalid } from '../http/problem.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

type LimitParts = Pick<HttpParts, 'app' | 'clock'>

const listTiers = {
  schema: {
    operationId: 'adminListTiers',
    summary: 'The limits of the tiers: configured, overridden, and effective',
    response: answers(Type.Array(TierView)),
  },
  config: { admin: true },
} satisfies RouteDescription

const setTier = {
  schema: {
    operationId: 'adminSetTier',
    summary: 'Override the configured limits of a tier',
    description: 'Replaces an earlier override. Takes effect on every node within seconds.',
    params: TierParams,
    body: TierOverrideRequest,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

const clearTier = {
  schema: {
    operationId: 'adminClearTier',
    summary: 'Remove the override of a tier',
    params: TierParams,
    querystring: ReasonRequest,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

export function adminTierRoutes(api: Routes, { app, clock }: LimitParts): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/tiers', listTiers, async () => success([...(await app.admin.tiers())]))

  api.put('/api/admin/tiers/:tier', setTier, async ({ admin, body, params }) =>
    success(await app.admin.setTier(params.tier, body.limits, authorOf(admin, body.reason))),
  )

  api.delete('/api/admin/tiers/:tier', clearTier, async ({ admin, params, query }) =>
    success(await app.admin.setTier(params.tier, undefined, authorOf(admin, query.reason))),
  )
}

const listOverrides = {
  schema: {
    operationId: 'adminListOverrides',
    summary: 'The users whose limits are overridden',
    response: answers(Type.Array(UserOverrideView)),
  },
  config: { admin: true },
} satisfies RouteDescription

const getUser = {
  schema: {
    operationId: 'adminGetUser',
    summary: 'A user’s limits of today: used, reserved and left',
    description: 'The tier is that of the user’s last answer today, else `free`; pass `tier` if you know it.',
    params: UserParams,
    querystring: UserQuery,
    response: answers(UserView),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const setOverride = {
  schema: {
    operationId: 'adminSetOverride',
    summary: 'Override the tier or the limits of a user',
    description: 'Replaces an earlier override. Takes effect on every node within seconds.',
    params: UserParams,
    body: UserOverrideRequest,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const clearOverride = {
  schema: {
    operationId: 'adminClearOverride',
    summary: 'Remove a user’s override',
    params: UserParams,
    querystring: ReasonRequest,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const resetUse = {
  schema: {
    operationId: 'adminResetUse',
    summary: 'Reset a user’s usage of today or of a conversation',
    description:
      'Reservations of running turns and the rows of the ledger stay; `before` in the reply is the usage that was reset.',
    params: UserParams,
    body: ResetRequest,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

export function adminUserRoutes(api: Routes, { app, clock }: LimitParts): void {
  const { success } = envelopes(clock)

  api.get('/api/admin/overrides', listOverrides, async () => success([...(await app.admin.userOverrides())]))

  api.get('/api/admin/users/:userId', getUser, async ({ params, query }) =>
    success(await app.admin.user(params.userId, query.tier)),
  )

  api.put('/api/admin/users/:userId/override', setOverride, async ({ admin, body, params }) =>
    success(await app.admin.setUser(params.userId, overrideIn(body), authorOf(admin, body.reason))),
  )

  api.delete('/api/admin/users/:userId/override', clearOverride, async ({ admin, params, query }) =>
    success(await app.admin.setUser(params.userId, undefined, authorOf(admin, query.reason))),
  )

  api.post('/api/admin/users/:userId/reset', resetUse, async ({ admin, body, params }) => {
    const author = authorOf(admin, body.reason)
    const { userId } = params
    if (body.scope === 'day') return success(await app.admin.reset({ scope: 'day', userId }, author))
    if (body.sessionId === undefined) throw invalid('sessionId', 'is required')
    return success(await app.admin.reset({ scope: 'session', sessionId: body.sessionId, userId }, author))
  })
}

function overrideIn({ expiresAt, limits, tier }: UserOverrideRequest) {
  if (tier === undefined && limits === undefined) throw invalid('body', 'needs a tier or limits')
  return {
    ...(tier === undefined ? {} : { tier }),
    ...(limits === undefined ? {} : { limits }),
    ...(expiresAt === undefined ? {} : { expiresAt: momentOf(expiresAt) }),
  }
}

function momentOf(text: string): number {
  const at = fromIsoTime(text)
  if (at === undefined) throw invalid('expiresAt', 'must be a moment such as 2026-12-24T18:00:00+09:00')
  return at
}
