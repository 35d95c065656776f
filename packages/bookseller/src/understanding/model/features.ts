// The features of the tagger and of the classifier, as 32-bit hashes: no strings are built for them, because a message
// has a thousand. Training and use share this file; a change here needs new weights.
import { ACTS, PREVIOUS } from '../reading.ts'
import type { Act, Previous } from '../reading.ts'
import { GENRES, MOODS, READERSHIPS } from '../vocabulary.ts'
import { FAQ_MATCHES } from './faq-matches.ts'
import type { FaqMatched } from './faq-matches.ts'
import type { Token, TokenKind } from './tokens.ts'

/** Raise it with every change of the features: weights of another version are refused. */
export const FEATURES_VERSION = 5

const PRIME = 0x01000193
const START = 0x811c9dc5

export function hashOf(text: string): number {
  let hash = START
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
  return hash >>> 0
}

/** Joins the hashes of the parts of a feature; the order matters. */
function joined(template: number, ...[a = 0, b = 0, c = 0]: readonly number[]): number {
  let hash = Math.imul(template + 0x9e3779b9, 0x85ebca6b)
  hash = Math.imul(hash ^ a, PRIME)
  hash ^= hash >>> 15
  hash = Math.imul(hash ^ b, 0xc2b2ae35)
  hash ^= hash >>> 13
  hash = Math.imul(hash ^ c, 0x27d4eb2f)
  return (hash ^ (hash >>> 16)) >>> 0
}

const EDGE = hashOf('<edge>')
/** Names and numbers are known by their kind alone: the model must not learn one title. */
const OPAQUE: ReadonlySet<TokenKind> = new Set(['title', 'person', 'magazine'])
const KIND_HASHES: Readonly<Record<TokenKind, number>> = {
  latin: 1,
  number: 2,
  hiragana: 3,
  katakana: 4,
  kanji: 5,
  mark: 6,
  title: 7,
  person: 8,
  magazine: 9,
}

function tokenHash({ text, kind }: Token): number {
  if (OPAQUE.has(kind)) return hashOf(`<${kind}>`)
  if (kind !== 'number') return hashOf(text)
  const value = Number(text.replaceAll(',', ''))
  return hashOf(
    `<number ${value < 20 ? 'small' : value < 200 ? 'tens' : value < 1900 ? 'hundreds' : value < 2100 ? 'year' : 'large'}>`,
  )
}

const LEXICON = lexicon()

/** For each token: 0, or which vocabulary has a word that covers it. */
function vocabularyMarks(tokens: readonly Token[]): Uint8Array {
  const marks = new Uint8Array(tokens.length)
  for (let from = 0; from < tokens.length; from += 1) {
    let text = ''
    for (let to = from; to < tokens.length && to < from + LEXICON.tokensMax; to += 1) {
      const token = tokens[to]!
      text += token.kind === 'latin' && to > from ? ` ${token.text}` : token.text
      const mark = LEXICON.marks.get(text)
      if (mark !== undefined) marks.fill(mark, from, to + 1)
    }
  }
  return marks
}

function lexicon(): { readonly marks: ReadonlyMap<string, number>; readonly tokensMax: number } {
  const marks = new Map<string, number>()
  for (const [index, vocabulary] of [GENRES, MOODS, READERSHIPS].entries())
    for (const { label, synonyms, kinds } of Object.values(vocabulary))
      for (const word of [label.ja, label.en, ...synonyms.ja, ...synonyms.en, ...kinds]) {
        const plain = word.normalize('NFKC').toLowerCase().replaceAll('-', ' ')
        marks.set(plain, index + 1)
        // 「怖い」 is also written 「怖く」 and 「怖さ」.
        if (plain.endsWith('い') && plain.length > 1) marks.set(plain.slice(0, -1), index + 1)
      }
  return { marks, tokensMax: 10 }
}

/** How far to either side pairs of words are seen without their order. */
const WINDOW = 5

/** The features of every token, for the tagger. The act is the one that the classifier judged. */
export function taggerFeatures(
  tokens: readonly Token[],
  { previous, act }: { readonly previous: Previous; readonly act: Act },
): readonly Uint32Array[] {
  const judged = 200 + ACTS.indexOf(act)
  const words = tokens.map(tokenHash)
  const kinds = tokens.map(({ kind }) => KIND_HASHES[kind])
  const marks = vocabularyMarks(tokens)
  const at = (index: number) => words[index] ?? EDGE
  const kindAt = (index: number) => kinds[index] ?? 0
  const { neighbours, places } = wordsOf(tokens, words)
  const before = 100 + PREVIOUS.indexOf(previous)
  return tokens.map((token, i) => {
    const features: number[] = [
      joined(0, 0),
      joined(1, at(i)),
      joined(2, at(i - 1)),
      joined(3, at(i + 1)),
      joined(4, at(i - 2), at(i - 1)),
      joined(5, at(i - 1), at(i)),
      joined(6, at(i), at(i + 1)),
      joined(7, at(i + 1), at(i + 2)),
      joined(8, at(i - 1), at(i), at(i + 1)),
      joined(9, at(i), at(i + 1), at(i + 2)),
      joined(10, at(i - 2), at(i - 1), at(i)),
      joined(11, at(i + 1), at(i + 2), at(i + 3)),
      joined(12, at(i - 3), at(i - 2), at(i - 1)),
      joined(13, kindAt(i), kindAt(i - 1), kindAt(i + 1)),
      joined(14, kindAt(i), marks[i] ?? 0, at(i + 1)),
      joined(15, marks[i] ?? 0, marks[i - 1] ?? 9, marks[i + 1] ?? 9),
      joined(16, kindAt(i), before),
      joined(17, at(i), before),
      joined(18, i === 0 ? 1 : 0, i === tokens.length - 1 ? 1 : 0, kindAt(i)),
      joined(19, joined(40, at(i + 2), at(i + 3)), at(i + 4), kindAt(i)),
      joined(20, kindAt(i), at(i - 1)),
      joined(21, kindAt(i), at(i + 1), at(i + 2)),
    ]
    if (token.kind === 'latin') {
      features.push(joined(22, hashOf(token.text.slice(0, 4))), joined(23, hashOf(token.text.slice(-3))))
    }
    pushWindow(features, { words, i })
    pushNeighbours(features, neighbours, places[i]!)
    features.push(
      joined(90, judged, kindAt(i)),
      joined(91, judged, at(i)),
      joined(92, judged, kindAt(i - 1), at(i + 1)),
    )
    features.push(joined(93, judged, marks[i] ?? 0, kindAt(i)), joined(94, judged, i === 0 ? 1 : 0))
    return Uint32Array.from(features)
  })
}

