// The host names that we accept. A page whose own name was pointed at our address after it was loaded (DNS rebinding) is
// recognised by its Host: names of this machine, the requested address, and configured names are ours.
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import type { Config } from '#config/config.ts'
import { addressed } from './origin.ts'

type Server = Config['server']

const LOOPBACK_NAME = /^(?:localhost|[^.]+(?:\.[^.]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a request names a host of ours. */
export type HostAllowed = (request: IncomingMessage) => boolean

/**
 * Accepts every valid host when we are reachable from elsewhere and no public name is configured: `isAnyHostAllowed`. Of several hosts a
 * proxy may have judged another one than we see, so none of them is accepted.
 */
export function hostCheck(server: Server): HostAllowed {
  const isOurs = nameCheck(server)
  return (request) => countOf('host', request) < 2 && isOurs(request)
}

function countOf(name: string, { rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((given, index) => index % 2 === 0 && given.toLowerCase() === name).length
}

function nameCheck(server: Server): HostAllowed {
  if (isAnyHostAllowed(server)) return (request) => hostNameOf(addressed(request, server).host) !== undefined
  const urls = [...server.allowedOrigins, ...(server.publicUrl === undefined ? [] : [server.publicUrl])]
  const names = new Set([bracketed(server.host), ...urls.map((url) => URL.parse(url)?.hostname ?? '')])
  return (request) => {
    const name = hostNameOf(addressed(request, server).host)
    if (name === undefined) return false
    return isLoopbackName(name) || names.has(name) || name === bracketed(bareAddress(request.socket.localAddress))
  }
}

/** The start logs a warning in this case. */
export function isAnyHostAllowed({ host, publicUrl, trustProxy }: Server): boolean {
  return publicUrl === undefined && (trustProxy || !isLoopbackName(bracketed(host)))
}

export function isLoopbackName(name: string): boolean {
  return LOOPBACK_NAME.test(name)
}

/** The host without its port, as URLs write it; undefined for an invalid host. */
export function hostNameOf(host: string): string | undefined {
  const name = host === '' || /[\s/?#@\\"'&]/.test(host) ? undefined : URL.parse(`http://${host}`)?.hostname
  return name?.replace(/\.$/, '')
}

function bracketed(address: string): string {
  return address.includes(':') && !address.startsWith('[') ? `[${address.toLowerCase()}]` : address.toLowerCase()
}

/** A dual-stack socket shows an IPv4 address inside an IPv6 one. */
function bareAddress(address = ''): string {
  const inside = address.replace(/^::ffff:/i, '')
  return isIPv4(inside) ? inside : address
}
