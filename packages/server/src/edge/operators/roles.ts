// The roles of operators and the one table of what each may do. A route of the admin API that is not in the table does not
// start a server; a role may do what the roles below it may.
import { ROLES } from '@mangaassist/protocol/admin'
import type { Role } from '@mangaassist/protocol/admin'
import { Refusal } from '#domain/refusal.ts'
import type { Admin } from '../admin/admins.ts'

/** `anyone` is for signing in, which is how a caller becomes an operator. */
export type LeastRole = Role | 'anyone'

/**
 * The least role for each route. Viewers read figures and settings, not the texts of conversations; operators act on the service; administrators
 * also export and erase people, copy the store and replace the catalogue.
 */
const LEAST_ROLES: Readonly<Record<string, LeastRole>> = {
  'POST /api/admin/session': 'anyone',
  'GET /api/admin/session': 'viewer',
  'DELETE /api/admin/session': 'viewer',

  'GET /api/admin/alarms': 'viewer',
  'GET /api/admin/audit': 'viewer',
  'GET /api/admin/blocks': 'viewer',
  'GET /api/admin/catalogue': 'viewer',
  'GET /api/admin/catalogue/products': 'viewer',
  'GET /api/admin/experiments': 'viewer',
  'GET /api/admin/experiments/:name/report': 'viewer',
  'GET /api/admin/feedback': 'viewer',
  // Its texts, which need a reason, are for operators: the route asks for that itself.
  'GET /api/admin/feedback/worst': 'viewer',
  'GET /api/admin/lanes': 'viewer',
  'GET /api/admin/maintenance': 'viewer',
  'GET /api/admin/models': 'viewer',
  'GET /api/admin/nodes': 'viewer',
  'GET /api/admin/overrides': 'viewer',
  'GET /api/admin/overview': 'viewer',
  'GET /api/admin/search': 'viewer',
  'GET /api/admin/settings': 'viewer',
  'GET /api/admin/spenders': 'viewer',
  'GET /api/admin/tiers': 'viewer',
  'GET /api/admin/turn-records': 'viewer',
  'GET /api/admin/turns/:id': 'viewer',
  'GET /api/admin/usage': 'viewer',
  // Compares, and changes nothing: it is a POST because a bill does not fit into an address.
  'POST /api/admin/usage/reconcile': 'viewer',
  'GET /api/admin/usage/rows': 'viewer',
  'GET /api/admin/users/:userId': 'viewer',
  'GET /api/admin/users/:userId/conversations': 'viewer',

  'POST /api/admin/alarms/:id/silence': 'operator',
  'POST /api/admin/alarms/test': 'operator',
  'PUT /api/admin/blocks': 'operator',
  'DELETE /api/admin/blocks': 'operator',
  'GET /api/admin/conversations/:sessionId': 'operator',
  'POST /api/admin/experiments/:name/start': 'operator',
  'POST /api/admin/experiments/:name/stop': 'operator',
  // They contain what shoppers wrote.
  'GET /api/admin/handovers': 'operator',
  'POST /api/admin/handovers/:handoverId/close': 'operator',
  'POST /api/admin/handovers/:handoverId/take': 'operator',
  'POST /api/admin/lanes/:lane': 'operator',
  'POST /api/admin/maintenance': 'operator',
  'POST /api/admin/prewarm': 'operator',
  'PUT /api/admin/settings': 'operator',
  'PUT /api/admin/tiers/:tier': 'operator',
  'DELETE /api/admin/tiers/:tier': 'operator',
  'PUT /api/admin/users/:userId/override': 'operator',
  'DELETE /api/admin/users/:userId/override': 'operator',
  'POST /api/admin/users/:userId/reset': 'operator',

  'GET /api/admin/users/:userId/export': 'admin',
  'POST /api/admin/users/:userId/erase': 'admin',
  'POST /api/admin/backup': 'admin',
  'POST /api/admin/catalogue/imports': 'admin',
  'POST /api/admin/catalogue/imports/:importId/rows': 'admin',
  'POST /api/admin/catalogue/imports/:importId/commit': 'admin',
  'DELETE /api/admin/catalogue/imports/:importId': 'admin',
}

/** For the test that compares the table with the routes. */
export const routesWithRoles: readonly string[] = Object.keys(LEAST_ROLES)

/** Throws for a route without a row: it must not be open to every role, nor be found missing by an operator. */
export function leastRoleOf(method: string, url: string): LeastRole {
  const role = LEAST_ROLES[`${method} ${url}`]
  if (role === undefined) throw new Error(`${method} ${url} has no role in edge/operators/roles.ts`)
  return role
}

/** Throws FORBIDDEN with the role that is needed. */
export function requireRole({ role }: Pick<Admin, 'role'>, needed: Role): void {
  if (ROLES.indexOf(role) < ROLES.indexOf(needed))
    throw new Refusal('FORBIDDEN', { details: { reason: 'role', role, needed } })
}