/** Pairs of words within the window, without their order: a negation may stand at the end of the sentence. */
function pushWindow(features: number[], { words, i }: { readonly words: readonly number[]; readonly i: number }): void {
  for (let distance = 1; distance <= WINDOW; distance += 1) {
    const right = words[i + distance]
    const left = words[i - distance]
    if (right !== undefined) features.push(joined(31, right, words[i + distance + 1] ?? EDGE))
    if (left !== undefined) features.push(joined(33, words[i - distance - 1] ?? EDGE, left))
  }
}

/** The hashes of the words, and for each token the place of its word among them. Marks are no words. */
function wordsOf(
  tokens: readonly Token[],
  hashes: readonly number[],
): { readonly neighbours: readonly number[]; readonly places: readonly number[] } {
  const neighbours: number[] = []
  const places: number[] = []
  let last: number | undefined
  for (const [index, token] of tokens.entries()) {
    if (token.word === last && !OPAQUE.has(token.kind))
      neighbours.push(joined(41, neighbours.pop() ?? 0, hashes[index] ?? 0))
    else neighbours.push(joined(41, 0, hashes[index] ?? 0))
    last = token.word
    places.push(neighbours.length - 1)
  }
  return { neighbours, places }
}

/** The word of a token, and the words beside it: 「苦手」 after 「恋愛」, "hate" before "school". */
function pushNeighbours(features: number[], words: readonly number[], place: number): void {
  const at = (distance: number) => words[place + distance] ?? EDGE
  features.push(
    joined(70, at(0)),
    joined(71, at(1)),
    joined(72, at(-1)),
    joined(73, at(0), at(1)),
    joined(74, at(-1), at(0)),
    joined(75, at(1), at(2)),
    joined(76, at(-2), at(-1)),
    joined(77, at(2)),
    joined(78, at(-2)),
    joined(79, at(2), at(3)),
    joined(80, at(1), at(2), at(3)),
    joined(81, at(3)),
  )
}

const GRAM_MAX = 4

/** The features of the whole message, for the classifier of acts and flags. */
export function messageFeatures(
  tokens: readonly Token[],
  { previous, faq }: { readonly previous: Previous; readonly faq: FaqMatched },
): Uint32Array {
  const words = tokens.map(tokenHash)
  const features = new Set<number>([joined(50, 0)])
  const before = 100 + PREVIOUS.indexOf(previous)
  features.add(joined(51, before))
  for (let i = 0; i < words.length; i += 1) {
    let gram = 0
    for (let length = 1; length <= GRAM_MAX && i + length <= words.length; length += 1) {
      gram = joined(52 + length, gram, words[i + length - 1] ?? 0)
      features.add(gram)
      if (length <= 2) features.add(joined(60, gram, before))
    }
    // A word, and one that follows at some distance: "don't … school", 「…以外で…」.
    if (i + 2 < words.length) features.add(joined(61, words[i] ?? 0, words[i + 2] ?? 0))
  }
  features.add(joined(62, words[0] ?? EDGE, words[1] ?? EDGE))
  features.add(joined(63, words.at(-2) ?? EDGE, words.at(-1) ?? EDGE))
  features.add(joined(64, lengthClass(words.length), before))
  features.add(joined(65, shapeOf(tokens), before))
  const matched = 300 + FAQ_MATCHES.indexOf(faq)
  features.add(joined(67, matched))
  features.add(joined(68, matched, tokens.some(({ kind }) => kind === 'title') ? 1 : 0))
  for (const token of tokens)
    if (token.kind === 'latin' && token.text.length > 4) features.add(joined(66, hashOf(token.text.slice(0, 4))))
  return Uint32Array.from(features)
}

const lengthClass = (length: number): number =>
  length < 3 ? length : length < 7 ? 3 : length < 15 ? 4 : length < 40 ? 5 : 6

/** Whether titles, people, numbers and a question mark occur, and whether a title is all there is. */
function shapeOf(tokens: readonly Token[]): number {
  const has = (kind: TokenKind) => tokens.some((token) => token.kind === kind)
  const isTitleAlone = has('title') && tokens.every(({ kind }) => kind === 'title' || kind === 'mark')
  const titles = Math.min(2, tokens.filter(({ kind }) => kind === 'title').length)
  const last = tokens.at(-1)?.text
  const asks = last === '?' || last === 'か' || tokens.some(({ text }) => text === '?')
  return (
    titles +
    (has('person') ? 4 : 0) +
    (has('number') ? 8 : 0) +
    (asks ? 16 : 0) +
    (isTitleAlone ? 32 : 0) +
    (has('magazine') ? 64 : 0)
  )
}
