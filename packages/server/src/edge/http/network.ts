// The network of an address, as a provider assigns it to one customer: an IPv4 address, or the /64 of an IPv6 one, whose
// owner can choose all the rest. Beyond the edge it is known only by a pseudonym.
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import type { Config } from '#config/config.ts'
import { joinNetworks } from '#domain/identity/networks.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { sign } from '../identity/signature.ts'
import type { SigningKeys } from '../identity/signature.ts'

type Server = Pick<Config['server'], 'proxies' | 'trustProxy'>

const V4_IN_V6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/
const GROUPS = 8
const NETWORK_GROUPS = 4
/** The one network of everything that is not an address, so that invalid values give no new network. */
const UNKNOWN = 'unknown'
/** The largest assignment to one customer: three groups, a /48. */
const WIDE_GROUPS = 3

/** `UNKNOWN` for an invalid address. */
export function networkOf(address: string): string {
  const v4 = V4_IN_V6.exec(address)?.[1]
  if (v4 !== undefined) return v4
  if (!isIPv6(address)) return isIP(address) === 0 ? UNKNOWN : address
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const ending = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, GROUPS - groups.length - ending.length) }, () => '0')
  const network = [...groups, ...zeros, ...ending].slice(0, NETWORK_GROUPS)
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

/** The /48 around the /64 of an IPv6 address; undefined for any other network. */
export function wideNetworkOf(network: string): string | undefined {
  return network.endsWith('::/64') ? `${network.split(':').slice(0, WIDE_GROUPS).join(':')}::/48` : undefined
}

/** The network of a request, not pseudonymous: for use inside the edge only. */
export type FindNetwork = (request: IncomingMessage) => string

/** Warns once about a proxy that sends no addresses, and about an untrusted one: limits by address then fail. */
export function networkFinder(server: Server, telemetry: Telemetry): FindNetwork {
  const warned = new Set<string>()
  const warn = (event: 'network.address-unreadable' | 'network.proxy-not-trusted', advice: string) => {
    if (warned.has(event)) return
    warned.add(event)
    telemetry.log('warn', event, { advice })
  }
  return (request) => {
    const network = networkOf(clientAddress(request, server))
    if (network === UNKNOWN && request.headers['x-forwarded-for'] !== undefined)
      warn('network.address-unreadable', 'X-Forwarded-For names no IP address: its senders share one limit')
    if (!server.trustProxy && request.headers['x-forwarded-for'] !== undefined)
      warn('network.proxy-not-trusted', 'behind a proxy set server.trustProxy: all its clients share one limit')
    return network
  }
}

/** The pseudonym of a request's network. */
export type NameNetwork = (request: IncomingMessage) => string

const USE = 'ma_network'

/** Keyed, so that the address cannot be derived from it. */
export function networkNamer(keys: SigningKeys, find: FindNetwork): NameNetwork {
  const nameOf = (network: string) =>
    `net_${Buffer.from(sign(USE, network, keys), 'base64url')
      .toString('hex')
      .slice(0, 32)}`
  return (request) => {
    const network = find(request)
    const wide = wideNetworkOf(network)
    return wide === undefined ? nameOf(network) : joinNetworks(nameOf(network), nameOf(wide))
  }
}

/** The address that the outermost of our own proxies saw: earlier entries in the header can be forged. */
export function clientAddress({ headers, socket }: IncomingMessage, { proxies, trustProxy }: Server): string {
  const nearest = socket.remoteAddress ?? ''
  if (!trustProxy) return nearest
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const passed = [
    nearest,
    ...forwarded
      .map((entry) => withoutPort(entry.trim()))
      .filter((entry) => entry !== '')
      .toReversed(),
  ]
  return passed[Math.min(proxies, passed.length - 1)] ?? nearest
}

/** Removes the port: some gateways write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const [, v6, v4] = WITH_PORT.exec(entry) ?? []
  return v6 ?? v4 ?? entry
}
