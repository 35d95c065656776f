// How well a series meets what is wanted, one quality at a time: by the keys of genres and moods, and by what its passages say.
// A series that meets all of it comes before one that meets a single part very well.
import { meaningOf } from './meaning.ts'
import type { WantedAspect } from './question.ts'
import type { Shelf } from './shelf.ts'
import type { WordNearness } from './word-nearness.ts'

export interface Wishes {
  /** From 0 to 1; 0 when nothing is wanted. */
  met(product: number, words: Uint32Array): number
  /** The same by the keys alone, without reading a passage. */
  keyed(product: number): number
}

/**
 * The share of a wish's score that its key has. The rest comes from the passages, which distinguish a series about a
 * genre from one that merely has it.
 */
const KEY_SHARE = 0.7
/** A passage that means it so well says it. */
const SAID_FULLY = 0.75

export function wishesOf(
  aspects: readonly WantedAspect[],
  { shelf, nearness }: { readonly shelf: Shelf; readonly nearness: WordNearness },
): Wishes {
  const wanted = aspects
    .filter(({ words, keys }) => words.length + keys.length > 0)
    .map(({ words, keys, keyed }) => ({
      keys: keys.map((key) => membersOf(shelf, key)),
      meaning: words.length === 0 ? undefined : meaningOf(words, nearness),
      keyShare: keys.length === 0 ? 0 : words.length === 0 ? 1 : KEY_SHARE * Math.max(0.5, keyed),
    }))
  const had = (product: number, keys: readonly Uint32Array[]): number => {
    let count = 0
    for (const members of keys) count += (members[product >>> 5]! >>> (product & 31)) & 1
    return count / (keys.length || 1)
  }
  const withKeys = wanted.filter(({ keys }) => keys.length > 0)
  return {
    met(product, words) {
      if (wanted.length === 0) return 0
      let sum = 0
      for (const { keys, meaning, keyShare } of wanted) {
        const said = meaning === undefined ? 0 : Math.min(1, meaning.match(words).score / SAID_FULLY)
        // The root favours all parts a little over one part in full.
        sum += Math.sqrt(keyShare * had(product, keys) + (1 - keyShare) * said)
      }
      return (sum / wanted.length) ** 2
    },
    keyed(product) {
      let sum = 0
      for (const { keys } of withKeys) sum += had(product, keys)
      return sum / (withKeys.length || 1)
    },
  }
}

/** A bit for each product, whether it has the key: all products of a shelf are asked. */
function membersOf(shelf: Shelf, key: string): Uint32Array {
  const members = new Uint32Array((shelf.size >>> 5) + 1)
  for (const product of shelf.holders(shelf.key(key))) members[product >>> 5]! |= 1 << (product & 31)
  return members
}
