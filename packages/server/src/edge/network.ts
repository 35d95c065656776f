// The network that an address belongs to, as far as one customer of a provider is given it: an IPv4 address, or the /64 of
// an IPv6 one, whose owner has all the rest to choose from. Beyond the edge it is known by a pseudonym alone.
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Config } from '#config.ts'
import { sign } from './signature.ts'
import type { SigningKeys } from './signature.ts'

const V4_IN_V6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const GROUPS = 8
const NETWORK_GROUPS = 4

export function networkOf(address: string): string {
  const v4 = V4_IN_V6.exec(address)?.[1]
  if (v4 !== undefined) return v4
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const ending = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, GROUPS - groups.length - ending.length) }, () => '0')
  const network = [...groups, ...zeros, ...ending].slice(0, NETWORK_GROUPS)
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

/** The pseudonym of the network that a request comes from. */
export type NameNetwork = (request: IncomingMessage) => string

const USE = 'ma_network'

/** Keyed, so that nobody works an address out of it. */
export function networkNamer(keys: SigningKeys, server: Config['server']): NameNetwork {
  return (request) => {
    const digest = Buffer.from(sign(USE, networkOf(clientAddress(request, server)), keys), 'base64url').toString('hex')
    return `net_${digest.slice(0, 32)}`
  }
}

/** Whom the outermost of our own proxies saw: what stands before that in the header, anybody can have written. */
export function clientAddress(
  { headers, socket }: IncomingMessage,
  { proxies, trustProxy }: Pick<Config['server'], 'proxies' | 'trustProxy'>,
): string {
  const nearest = socket.remoteAddress ?? ''
  if (!trustProxy) return nearest
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const passed = [
    nearest,
    ...forwarded
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .toReversed(),
  ]
  return passed[Math.min(proxies, passed.length - 1)] ?? nearest
}
