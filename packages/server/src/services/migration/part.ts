// A part of a shop that is moved: conversations, the ledger, and so on. It reads from the source, writes to the target by verbs that
// can be repeated, and compares the two afterwards.

import type { ShopCounts, ShopSource } from '#ports/migration/shop-source.ts'

/** Does some work for each item, `atOnce` at a time (default: 16); `work` returns how many things the item was (default: 1). */
export type ForEach = <Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<number | void>,
  atOnce?: number,
) => Promise<void>

export interface Part {
  readonly name: string
  /** The store that it is moved to. */
  readonly store: string
  /** How many things it has. */
  readonly total: number
  /** What of it is not moved, and why. */
  readonly left?: string
  /** Whether the target has data of this kind; absent where that cannot be. Read before anything is written. */
  hasData?(): Promise<boolean>
  move(each: ForEach): Promise<void>
  /** Calls `differs` for each thing that is missing in the target or is not the same. */
  verify(each: ForEach, differs: (what: string) => void): Promise<void>
}

export interface PartResult {
  readonly part: Part
  readonly done: number
  readonly different: number
  /** The first differences. */
  readonly examples: readonly string[]
}

export interface PartOptions<Target> {
  readonly source: ShopSource
  readonly counts: ShopCounts
  /** The name of the target's store. */
  readonly store: string
  readonly target: Target
}
