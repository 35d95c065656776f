// Guesses which title a misspelt name means, by the pairs of letters they share. An index of pairs keeps it from
// comparing with every name.
import { alike } from '../text/alike.ts'
import type { Name } from './name.ts'

const GUESS_LENGTH_MIN = 4
const ALIKE_MIN = 0.68
const LENGTH_DIFFERENCE_MAX = 3

export function guessIndex(names: readonly Name[]): (key: string) => string | undefined {
  const entries = names.map((name) => ({ name, pairs: pairsIn(shortVowels(name.key)) }))
  const byPair = new Map<string, number[]>()
  for (const [index, { pairs }] of entries.entries())
    for (const pair of new Set(pairs)) {
      const list = byPair.get(pair)
      if (list === undefined) byPair.set(pair, [index])
      else list.push(index)
    }
  return (key) => {
    if (key.length < GUESS_LENGTH_MIN) return undefined
    const asked = pairsIn(shortVowels(key))
    const shared = new Map<number, number>()
    for (const pair of new Set(asked))
      for (const index of byPair.get(pair) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1)
    let best: { readonly id: string; readonly score: number } | undefined
    for (const [index, count] of shared) {
      const { name, pairs } = entries[index]!
      if (Math.abs(name.key.length - key.length) > LENGTH_DIFFERENCE_MAX || count * 2 < asked.length) continue
      const score = alike(asked, pairs)
      if (score >= ALIKE_MIN && score > (best?.score ?? 0)) best = { id: name.means[0]!, score }
    }
    return best?.id
  }
}

/** Romanised Japanese is written with or without long vowels, and kana in either script. */
function shortVowels(key: string): string {
  return key
    .replaceAll(/ou|oo/gu, 'o')
    .replaceAll('uu', 'u')
    .replaceAll(/[ァ-ヶ]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
}

function pairsIn(key: string): readonly string[] {
  const edged = `^${key}$`
  return Array.from({ length: edged.length - 1 }, (_, index) => edged.slice(index, index + 2))
}
