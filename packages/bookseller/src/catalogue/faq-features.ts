// The features by which a message is compared with the questions of the FAQ, as 32-bit hashes: words, pairs of words and parts
// of words in Latin script, runs of one to three characters in Japanese. Training and use share this file.
import { fold } from '../text/words.ts'

const WORD = /[a-z0-9]+(?:['’][a-z]+)?/gu
const JAPANESE_RUN = /[\p{Script=Hiragana}\p{Script=Han}ー々]+/gu
const RUN_LENGTH_MAX = 3
const PART_LENGTH = 4

export function faqFeatures(text: string): Uint32Array {
  const plain = inHiragana(fold(text))
  const features = new Set<number>()
  let previous = 0
  for (const [word] of plain.matchAll(WORD)) {
    const own = faqFeature(stem(word), 1)
    features.add(own)
    if (previous !== 0) features.add(faqFeature(`${previous} ${own}`, 2))
    previous = own
    for (let at = 0; word.length > PART_LENGTH && at + PART_LENGTH <= word.length; at += 1)
      features.add(faqFeature(word.slice(at, at + PART_LENGTH), 3))
  }
  for (const [run] of plain.matchAll(JAPANESE_RUN))
    for (let length = 1; length <= RUN_LENGTH_MAX; length += 1)
      for (let at = 0; at + length <= run.length; at += 1) features.add(faqFeature(run.slice(at, at + length), 4))
  return Uint32Array.from(features)
}

/** 「ペイペイ」 and 「ぺいぺい」 are one word. */
const inHiragana = (text: string): string =>
  text.replaceAll(/[ァ-ヶ]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))

/** "shipping", "shipped" and "ships" are one word. */
const stem = (word: string): string =>
  /^[a-z]{4,}$/u.test(word) ? word.replace(/(?:ies|es|s|ing|ed)$/u, '').replace(/(.)\1$/u, '$1') : word

/** FNV-1a, begun differently for each kind of feature. */
export function faqFeature(text: string, kind: number): number {
  let hash = Math.imul(0x811c9dc5 ^ kind, 0x01000193)
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
