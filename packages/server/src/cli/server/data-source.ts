// Where `forget` and `export` do their work: over the admin API of the running server of this configuration
// or of the one at --url; only when no server runs, on the stores themselves.
import type { AdminClient } from '@mangaassist/client/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { oneLine } from '#lib/text/readable.ts'
import { openApp } from '#wiring/profiles/open-app.ts'
import type { Admin } from '#wiring/profiles/open-app.ts'
import { adminApi } from './admin-api.ts'
import type { Terminal } from '../command.ts'
import { isAlive, usualUrl } from './find-server.ts'

/** The author in the audit when no server, and therefore no token, was used. */
const BY = 'command line'

interface Work<Result> {
  readonly over: (api: AdminClient) => Promise<Result>
  readonly on: (admin: Admin, author: { readonly by: string; readonly reason: string }) => Promise<Result>
  readonly reason: string
}

export async function withData<Result>(
  terminal: Terminal,
  url: string | undefined,
  { on, over, reason }: Work<Result>,
): Promise<Result> {
  const { env, workspaceRoot } = terminal
  const { server } = await loadConfig({ env, workspaceRoot, clock: systemClock() })
  const usual = usualUrl(server)
  if (url !== undefined || (await isAlive(usual))) return over(adminApi(url ?? usual, env))
  await using opened = await openApp({ env, workspaceRoot })
  // Awaited here, because the stores are closed when this function returns.
  return await on(opened.app.admin, { by: BY, reason: oneLine(reason) })
}
