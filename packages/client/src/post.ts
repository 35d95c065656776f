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

export interface Post {
  /** The segments after `/api/`, not encoded. */
  readonly path: readonly string[]
  readonly body: object
  readonly signal?: AbortSignal | undefined
}

/** The field of the envelope that is used here; absent when the response is not from MangaAssist. */
interface Answer {
  readonly error?: ErrorBody
}

const responseTimeoutMs = 15_000

export async function post({ connection, headers }: Sender, { path, body, signal }: Post): Promise<void> {
  const { closing } = connection
  closing.throwIfAborted()
  const signals = [closing, AbortSignal.timeout(responseTimeoutMs), ...(signal === undefined ? [] : [signal])]
  try {
    const { url, ticket } = beside(await connection.address(), path)
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        ...(ticket === null ? {} : { authorization: `Bearer ${ticket}` }),
        'content-type': 'application/json',
      },
      ...(ticket === null ? {} : { credentials: 'omit' as const }),
      body: JSON.stringify(body),
      keepalive: true,
      signal: AbortSignal.any(signals),
    })
    if (!response.ok) throw refusalOf((await response.json().catch(() => null)) as Answer | null, response.status)
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
