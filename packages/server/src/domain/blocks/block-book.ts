// The blocks in effect, in the order in which a request is compared with them: a principal by its id, an address by the networks of each length
// that is blocked. A book is built once for each change, so that a request costs one lookup for each of those lengths.
import { ADDRESS_BITS, parseIp } from '#lib/text/ip-prefix.ts'
import type { Setting, Settings } from '../settings/run-settings.ts'
import { parseTarget } from './block-target.ts'
import type { BlockTarget } from './block-target.ts'

/** How many may be in effect. */
export const BLOCKS_MAX = 500

const STORED = 'block:'

/** The name under which it is stored, beside the settings of operators. */
export const blockSetting = (target: string) => `${STORED}${target}`

export interface Block {
  readonly target: BlockTarget
  readonly setting: Setting
}

interface LengthBook {
  readonly free: bigint
  readonly networks: Map<bigint, Block>
}

const isOver = ({ setting: { expiresAt } }: Block, now: number) => expiresAt !== undefined && now >= expiresAt

export class BlockBook {
  readonly #all: readonly Block[]
  readonly #principals = new Map<string, Block>()
  readonly #lengths = { 4: new Map<number, LengthBook>(), 6: new Map<number, LengthBook>() }

  constructor(settings: Settings) {
    this.#all = [...settings].flatMap(([name, setting]) => {
      const target = name.startsWith(STORED) ? parseTarget(name.slice(STORED.length)) : undefined
      return target === undefined ? [] : [{ target, setting }]
    })
    for (const block of this.#all) this.#enter(block)
  }

  /** Those in effect. */
  list(now: number): readonly Block[] {
    return this.#all.filter((block) => !isOver(block, now))
  }

  isPrincipalBlocked(principalId: string, now: number): boolean {
    const block = this.#principals.get(principalId)
    return block !== undefined && !isOver(block, now)
  }

  /** False for text that is not an address. */
  isAddressBlocked(address: string, now: number): boolean {
    if (this.#lengths[4].size === 0 && this.#lengths[6].size === 0) return false
    const ip = parseIp(address)
    if (ip === undefined) return false
    for (const { free, networks } of this.#lengths[ip.family].values()) {
      const block = networks.get(ip.bits >> free)
      if (block !== undefined && !isOver(block, now)) return true
    }
    return false
  }

  #enter(block: Block): void {
    const { target } = block
    if (!('prefix' in target)) return void this.#principals.set(target.text, block)
    const { bits, family, length } = target.prefix
    const lengths = this.#lengths[family]
    const free = BigInt(ADDRESS_BITS[family] - length)
    const book = lengths.get(length) ?? { free, networks: new Map() }
    lengths.set(length, book)
    book.networks.set(bits >> free, block)
  }
}
