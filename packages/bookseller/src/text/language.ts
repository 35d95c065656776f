// Detects the language of a message: Japanese when at least a fifth of its letters are in a Japanese script, by Unicode
// script properties. Half-width kana count; Hangul, emoji and full-width Latin do not. The id of an order is no letters.
import type { Language } from '@mangaassist/protocol'
import { withoutOrderIds } from './order-ids.ts'

const JAPANESE = /[\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Han}]/u
const LETTER = /\p{L}/u
const JAPANESE_SHARE_MIN = 0.2

export function detectLanguage(text: string): Language {
  let letters = 0
  let japanese = 0
  for (const character of withoutOrderIds(text)) {
    if (!LETTER.test(character)) continue
    letters += 1
    if (JAPANESE.test(character)) japanese += 1
  }
  return letters > 0 && japanese / letters >= JAPANESE_SHARE_MIN ? 'ja' : 'en'
}
