// Random numbers from a seed: the same seed gives the same numbers and ids on any machine.
import { seededFloats } from '@mangaassist/server/lib/collections/seeded-floats'
import type { Random } from '@mangaassist/server/ports/random/port'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 22

export interface SeededRandom extends Random {
  /** An independent stream, so that drawing from one does not shift another. */
  fork(name: string): SeededRandom
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  happens(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export function seededRandom(seed: number | string): SeededRandom {
  const float = seededFloats(String(seed))
  const between = (from: number, to: number) => from + Math.floor(float() * (to - from + 1))
  return {
    float,
    between,
    id(prefix) {
      let id = `${prefix}_`
      for (let length = 0; length < ID_LENGTH; length += 1) id += ALPHABET[between(0, 61)]
      return id
    },
    hex(bytes) {
      let digits = ''
      for (let length = 0; length < bytes; length += 1) digits += between(0, 255).toString(16).padStart(2, '0')
      return digits
    },
    fork: (name) => seededRandom(`${seed}/${name}`),
    happens: (probability) => float() < probability,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}
