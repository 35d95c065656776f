// How a client addressed us, and from which pages a browser may use us: our own, known by the scheme and Host it asked
// for, and those that are configured. A caller without an Origin is not a page in a browser and is judged by its
// credentials alone.
import type { IncomingMessage } from 'node:http'
import type { Config } from '#config/config.ts'

export interface Addressed {
  readonly host: string
  readonly secure: boolean
}

/** A proxy's word counts only where there is one to be trusted; under our public name its scheme is known. */
export function addressed(
  request: IncomingMessage,
  { publicUrl, trustProxy }: Pick<Config['server'], 'publicUrl' | 'trustProxy'>,
): Addressed {
  const forwarded = (name: string): string | undefined => {
    const value = trustProxy ? request.headers[name] : undefined
    // The last entry is the one our own proxy wrote.
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
  { host, secure }: Addressed,
  { allowedOrigins, publicUrl }: Pick<Config['server'], 'allowedOrigins' | 'publicUrl'>,
): boolean {
  if (origin === undefined || allowedOrigins.includes(origin)) return true
  // A sandboxed page says `null`, which is no URL.
  const page = URL.parse(origin)
  if (page === null || (page.protocol !== 'http:' && page.protocol !== 'https:')) return false
  const own = host === '' ? null : URL.parse(`${secure ? 'https' : 'http'}://${host}`)
  return page.origin === own?.origin || (publicUrl !== undefined && page.origin === URL.parse(publicUrl)?.origin)
}
