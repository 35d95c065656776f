// Finds the last word or two of the shown text repeated at the beginning of the new one: too short to be a repetition by length
// alone, but whole words that are not normally doubled.
import { weightOf } from './repetition.ts'

const PROOF_WEIGHT_MIN = 16
/** From this weight on a repetition includes a particle or another word, and is not just a name. */
const PHRASE_WEIGHT_MIN = 6
const LEAD = /^[\s…⋯]*/u
const WORD_UNITS_MAX = 40
const DOUBLED_ON_PURPOSE = /^(?:very|really|so|had|that|no|far|much|many|long|more|over|again|too)$/iu
/** Two characters of one word: no word boundary between them. */
const PART_OF_WORD = /^(?:[\p{Script=Latin}\p{N}]{2}|[\p{Script=Katakana}ー]{2})$/u
const PARTICLE = /^[はがをにでとも]$/u
const HIRAGANA = /\p{Script=Hiragana}/u

/** How many units at the beginning of `said` repeat the end of `shown`, including white space and dots before them. */
export function repeatedWordsLength(shown: string, said: string): number {
  const lead = LEAD.exec(said)?.[0].length ?? 0
  const words = said.slice(lead)
  const end = shown.trimEnd()
  for (let length = Math.min(WORD_UNITS_MAX, words.length, end.length); length > 0; length -= 1) {
    const again = words.slice(0, length)
    if (end.endsWith(again) && isWhole(end.slice(0, -length), again, words.slice(length))) {
      const space = shown.length > end.length ? (/^\s*/u.exec(words.slice(length))?.[0].length ?? 0) : 0
      return lead + length + space
    }
  }
  return 0
}

function isWhole(before: string, again: string, after: string): boolean {
  if (PART_OF_WORD.test(before.slice(-1) + again.slice(0, 1))) return false
  // With punctuation after it, even the end of a word is enough: no text begins with 「ます。」 or "tone,".
  if (/^.+[。、！？.,;:!?]\s*$/su.test(again)) return true
  if (/^[\p{Script=Latin}\p{N}\p{P}\p{S}\s]*$/u.test(again)) return isWholeLatin(before, again, after)
  if (PARTICLE.test(again)) return !HIRAGANA.test(before.slice(-1)) && !HIRAGANA.test(after.slice(0, 1))
  const kanji = new Set(again.match(/[\p{Script=Han}\p{N}]/gu)).size
  const katakana = new Set(again.match(/\p{Script=Katakana}/gu)).size
  return kanji >= 2 || katakana >= 3 || (kanji === 1 && weightOf(again) >= PHRASE_WEIGHT_MIN && !again.endsWith('ずつ'))
}

/** Words with boundaries on both sides. A short number is not accepted, because it may be a different number. */
function isWholeLatin(before: string, again: string, after: string): boolean {
  const isBounded = !/[\p{Script=Latin}\p{N}.,]$/u.test(before) && !/^[\p{Script=Latin}\p{N}]/u.test(after)
  const isWords = /\p{Script=Latin}$/u.test(again) || /\p{N}\P{L}*\p{N}\P{L}*\p{N}$/u.test(again)
  return isBounded && isWords && again.length > 1 && !DOUBLED_ON_PURPOSE.test(again)
}

/** Whether the repeated words prove that the text continues: more than a name, with which another answer may begin too. */
export function isProof(again: string): boolean {
  const text = again.trim()
  const weight = weightOf(text)
  if (/^[\p{Ll}\p{Script=Hiragana}]/u.test(text) || weight >= PROOF_WEIGHT_MIN) return true
  if (/\p{L}[、,]$/u.test(text) || /\s\p{Ll}+(?:\s\P{L}+)?$/u.test(text)) return true
  return weight >= PHRASE_WEIGHT_MIN && HIRAGANA.test(text.slice(-1))
}
