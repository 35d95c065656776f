// Chooses among ways to say the same thing by a text rather than by chance: whoever says it again, after a crash or on
// another node, says the same.

const OFFSET_BASIS = 2_166_136_261
const PRIME = 16_777_619

export function pickBy<Item>(text: string, items: readonly [Item, ...Item[]]): Item {
  let hash = OFFSET_BASIS
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
  // The low bits of this hash follow the last characters too closely.
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return items[((hash ^ (hash >>> 15)) >>> 0) % items.length] ?? items[0]
}
