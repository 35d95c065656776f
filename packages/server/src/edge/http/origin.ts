// How a client addressed us, and which pages may use us in a browser: our own, by the requested scheme and Host, and
// configured ones. A caller without an Origin is not a page in a browser and is judged by its credentials alone.
import type { IncomingMessage } from 'node:http'
import type { Config } from '#config/config.ts'

export interface Addressed {
  readonly host: string
  readonly secure: boolean
}

/** A proxy's headers count only when it is trusted; under our public name the scheme is known. */
export function addressed(
  request: IncomingMessage,
  { publicUrl, trustProxy }: Pick<Config['server'], 'publicUrl' | 'trustProxy'>,
): Addressed {
  const forwarded = (name: string): string | undefined => {
    const value = trustProxy ? request.headers[name] : undefined
    // Our own proxy wrote the last entry.
    return typeof value === 'string' ? value.split(',').at(-1)?.trim() : undefined
  }
  const encrypted = 'encrypted' in request.socket && request.socket.encrypted === true
  const host = forwarded('x-forwarded-host') ?? request.headers.host ?? ''
  const named = publicUrl === undefined ? null : URL.parse(publicUrl)
  const isPublic = named?.protocol === 'https:' && named.host === host.toLowerCase()
  const scheme = forwarded('x-forwarded-proto') ?? (encrypted || isPublic ? 'https' : 'http')
  return { host, secure: scheme.toLowerCase() === 'https' }
}

export function originAllowed(
  origin: string | undefined,
  asked: Addressed,
  server: Pick<Config['server'], 'allowedOrigins' | 'publicUrl'>,
): boolean {
  return origin === undefined || server.allowedOrigins.includes(origin) || isOwnOrigin(origin, asked, server)
}

/**
 * The origin of the page that sent a request, to which tickets are bound; undefined for a program. A browser sends no Origin with a GET
 * to the page's own origin, but says so in Sec-Fetch-Site, which no page can set. All names of our own origin are one.
 */
export function pageOrigin(
  headers: { readonly origin?: string | undefined; readonly 'sec-fetch-site'?: string | string[] | undefined },
  asked: Addressed,
  server: Pick<Config['server'], 'publicUrl'>,
): string | undefined {
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn = origin === undefined ? site === 'same-origin' : isOwnOrigin(origin, asked, server)
  if (!isOwn) return origin
  return URL.parse(server.publicUrl ?? `${asked.secure ? 'https' : 'http'}://${asked.host}`)?.origin ?? origin
}

/** Whether it is our own: by the scheme and Host of the request, or by our public name. */
export function isOwnOrigin(
  origin: string,
  { host, secure }: Addressed,
  { publicUrl }: Pick<Config['server'], 'publicUrl'>,
): boolean {
  // A sandboxed page sends `null`, which is not a URL.
  const page = URL.parse(origin)
  if (page === null || (page.protocol !== 'http:' && page.protocol !== 'https:')) return false
  const own = host === '' ? null : URL.parse(`${secure ? 'https' : 'http'}://${host}`)
  return page.origin === own?.origin || (publicUrl !== undefined && page.origin === URL.parse(publicUrl)?.origin)
}
