// Cuts a message into the units that the tagger labels: a Latin word, a number, or one character of Japanese. A name
// that the catalogue knows is a single token, so that no word of a title gets a meaning of its own.

export type TokenKind = 'latin' | 'number' | 'hiragana' | 'katakana' | 'kanji' | 'mark' | 'title' | 'person' | 'magazine'

export interface Token {
  /** In small letters. */
  readonly text: string
  readonly kind: TokenKind
  /** Positions in the normalised message. */
  readonly from: number
  readonly to: number
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
  const sorted = mentions.toSorted((a, b) => a.from - b.from)
  let at = 0
  for (const mention of sorted) {
    if (mention.from < at) continue
    pushUnits(tokens, text, { from: at, to: mention.from })
    const { kind, from, to } = mention
    tokens.push({ text: text.slice(from, to).toLowerCase(), kind, from, to })
    at = to
  }
  pushUnits(tokens, text, { from: at, to: text.length })
  return tokens.slice(0, TOKENS_MAX)
}

function pushUnits(tokens: Token[], text: string, { from, to }: { readonly from: number; readonly to: number }): void {
  for (const match of text.slice(from, to).matchAll(UNIT)) {
    const unit = match[0].toLowerCase().replaceAll('’', "'")
    const start = from + match.index
    tokens.push({ text: unit, kind: kindOf(unit), from: start, to: start + match[0].length })
  }
}

function kindOf(unit: string): TokenKind {
  return KINDS.find(([, pattern]) => pattern.test(unit))?.[0] ?? 'mark'
}
