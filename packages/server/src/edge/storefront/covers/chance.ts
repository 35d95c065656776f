// Random numbers from a seed: a cover is drawn again on each visit and must always be the same.

export type Chance = () => number

/** Numbers in [0, 1) from mulberry32, seeded with the FNV-1a hash of the name. */
export function chanceOf(name: string): Chance {
  let state = 0x811c9dc5
  for (let i = 0; i < name.length; i++) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<Item>(chance: Chance, items: readonly Item[]): Item {
  return items[Math.floor(chance() * items.length)] as Item
}
