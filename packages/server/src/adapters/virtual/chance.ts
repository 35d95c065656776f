// Chance from a seed: the same seed gives the same numbers and the same ids, on any machine.
import type { Chance } from '#ports/chance.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 22

export interface SeededChance extends Chance {
  /** A stream of its own, so that drawing from one does not shift another. */
  fork(name: string): SeededChance
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  happens(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export function seededChance(seed: number | string): SeededChance {
  const float = smallFastCounter(hash(String(seed)))
  const between = (from: number, to: number) => from + Math.floor(float() * (to - from + 1))
  return {
    float,
    between,
    id: (prefix) => `${prefix}_${Array.from({ length: ID_LENGTH }, () => ALPHABET[between(0, 61)]).join('')}`,
    fork: (name) => seededChance(`${seed}/${name}`),
    happens: (probability) => float() < probability,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}

/** FNV-1a, spread over four words. */
function hash(text: string): readonly [number, number, number, number] {
  const word = (basis: number) => {
    let value = basis
    for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
    return value >>> 0
  }
  return [word(0x811c9dc5), word(0x9747b28c), word(0x3c6ef372), word(0x1b873593)]
}

/** The sfc32 generator: small, fast, and good enough for any simulation. */
function smallFastCounter(state: readonly [number, number, number, number]): () => number {
  let [a, b, c, counter] = state
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 4_294_967_296
  }
  // The first numbers after seeding still show the seed.
  for (let warmUp = 0; warmUp < 15; warmUp += 1) next()
  return next
}
