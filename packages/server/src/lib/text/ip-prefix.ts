// IP addresses and networks (CIDR) as numbers, so that an address is compared with a network by a shift. An IPv4 address that is
// written as an IPv6 one (`::ffff:192.0.2.1`) is the IPv4 address.
import { isIP } from 'node:net'

export interface IpAddress {
  readonly family: 4 | 6
  readonly bits: bigint
}

/** All addresses that begin with the same `length` bits; the other bits are zero. */
export interface IpPrefix extends IpAddress {
  readonly length: number
}

export const ADDRESS_BITS = { 4: 32, 6: 128 } as const
const GROUPS = 8
const GROUP_BITS = 16n
const BYTE_BITS = 8n
/** The first 96 bits of an IPv4 address that is written as an IPv6 one. */
const MAPPED = 0xffffn
const CIDR = /^([^/]+)(?:\/(\d{1,3}))?$/

/** Undefined for text that is not an address. */
export function parseIp(text: string): IpAddress | undefined {
  const [address = ''] = text.split('%')
  const family = isIP(address)
  if (family === 4) return { family, bits: bitsOfV4(address) }
  if (family !== 6) return undefined
  const bits = bitsOfV6(address)
  const isMapped = bits >> 32n === MAPPED
  return isMapped ? { family: 4, bits: BigInt.asUintN(ADDRESS_BITS[4], bits) } : { family: 6, bits }
}

/** Reads `192.0.2.0/24`; an address alone is a network of one. Bits beyond the length are ignored. Undefined for anything else. */
export function parsePrefix(text: string): IpPrefix | undefined {
  const [, address = '', written] = CIDR.exec(text) ?? []
  const found = parseIp(address)
  if (found === undefined) return undefined
  const max = ADDRESS_BITS[found.family]
  // The length of a mapped address counts from the beginning of its IPv6 form.
  const isMapped = found.family === 4 && isIP(address) === 6
  const length = written === undefined ? max : Number(written) - (isMapped ? ADDRESS_BITS[6] - max : 0)
  if (length < 0 || length > max) return undefined
  const free = BigInt(max - length)
  return { family: found.family, bits: (found.bits >> free) << free, length }
}

/** The shortest way to write it; without a length for a single address. */
export function prefixText({ bits, family, length }: IpPrefix): string {
  const address = family === 4 ? textOfV4(bits) : textOfV6(bits)
  return length === ADDRESS_BITS[family] ? address : `${address}/${length}`
}

function bitsOfV4(address: string): bigint {
  return address.split('.').reduce((bits, byte) => (bits << BYTE_BITS) | BigInt(byte), 0n)
}

function bitsOfV6(address: string): bigint {
  const [head = '', tail] = address.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => 0n)
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << GROUP_BITS) | group, 0n)
}

/** The last 32 bits may be written as an IPv4 address. */
function groupsOf(text: string): readonly bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)]
    const bits = bitsOfV4(group)
    return [bits >> GROUP_BITS, BigInt.asUintN(16, bits)]
  })
}

function textOfV4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => BigInt.asUintN(8, bits >> shift)).join('.')
}

function textOfV6(bits: bigint): string {
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    BigInt.asUintN(16, bits >> (GROUP_BITS * BigInt(GROUPS - 1 - index))).toString(16),
  )
  // The platform writes a host in the shortest form.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}
