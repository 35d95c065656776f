// Picks one of several wordings by the hash of a text instead of at random, so that a repetition after a crash or on another
// node uses the same wording.

const OFFSET_BASIS = 2_166_136_261
const PRIME = 16_777_619

export function pickBy<Item>(text: string, items: readonly [Item, ...Item[]]): Item {
  let hash = OFFSET_BASIS
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
  // The low bits of this hash depend mostly on the last characters.
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return items[((hash ^ (hash >>> 15)) >>> 0) % items.length] ?? items[0]
}
