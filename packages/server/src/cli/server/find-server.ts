// The server that a command uses: the one at --url, the one that already runs here, or one that the command starts on a
// free port with the same data, and stops at its end.
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { CommandError } from '../command.ts'
import type { Terminal } from '../command.ts'

export interface FoundServer extends AsyncDisposable {
  readonly url: string
  /** It uses our own DATA_DIR, whatever its port. */
  readonly isOwn: boolean
  readonly dataDir: string
}

/** A server that has just started may be busy with its index for seconds on a slow machine. */
const HEALTH_MS_MAX = 5000
const isThere = { [Symbol.asyncDispose]: () => Promise.resolve() }

export async function findServer(url: string | undefined, terminal: Terminal): Promise<FoundServer> {
  const { env, workspaceRoot } = terminal
  const { server } = await loadConfig({ env, workspaceRoot, clock: systemClock() })
  if (url !== undefined) {
    if (await isAlive(url)) return { url, isOwn: false, dataDir: server.dataDir, ...isThere }
    throw new CommandError(`No MangaAssist answers at ${url}. Is it running, and is that its address?`)
  }
  const usual = usualUrl(server)
  if (await isAlive(usual)) return { url: usual, isOwn: true, dataDir: server.dataDir, ...isThere }
  // The whole server, which a command needs only here.
  const { serve } = await import('#main.ts')
  const started = await serve({ env: quietly(env), workspaceRoot, print: () => {} })
  return { url: started.address, isOwn: true, dataDir: server.dataDir, [Symbol.asyncDispose]: () => started.close() }
}

/** The address of the server of this configuration, as seen from this machine. */
export function usualUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${reachable(host)}:${port}`
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

export async function isAlive(url: string): Promise<boolean> {
  const answer = await get(url, '/healthz')
  return answer?.isOk === true
}

/** The status of the MangaAssist at the address, such as `ready`; undefined when none answers there. */
export async function healthOf(url: string): Promise<string | undefined> {
  const alive = await get(url, '/healthz')
  if (alive?.status !== 'alive') return undefined
  return (await get(url, '/readyz'))?.status
}

async function get(url: string, path: string): Promise<{ isOk: boolean; status: string | undefined } | undefined> {
  if (!URL.canParse(path, url)) return undefined
  const timeout = new AbortController()
  using _timer = systemClock().after(HEALTH_MS_MAX, () => timeout.abort())
  try {
    const answer = await fetch(new URL(path, url), { signal: timeout.signal })
    const body = (await answer.json()) as { status?: unknown }
    return { isOk: answer.ok, status: typeof body.status === 'string' ? body.status : undefined }
  } catch {
    return undefined
  }
}

// The log lines of the server would appear between those of the conversation.
function quietly(env: Terminal['env']): Terminal['env'] {
  const { MANGA_SERVER__PORT: _port, MANGA_SERVER__HOST: _host, ...rest } = env
  return { ...rest, PORT: '0', HOST: '127.0.0.1', MANGA_SERVER__LOGLEVEL: 'silent' }
}
