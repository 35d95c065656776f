// Cuts a message into the units that the tagger labels: a Latin word, a number, or one character of Japanese. A name
// that the catalogue knows is a single token, so that no word of a title gets a meaning of its own.

export type TokenKind =
  | 'latin'
  | 'number'
  | 'hiragana'
  | 'katakana'
  | 'kanji'
  | 'mark'
  | 'title'
  | 'person'
  | 'magazine'

export interface Token {
  /** In small letters. */
  readonly text: string
  readonly kind: TokenKind
  /** Positions in the normalised message. */
  readonly from: number
  readonly to: number
  /** The number of the word that it is part of: 「苦」 and 「手」 are both in the word 「苦手」. */
  readonly word: number
}

/** A name of the catalogue in the normalised message. */
export interface KnownMention {
  readonly kind: 'title' | 'person' | 'magazine'
  readonly from: number
  readonly to: number
}

const UNIT = /[\p{Script=Latin}\p{M}]+(?:['’][\p{Script=Latin}]+)*|\d+(?:[.,]\d+)*|\S/gu
const KINDS: readonly (readonly [TokenKind, RegExp])[] = [
  ['latin', /^[\p{Script=Latin}]/u],
  ['number', /^\d/u],
  ['hiragana', /^[\p{Script=Hiragana}]/u],
  ['katakana', /^[\p{Script=Katakana}ー]/u],
  ['kanji', /^[\p{Script=Han}々]/u],
]
/** Longer messages are read by their beginning. */
const TOKENS_MAX = 400

/** `text` is in NFKC; `mentions` do not overlap. */
export function tokensOf(text: string, mentions: readonly KnownMention[]): readonly Token[] {
  const tokens: Token[] = []
  const wordAt = wordNumbers(text)
  const sorted = mentions.toSorted((a, b) => a.from - b.from)
  let at = 0
  for (const mention of sorted) {
    if (mention.from < at) continue
    pushUnits(tokens, text, { from: at, to: mention.from, wordAt })
    const { kind, from, to } = mention
    tokens.push({ text: text.slice(from, to).toLowerCase(), kind, from, to, word: wordAt[from]! })
    at = to
  }
  pushUnits(tokens, text, { from: at, to: text.length, wordAt })
  return tokens.slice(0, TOKENS_MAX)
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** For each unit of the text the number of its word. */
function wordNumbers(text: string): Uint16Array {
  const numbers = new Uint16Array(text.length)
  let number = 0
  for (const { index, segment } of segmenter.segment(text)) {
    numbers.fill(number, index, index + segment.length)
    number += 1
  }
  return numbers
}

interface Stretch {
  readonly from: number
  readonly to: number
  readonly wordAt: Uint16Array
}

function pushUnits(tokens: Token[], text: string, { from, to, wordAt }: Stretch): void {
  for (const match of text.slice(from, to).matchAll(UNIT)) {
    const unit = match[0].toLowerCase().replaceAll('’', "'")
    const start = from + match.index
    tokens.push({ text: unit, kind: kindOf(unit), from: start, to: start + match[0].length, word: wordAt[start]! })
  }
}

function kindOf(unit: string): TokenKind {
  return KINDS.find(([, pattern]) => pattern.test(unit))?.[0] ?? 'mark'
}
