// Analysers of an index, made from its settings as OpenSearch makes them; unknown parts are refused. Kuromoji is approximated: words
// are cut by Intl.Segmenter, and readings are known for kana only.
import { asObject, illegal } from './refusal.ts'
import type { Json } from './refusal.ts'

export type Analyzer = (text: string) => readonly string[]
type TokenFilter = (tokens: readonly string[]) => readonly string[]

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
const KUROMOJI = /^(?:kuromoji|ja_stop)/u
const KUROMOJI_PLUGIN = 'analysis-kuromoji'

const english = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []
const japanese = (text: string): readonly string[] =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true).map(({ segment }) => segment)

const TOKENIZERS: Readonly<Record<string, Analyzer>> = {
  standard: english,
  whitespace: (text) => text.split(/\s+/u).filter((token) => token !== ''),
  kuromoji_tokenizer: japanese,
}

const ENGLISH_STOPS = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)
const each =
  (change: (token: string) => string): TokenFilter =>
  (tokens) =>
    tokens.map(change)
const without =
  (isDropped: (token: string) => boolean): TokenFilter =>
  (tokens) =>
    tokens.filter((one) => !isDropped(one))

const FILTERS: Readonly<Record<string, TokenFilter>> = {
  lowercase: each((token) => token.toLowerCase()),
  cjk_width: each((token) => token.normalize('NFKC')),
  stop: without((token) => ENGLISH_STOPS.has(token)),
  stemmer: each((token) => (/^[a-z]{4,}$/u.test(token) ? token.replace(/(?:ing|ed|ies|es|s|ly)$/u, '') : token)),
  kuromoji_baseform: (tokens) => tokens,
  kuromoji_part_of_speech: without((token) => /^\p{Script=Hiragana}{1,2}$/u.test(token)),
  ja_stop: without((token) => /^(?:これ|それ|あれ|こと|もの|よう|ため)$/u.test(token)),
  kuromoji_stemmer: each((token) => (/^[\p{Script=Katakana}ー]{4,}$/u.test(token) ? token.replace(/ー$/u, '') : token)),
  kuromoji_readingform: each((token) =>
    token.replaceAll(/[ぁ-ゖ]/gu, (kana) => String.fromCodePoint(kana.codePointAt(0)! + 0x60)),
  ),
}

const BUILT_IN: Readonly<Record<string, Analyzer>> = {
  standard: (text) => FILTERS['lowercase']!(english(text)),
  whitespace: TOKENIZERS['whitespace']!,
}

export function analyzersOf(analysis: Json, plugins: readonly string[]): ReadonlyMap<string, Analyzer> {
  const made = new Map<string, Analyzer>(Object.entries(BUILT_IN))
  const part = <Part>(kind: 'tokenizer' | 'filter', name: string, known: Readonly<Record<string, Part>>): Part => {
    const own = (analysis[kind] as Json | undefined)?.[name]
    const type = own === undefined ? name : String(asObject(own, name)['type'])
    if (KUROMOJI.test(type) && !plugins.includes(KUROMOJI_PLUGIN)) throw illegal(`Unknown ${kind} type [${type}]`)
    const found = Object.hasOwn(known, type) ? known[type] : undefined
    if (found === undefined) throw illegal(`failed to find ${kind} [${name}]`)
    return found
  }
  for (const [name, given] of Object.entries(asObject(analysis['analyzer'] ?? {}, 'analyzer'))) {
    const { type, tokenizer, filter = [] } = asObject(given, name)
    if (type !== 'custom') throw illegal(`Unknown analyzer type [${String(type)}] for [${name}]`)
    const cut = part('tokenizer', String(tokenizer), TOKENIZERS)
    const filters = (filter as readonly string[]).map((one) => part('filter', one, FILTERS))
    made.set(name, (text) => filters.reduce((tokens, apply) => apply(tokens), cut(text)))
  }
  return made
}
