// Characters and pairs that tokenizers have as one token: `npm run bench -- estimator/known` prints the constants
// KNOWN_CHARACTERS, KNOWN_PICTURES, KNOWN_PAIRS and LONG_RUNS of `known-tables.ts`, made from the public vocabularies
// o200k and cl100k. A character or pair that is not in them is estimated by its bytes.
import cl100k from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base'
import {
  CLASS_OF,
  isPaired,
  PACKED,
  pairSlot,
  PUNCTUATION,
  THAI,
} from '../../packages/server/src/domain/estimator/character-class.ts'
import { references } from './references.ts'

/** The most frequent pairs of a class that make up this share of all pairs in the vocabulary. */
const COVERED = 0.98
/** Signs in code combine in many ways, and a Thai sentence has no spaces where a pair could be split. */
const COVERED_FULLY = 0.995
const PAIR_BITS = 0x10000
const LONG_RUN_MIN = 16

const [countO200k, countCl100k] = ['o200k', 'cl100k'].map((name) => references.find((one) => one.name === name)!.count)

/** Han and Hangul have their own lists. */
function isKnownCharacter(codePoint: number): boolean {
  if (codePoint >= 0x3400 && codePoint <= 0xdfff) return false
  const character = String.fromCodePoint(codePoint)
  return countO200k!(character) === 1 && countCl100k!(character) <= 2
}

const isKnownPicture = (codePoint: number): boolean => countO200k!(String.fromCodePoint(codePoint)) <= 2

function ranges(from: number, to: number, isKnown: (codePoint: number) => boolean): string {
  const found: string[] = []
  for (let at = from; at <= to; at += 1) {
    if (!isKnown(at)) continue
    const first = at
    while (at < to && isKnown(at + 1)) at += 1
    found.push(first === at ? first.toString(36) : `${first.toString(36)}-${at.toString(36)}`)
  }
  return found.join(' ')
}

function pairs(): string {
  const counted = new Map<number, Map<number, number>>()
  const words = [...o200k, ...cl100k].filter((token) => typeof token === 'string')
  for (const word of words) {
    for (let at = 1; at < word.length; at += 1) {
      const [first, second] = [word.charCodeAt(at - 1), word.charCodeAt(at)]
      const kind = CLASS_OF[second]!
      if (CLASS_OF[first] !== kind || !isPaired(kind)) continue
      const ofKind = counted.get(kind) ?? new Map<number, number>()
      const key = first * 0x10000 + second
      counted.set(kind, ofKind.set(key, (ofKind.get(key) ?? 0) + 1))
    }
  }
  const bits = new Uint8Array(PAIR_BITS + 2)
  let listed = 0
  for (const [kind, ofKind] of counted) {
    const total = ofKind.values().reduce((sum, count) => sum + count, 0)
    let covered = 0
    for (const [key, count] of [...ofKind].sort((a, b) => b[1] - a[1] || a[0] - b[0])) {
      if (covered >= total * (kind === PUNCTUATION || kind === THAI ? COVERED_FULLY : COVERED)) break
      covered += count
      listed += 1
      bits[pairSlot(Math.floor(key / 0x10000), key % 0x10000)] = 1
    }
  }
  console.error(`${listed} pairs`)
  const digits = Array.from({ length: Math.ceil(PAIR_BITS / 6) }, (_, at) =>
    bits.subarray(at * 6, at * 6 + 6).reduce((sum, bit, shift) => sum | (bit << shift), 0),
  )
  return digits.map((digit) => PACKED.charAt(digit)).join('')
}

/** The signs of which a run of LONG_RUN_MIN is one token in both vocabularies. */
function longRuns(): string {
  const of = (vocabulary: readonly unknown[]): Set<string> =>
    new Set(
      vocabulary.flatMap((token) => {
        if (typeof token !== 'string' || token.length < LONG_RUN_MIN) return []
        const [first = ''] = token
        return !/[\p{L}\s]/u.test(first) && token === first.repeat(token.length) ? [first] : []
      }),
    )
  return [...of(o200k).intersection(of(cl100k))].toSorted().join('')
}

/** Prints a constant of `known-tables.ts`. */
function print(name: string, text: string): void {
  const lines = text.match(/.{1,108}/gu) ?? []
  console.log(`export const ${name} =\n${lines.map((line) => `  '${line}'`).join(' +\n')}\n`)
}

print('KNOWN_CHARACTERS', ranges(0x80, 0xffff, isKnownCharacter))
print('KNOWN_PICTURES', ranges(0x1f000, 0x1faff, isKnownPicture))
print('KNOWN_PAIRS', pairs())
print('LONG_RUNS', longRuns())
