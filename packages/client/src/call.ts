// A call over HTTP beside the connection, as the same principal: by the cookie of the page, by the client's headers, or by the
// ticket in the address of a socket. It is sent once, and outlives the page that sent it.
import type { ErrorBody } from '@mangaassist/protocol'
import { ChatError } from './chat-error.ts'
import { isLost } from './connection.ts'
import type { Connection } from './connection.ts'

export interface Sender {
  readonly connection: Pick<Connection, 'address' | 'closing'>
  readonly headers: Readonly<Record<string, string>> | undefined
}

export interface Call {
  /** Default: `POST`. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** The segments after `/api/`, not encoded. */
  readonly path: readonly string[]
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
  readonly signal?: AbortSignal | undefined
}

/** The fields of the envelope that are used here; absent when the response is not from MangaAssist. */
interface Answer {
  readonly error?: ErrorBody
  readonly data?: unknown
  readonly metadata?: { readonly next?: string }
}

const responseTimeoutMs = 15_000

/** Returns the data of the response, and where the next page begins. */
export async function call(
  { connection, headers }: Sender,
  { body, method = 'POST', path, query = {}, signal }: Call,
): Promise<{ readonly data: unknown; readonly next?: string }> {
  const { closing } = connection
  closing.throwIfAborted()
  const signals = [closing, AbortSignal.timeout(responseTimeoutMs), ...(signal === undefined ? [] : [signal])]
  try {
    const { url, ticket } = beside(await connection.address(), path)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(ticket === null ? {} : { authorization: `Bearer ${ticket}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(ticket === null ? {} : { credentials: 'omit' as const }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      keepalive: method === 'POST',
      signal: AbortSignal.any(signals),
    })
    const answer = (await response.json().catch(() => null)) as Answer | null
    if (!response.ok || answer === null) throw refusalOf(answer, response.status)
    const { data, metadata: { next } = {} } = answer
    return { data, ...(next === undefined ? {} : { next }) }
  } catch (error) {
    if (error instanceof ChatError) throw error
    closing.throwIfAborted()
    signal?.throwIfAborted()
    // An error of the application's `GuestKeeper` is passed to the caller.
    if (!isLost(error) && !isOfNetwork(error)) throw error
    throw new ChatError({ code: 'CONNECTION_LOST', message: 'The server cannot be reached.' })
  }
}

/** The address of a call, next to the one of a socket. */
function beside(socket: string, path: readonly string[]): { readonly url: URL; readonly ticket: string | null } {
  const url = new URL(`api/${path.map(encodeURIComponent).join('/')}`, socket)
  url.protocol = url.protocol.replace('ws', 'http')
  return { url, ticket: new URL(socket).searchParams.get('ticket') }
}

function refusalOf(answer: Answer | null, status: number): ChatError {
  if (answer?.error !== undefined) return new ChatError(answer.error)
  return new ChatError({ code: 'CONNECTION_LOST', message: `The response is not from MangaAssist: status ${status}.` })
}

/** `fetch` throws a TypeError without a network, and the reason of the timeout. */
function isOfNetwork(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')
}
