// The words of a question without the way they were typed: width, case, spaces, marks, numerals and politeness do not matter. Questions
// with the same words ask the same, so a difference that may mean something stays: the order, particles, a denial and the comma beside
// it, a sign beside a number.
import { fold } from '../text/words.ts'
import { numbersIn } from './numbers.ts'

type Rule = readonly [pattern: RegExp, instead: string]

const replaced = (text: string, rules: readonly Rule[]): string =>
  rules.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text)

/** Empty where a question has no words. */
export function questionWords(question: string): string {
  const text = spelledAlike(question)
  const denies = DENIES.test(text)
  return [...text.matchAll(SENTENCE)]
    .map(([, sentence = '', end = '']) => politely(wordsOf(sentence, denies), end.includes('?')))
    .filter((words) => words !== '')
    .join('。')
}

/** A name as it is among the words of a question. */
export const nameWords = (name: string): string => wordsOf(spelledAlike(name), false)

const CAPITALS: readonly Rule[] = [
  [/\bUS\b/gu, 'usa'],
  [/\bIT\b/gu, 'i_t'],
]
const SPELLINGS: readonly Rule[] = [
  [/(?<=[a-z])['’‘`´](?=[a-z])/gu, ''],
  [/(?<=\d),(?=\d{3}(?!\d))/gu, ''],
  [/¥ ?(\d+)(?!\.?\d)/gu, '$1円'],
  [/(?<=\d) ?(?:yen|jpy)\b/gu, '円'],
  // "vol. 3", "vol.3", "vol3" and "vol 3".
  [/(?<=\bvols?)\./gu, ' '],
  [/(?<=\p{L})\.(?=[\p{L}\d])|(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/gu, ' '],
  [/マンガ|まんが/gu, '漫画'],
  [/オススメ|お勧め|お薦め/gu, 'おすすめ'],
  [/おしえて/gu, '教えて'],
  [/下さい/gu, 'ください'],
  [/欲しい/gu, 'ほしい'],
  [/頂(?=[けき])/gu, 'いただ'],
]
const NUMERAL = String.raw`\d〇一二三四五六七八九十百千万`
/** Bounded, because a message may be a single long run of numerals. */
const COUNTED = new RegExp(`(?<![${NUMERAL}.])[${NUMERAL}.]{1,12}(?=[円巻冊歳才つ])`, 'gu')
/** Without "one", which is a pronoun too. */
const NUMBER_WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const NUMBER_WORD = new RegExp(`\\b(?:${NUMBER_WORDS.join('|')})\\b`, 'gu')

function spelledAlike(question: string): string {
  // In a text that is not all capitals, "US" is no "us".
  const distinct = /[a-z]/u.test(question) ? replaced(question, CAPITALS) : question
  return replaced(fold(distinct), SPELLINGS)
    .replace(/[^\S\n]+/gu, ' ')
    .replace(COUNTED, (numeral) => {
      const [number, ...others] = numbersIn(numeral)
      // 「二三冊」 are two or three.
      const isOne = number !== undefined && others.length === 0 && !/[一二三四五六七八九]{2}/u.test(numeral)
      return isOne ? String(number) : numeral
    })
    .replace(NUMBER_WORD, (word) => String(NUMBER_WORDS.indexOf(word) + 2))
}

/** The point in "3.5" ends no sentence, nor does the mark in 「ハイキュー!!の」. */
const SENTENCE = /((?:[^。?\n.]|\.(?=[^\s.。!?)」』]))+)((?:[。?\n.\s]|!(?!\p{L}))*)/gu

/** What is denied may hang on a comma or a space: 「恋愛なし、ホラー」, "no, romance". */
const DENIES =
  /(?<![\p{L}\d])[×✕✖❌]|[×✕✖❌](?![\p{L}\d])|な[いくしき]|ナシ|無し|ぬき|抜き|以外|(?<!くれ|もらえ|いただけ|ください)ません|(?<=[かたらわさまがば])ず|[嫌除避未非他]|苦手|だめ|ダメ|駄目|無理|いらん|ほか|じゃ|\b(?:ng|no|non|not|nor|none|nothing|nobody|never|without|except|but|besides|neither|cannot|avoid|hate|exclud\w+|minus|skip|other|rather|instead|(?:do|does|did|is|are|was|were|ca|wo|would|could|should|have|has|had)nt)\b/u

/** "A little romance" is more than "little romance". */
const FILLERS: readonly Rule[] = [
  [/\b(?:please|pls|plz)\b/gu, ' '],
  [/\b(?:thanks|thank you|thx)(?: (?:so|very) much| a lot| in advance)?[\s!]*$/gu, ''],
  [/^ ?(?:can|could) you (?=(?:recommend|suggest|tell|show|give|find|list|name|compare|explain)\b)/gu, ''],
  [/\b(?:an?|the) (?=\p{L})(?!(?:few|little|bit|lot)\b)/gu, ''],
  // A dash before a word may exclude it.
  [/(?<=\p{L})[-‐‑–—―]+(?=\p{L})|\s[-‐‑–—―]+\s/gu, ' '],
  // So may an exclamation mark: "manga !romance".
  [/(?<![^\s,、])!(?=\p{L})/gu, '¬'],
]
const MARKS = /[\s,、・:;!"“”„«»「」『』【】〈〉《》〔〕()[\]♪☆★♡♥]+/gu
const JAPANESE = String.raw`[\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Han}]`
const IS_JAPANESE = new RegExp(JAPANESE, 'u')
const IS_NUMERAL = new RegExp(`[${NUMERAL}]`, 'u')
const GAP = new RegExp(`(?<=${JAPANESE}) | (?=${JAPANESE})`, 'gu')
/** 「ください〜」, but not 「3000円〜」. */
const DRAWN_OUT = /(?<=\p{Script=Hiragana})[~〜ー]+$/u

function wordsOf(sentence: string, denies: boolean): string {
  const text = replaced(sentence, FILLERS)
  return text
    .replace(MARKS, (run, at: number) => markBetween(text[at - 1] ?? '', text[at + run.length] ?? '', { run, denies }))
    .trim()
    .replace(GAP, '')
    .replaceAll('を', '')
    .replace(DRAWN_OUT, '')
}

function markBetween(
  before: string,
  after: string,
  { run, denies }: { readonly run: string; readonly denies: boolean },
) {
  if (before === '' || after === '') return ' '
  // 1-3 is not 13, 3.5 not 35, and 「1、2巻」 not 「12巻」.
  if (IS_NUMERAL.test(before) && IS_NUMERAL.test(after)) return run.replaceAll(/\s/gu, '').replaceAll('、', ',') || ' '
  return denies && (/\S/u.test(run) || IS_JAPANESE.test(before) || IS_JAPANESE.test(after)) ? ',' : ' '
}

/** The verb of a request, which may be followed by more politeness than an order. */
const REQUESTED = String.raw`(?<=(?:教え|紹介し|おすすめし|すすめ|勧め|薦め|探し|見つけ|見せ|出し|挙げ|比べ|比較し|説明し|まとめ|聞かせ|知らせ|提案し)て|選んで)`

const POLITE: readonly Rule[] = [
  [/(?<=て|んで)い(?=る|ます)/gu, ''],
  [/(?<=[てで]|おすすめ|紹介)(?:お願い|おねがい)(?:します|いたします|致します|できますか)?$/u, ''],
  [/お教えください$/u, '教えて'],
  [/ご紹介ください$/u, '紹介して'],
  [/(?<=[てで])(?:ください(?:ませ|ますか|ませんか)?|ちょうだい|頂戴|くれ)?[ねよ]?$/u, ''],
  [new RegExp(`${REQUESTED}(?:くれ|もらえ|いただけ)(?:る|ます(?:か|でしょうか)?|ませんか|ないでしょうか)$`, 'u'), ''],
  [new RegExp(`${REQUESTED}(?:(?:いただき|もらい)たい|ほしい)(?:です)?$`, 'u'), ''],
  [/(?<=探して)ます$/u, 'る'],
  [/(?<=たい|ほしい|探してる)(?:(?:[のん])?です|んだ)?(?:が|けど|けれど|けれども)?$/u, ''],
  [/(?<=ます|ました|です|でしょう|ません)か[ねな]?$/u, '?'],
]

/** A form that asks, as the plain form. A noun may end as they do: 「みかんですか」. */
const ASKING: readonly Rule[] = [
  [/(?:あり|ござい)ます(?:でしょう)?\?$/u, 'ある?'],
  [/できます\?$/u, 'できる?'],
  [/しました\?$/u, 'した?'],
  [/(?<=[えけげせてねべめれで])ます\?$/u, 'る?'],
  [/ります\?$/u, 'る?'],
  [/きます\?$/u, 'く?'],
  [/(?:(?<=[るた])の|(?<=[るたい])ん|(?<!\p{Script=Hiragana})な[のん])?(?:です|でしょう)\?$/u, '?'],
]
/** Without the question mark it is stated: 「BLはない」, "no romance", 「読んだ」. */
const ASKS_BY_MARK =
  /(?:な[いし]|無し|ナシ|ません|[ずただ]|好き|(?:持っ|知っ|買っ|集め)て(?:る|ます)|読んで(?:る|ます))\?$|^(?:no|not|nothing|none|never|without)\b.*\?$/u

function politely(words: string, isAsked: boolean): string {
  const polite = replaced(words, POLITE)
  const asking = replaced(isAsked && !polite.endsWith('?') ? `${polite}?` : polite, ASKING)
  return ASKS_BY_MARK.test(asking) ? asking : asking.replace(/\?$/u, '')
}
