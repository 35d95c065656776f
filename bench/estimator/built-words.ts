// Words that no one writes, built from the estimator's own table of letters: it takes every three letters in a row for
// part of one token. This is what an attacker who has read the table would send.
import {
  LATIN_CUT,
  LETTER,
  LETTER_BITS,
  NO_LETTERS,
} from '../../packages/server/src/domain/estimator/character-class.ts'
import { seededFloats } from '../../packages/server/src/lib/collections/seeded-floats.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const TRIES_MAX = 100

/** Builds `count` words of `length` letters each. */
export function builtWords(count: number, length: number): readonly string[] {
  const float = seededFloats(`words of ${length}`)
  return Array.from({ length: count }, () => builtWord(length, float))
}

function builtWord(length: number, float: () => number): string {
  let word = ''
  for (let tries = 0; word.length < length; tries += 1) {
    // Starts over at a dead end.
    if (tries % TRIES_MAX === TRIES_MAX - 1) word = ''
    const next = word + LETTERS.charAt(Math.floor(float() * LETTERS.length))
    if (next.length < 3 || isUncut(next.slice(-3))) word = next
  }
  return word
}

function isUncut(letters: string): boolean {
  let three: number = NO_LETTERS
  for (const letter of letters) three = ((three << LETTER_BITS) | (letter.charCodeAt(0) & LETTER)) & NO_LETTERS
  return LATIN_CUT[three] === 0
}
