// The admin API for blocks: who is blocked, blocking and unblocking. The target is in the body or the query, because a network has
// a slash.
import { AuditLine, BlockRequest, BlockView, UnblockQuery } from '@mangaassist/protocol/admin'
import Type from 'typebox'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { answers, envelopes } from '../http/envelope.ts'
import { clientAddress } from '../http/network.ts'
import { invalid } from '../http/problem.ts'
import type { HttpParts, RouteDescription, Routes } from '../http/route-parts.ts'
import { authorOf } from './author.ts'

const listBlocks = {
  schema: {
    operationId: 'adminListBlocks',
    summary: 'The users, guests, API keys, addresses and networks that are blocked: by whom, why and until when',
    response: answers(Type.Array(BlockView)),
  },
  config: { admin: true },
} satisfies RouteDescription

const setBlock = {
  schema: {
    operationId: 'adminBlock',
    summary: 'Block a user, a guest, an API key, an address or a network',
    description:
      'Takes effect on every node within a second, survives restarts, and replaces an earlier block of the same target. Answers in flight are ' +
      'finished. The server’s own machine and your own address are refused without `force`.',
    body: BlockRequest,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST'] },
} satisfies RouteDescription

const removeBlock = {
  schema: {
    operationId: 'adminUnblock',
    summary: 'Remove a block',
    querystring: UnblockQuery,
    response: answers(AuditLine),
  },
  config: { admin: true, errors: ['INVALID_REQUEST', 'NOT_FOUND'] },
} satisfies RouteDescription

export function adminBlockRoutes(api: Routes, { app, clock, config }: Pick<HttpParts, 'app' | 'clock' | 'config'>) {
  const { success } = envelopes(clock)

  api.get('/api/admin/blocks', listBlocks, async () => success([...(await app.admin.blocks())]))

  api.put('/api/admin/blocks', setBlock, async ({ admin, body, raw }) => {
    const { force = false, reason, target, until } = body
    const expiresAt = until === undefined ? undefined : fromIsoTime(until)
    if (until !== undefined && expiresAt === undefined)
      throw invalid('until', 'must be a moment such as 2026-12-24T18:00:00+09:00')
    const callerAddress = clientAddress(raw, config.server)
    const request = { target, force, callerAddress, ...(expiresAt === undefined ? {} : { expiresAt }) }
    return success(await app.admin.block(request, authorOf(admin, reason)))
  })

  api.delete('/api/admin/blocks', removeBlock, async ({ admin, query }) =>
    success(await app.admin.unblock(query.target, authorOf(admin, query.reason))),
  )
}
