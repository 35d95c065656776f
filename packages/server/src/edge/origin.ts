// From which pages a browser may use us: our own, known by the Host it asked for, and those that are configured.
// A caller without an Origin is not a page in a browser and is judged by its credentials alone.
import type { IncomingMessage } from 'node:http'

/** How the client addressed us; a proxy's word counts only where there is one to be trusted. */
export function addressed(
  request: IncomingMessage,
  trustProxy: boolean,
): { readonly host: string; readonly secure: boolean } {
  const forwarded = (name: string): string | undefined => {
    const value = trustProxy ? request.headers[name] : undefined
    // The last entry is the one our own proxy wrote.
    return typeof value === 'string' ? value.split(',').at(-1)?.trim() : undefined
  }
  const encrypted = 'encrypted' in request.socket && request.socket.encrypted === true
  return {
    host: forwarded('x-forwarded-host') ?? request.headers.host ?? '',
    secure: (forwarded('x-forwarded-proto') ?? (encrypted ? 'https' : 'http')) === 'https',
  }
}

export function originAllowed(origin: string | undefined, host: string, allowedOrigins: readonly string[]): boolean {
  if (origin === undefined || allowedOrigins.includes(origin)) return true
  // A sandboxed page says `null`, which is no URL.
  return host !== '' && URL.parse(origin)?.host === host.toLowerCase()
}
