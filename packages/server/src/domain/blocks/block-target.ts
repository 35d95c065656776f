// What an operator blocks: a principal by its id, or an address or network. A target has one canonical text, which is its name in the
// store, in the audit and on the command line.
import { ADDRESS_BITS, parsePrefix, prefixText } from '#lib/text/ip-prefix.ts'
import type { IpPrefix } from '#lib/text/ip-prefix.ts'

export const TARGET_LENGTH_MAX = 256
export type BlockKind = 'user' | 'key' | 'guest' | 'address' | 'network'

export type BlockTarget =
  | { readonly kind: 'user' | 'key' | 'guest'; readonly text: string }
  | { readonly kind: 'address' | 'network'; readonly text: string; readonly prefix: IpPrefix }

const PRINCIPAL = /^(?:(?<user>user:[^:\s\p{C}]+:[^\s\p{C}]+)|(?<key>key:[^\s\p{C}]+)|(?<guest>guest_\w+))$/u

/** Undefined when the text is neither the id of a principal nor an address or network. */
export function parseTarget(given: string): BlockTarget | undefined {
  const text = given.trim()
  if (text.length > TARGET_LENGTH_MAX) return undefined
  const { groups } = PRINCIPAL.exec(text) ?? {}
  const kind = (['user', 'key', 'guest'] as const).find((name) => groups?.[name] !== undefined)
  if (kind !== undefined) return { kind, text }
  const prefix = parsePrefix(text)
  if (prefix === undefined) return undefined
  const isOne = prefix.length === ADDRESS_BITS[prefix.family]
  return { kind: isOne ? 'address' : 'network', text: prefixText(prefix), prefix }
}
