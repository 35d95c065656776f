// Whether a question names a product, or misspells its name. A name that is an everyday word counts only where the question says
// little else: "Monster" is a title, and "a monster eats them" is a plot.
import { alike } from '../text/alike.ts'
import { nameKey } from '../text/name-key.ts'
import { fold } from '../text/words.ts'
import type { QuestionWord } from './question.ts'

const LATIN = /^[\p{Script=Latin}\p{N}]/u
const LATIN_NAME_MIN = 3
const EVERYDAY_SHARE_MIN = 0.6
const SPELLED_LENGTH_MIN = 4
const SPELLED_LENGTH_MAX = 30
const ALIKE_MIN = 0.6
/** One wrong character of five changes half of the pairs. */
const JAPANESE_ALIKE_MIN = 0.5

/** From 0 (not named) to 1 (the question is the name). */
export function namedIn(text: string, names: readonly string[], words: readonly QuestionWord[]): number {
  const key = nameKey(text)
  let best = 0
  for (const name of names) {
    const share = name.length / Math.max(1, key.length)
    if (share > 1 || share <= best || !contains(text, key, name)) continue
    best = isEveryday(name, words) && share < EVERYDAY_SHARE_MIN ? best : Math.max(share, 0.5 + share / 2)
  }
  return best
}

const isEveryday = (name: string, words: readonly QuestionWord[]): boolean => words.some(({ word }) => word === name)

function contains(text: string, key: string, name: string): boolean {
  if (!LATIN.test(name)) return name.length >= 2 && key.includes(name)
  if (name.length < LATIN_NAME_MIN || !key.includes(name)) return false
  const words = fold(text)
    .split(/[\p{P}\p{S}\p{Z}\s]+/u)
    .map(nameKey)
    .filter((word) => word !== '')
  return words.some((_, from) => {
    let joined = ''
    for (let at = from; at < words.length && joined.length < name.length; at += 1) joined += words[at]
    return joined === name || joined === `${name}s`
  })
}

/** Whether the question is short enough to be a misspelled name and nothing else. */
export function isSpelling(text: string): boolean {
  const { length } = nameKey(text)
  return length >= SPELLED_LENGTH_MIN && length <= SPELLED_LENGTH_MAX
}

/** Groups of three Latin letters: a name with a typing error shares most of them. Japanese names are found by their pairs. */
export function trigramsIn(text: string): readonly string[] {
  const runs = shortVowels(nameKey(text)).match(/[a-z0-9]{3,}/gu) ?? []
  return [...new Set(runs.flatMap((run) => Array.from({ length: run.length - 2 }, (_, at) => run.slice(at, at + 3))))]
}

/** How alike the whole question and a name are, by their pairs of letters: 0, or from 0.5 to 1. */
export function spelledLike(text: string, names: readonly string[]): number {
  const key = nameKey(text)
  const asked = pairsIn(shortVowels(key))
  let best = 0
  for (const name of names) {
    if (Math.abs(name.length - key.length) > 3) continue
    best = Math.max(best, alike(asked, pairsIn(shortVowels(name))))
  }
  return best >= (LATIN.test(key) ? ALIKE_MIN : JAPANESE_ALIKE_MIN) ? best : 0
}

/** Romanised Japanese is written with or without long vowels. */
const shortVowels = (key: string): string => key.replaceAll(/ou|oo/gu, 'o').replaceAll('uu', 'u')

function pairsIn(key: string): readonly string[] {
  return Array.from({ length: Math.max(0, key.length - 1) }, (_, index) => key.slice(index, index + 2))
}
