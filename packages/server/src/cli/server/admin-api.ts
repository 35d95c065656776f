// The admin API of a running server, for commands: asked with the token of the environment, within a deadline, and what it
// refuses said in words. Used by every command that asks a running server.
import { systemClock } from '#adapters/system/clock.ts'
import { CommandError } from '../command.ts'
import type { Terminal } from '../command.ts'

/** Holds the admin token; not a setting of the server, so not named like one. */
export const TOKEN_VARIABLE = 'MANGAASSIST_ADMIN_TOKEN'
/** For the largest page. */
const ANSWER_MS_MAX = 60_000

interface AdminAnswer<Data> {
  readonly data: Data
  readonly metadata: { readonly next?: string }
}

export interface AdminApi {
  get<Data>(path: string, query?: Readonly<Record<string, string | undefined>>): Promise<AdminAnswer<Data>>
  post<Data>(path: string, body: object): Promise<AdminAnswer<Data>>
}

interface Refused {
  readonly code?: string
  readonly details?: unknown
}

const HOW_TO_GET_ONE =
  'To get one: npx mangaassist keygen --name NAME --admin, add the printed line to mangaassist.config.ts, restart the server.'

/** Every call throws a CommandError when the server cannot be reached, or refuses. */
export function adminApi(url: string, env: Terminal['env']): AdminApi {
  const token = env[TOKEN_VARIABLE]
  if (token === undefined || token === '')
    throw new CommandError(`Put the admin token into ${TOKEN_VARIABLE}. ${HOW_TO_GET_ONE}`)
  if (!URL.canParse(url)) throw new CommandError(`${url} is not the address of a server.`)
  const authorization = `Bearer ${token}`

  return {
    async get(path, query = {}) {
      const address = new URL(path, url)
      for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value)
      return answerOf(address, { headers: { authorization } })
    },
    async post(path, body) {
      const headers = { authorization, 'content-type': 'application/json' }
      return answerOf(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
    },
  }
}

async function answerOf<Data>(address: URL, init: RequestInit): Promise<AdminAnswer<Data>> {
  const { ok, status, body } = await asked<Data>(address, init)
  if (ok && Object.hasOwn(body, 'data')) return body
  if (status === 401)
    throw new CommandError(`The server does not accept the admin token in ${TOKEN_VARIABLE}. ${HOW_TO_GET_ONE}`)
  const { code = `status ${status}`, details } = body.error ?? {}
  throw new CommandError(`The server refused: ${code}${details === undefined ? '' : ` ${JSON.stringify(details)}`}`)
}

async function asked<Data>(address: URL, init: RequestInit) {
  const patience = new AbortController()
  using _timer = systemClock().after(ANSWER_MS_MAX, () => patience.abort())
  try {
    const response = await fetch(address, { ...init, signal: patience.signal })
    const text = await response.text()
    return { ok: response.ok, status: response.status, body: parsed<Data>(text) }
  } catch (error) {
    const hint = patience.signal.aborted ? ' in time' : '. Is it running, and is that its address?'
    throw new CommandError(`No MangaAssist answers at ${address.origin}${hint}`, { cause: error })
  }
}

/** What stands between us and the server may answer with something else than JSON. */
function parsed<Data>(text: string): AdminAnswer<Data> & { readonly error?: Refused } {
  try {
    return JSON.parse(text) as AdminAnswer<Data>
  } catch {
    return {} as AdminAnswer<Data>
  }
}
