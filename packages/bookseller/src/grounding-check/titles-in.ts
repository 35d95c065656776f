// Finds the series that an answer names, quoted or not, and replaces each name by one private character, so that a title's
// own digits and words are not read as claims.
import type { Product } from '../catalogue/catalogue.ts'
import { nameKey } from '../text/name-key.ts'

export interface NamedTitle {
  /** Undefined: a title that the store does not have. */
  readonly product: Product | undefined
  /** As the answer writes it. */
  readonly name: string
  /** It may be another work: an edition, a sequel, a film. Nothing is concluded from claims about it. */
  readonly isDoubtful: boolean
  /** Without a link, quotation marks or emphasis: it may be a name or a word of the story. */
  readonly isBare?: true
}

export interface Marked {
  /** The answer with every name replaced by its mark. */
  readonly text: string
  /** The titles by the number of their mark: mark 0 is the character `MARK_FIRST`. */
  readonly mentions: readonly NamedTitle[]
}

const MARK_FIRST = 0xe000
const MENTIONS_MAX = 200
/** The source of a pattern for one mark. */
export const MARK = '[\\uE000-\\uE0FF]'

export function mentionAt(marked: Marked, mark: string): NamedTitle | undefined {
  return marked.mentions[mark.charCodeAt(0) - MARK_FIRST]
}

/** 『…』 is a title and nothing else; the other marks are also used for words and emphasis. */
const STRONG = /『([^』\n]{1,80})』|《([^》\n]{1,80})》/gu
const WEAK =
  /「([^「」\n]{1,80})」|“([^“”\n]{1,80})”|"([^"\n]{1,80})"|\*\*([^*\n]{1,80})\*\*|(?<!\*)\*([^*\n]{1,80})\*(?!\*)|(?<![\p{L}\d])_([^_\n]{1,80})_/gu
/** A link to a series names it, whatever its words. */
const SERIES_LINK = /\[([^\]\n]{1,200})\]\(\/series\/([\w-]{1,100})\)/gu
const VOLUME_AT_END = /[\s,]*(?:第?\s*\d+\s*巻?|(?:vols?\.?|volumes?)\s*\d+)$/iu

/** The texts that an answer has in quotation marks or emphasis: what may be a title. */
export function quotedIn(answer: string): readonly string[] {
  const text = withoutMarkup(answer)
  const found = [...text.matchAll(STRONG), ...text.matchAll(WEAK)].map((match) => contentOf(match))
  return [...new Set(found)]
}

/** Without width variants, invisible characters and the targets of links. */
export const withoutMarkup = (answer: string): string => withoutLinks(plain(answer))

/** Private characters are removed first: the marks of titles are such characters. */
const plain = (answer: string): string =>
  answer
    .normalize('NFKC')
    .replaceAll(/\p{Cf}|\p{Co}/gu, '')
    .replaceAll(/[’‘]/gu, "'")

const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)/gu, '$1')

const contentOf = (match: readonly (string | undefined)[]): string =>
  match.slice(1).find((part) => part !== undefined) ?? ''

export function markTitles(answer: string, products: readonly Product[]): Marked {
  const names = namesOf(products)
  const byKey = new Map(names.map(({ key, product }) => [key, product]))
  const mentions: NamedTitle[] = []
  const mark = (mention: NamedTitle): string => {
    if (mentions.length === MENTIONS_MAX) return ' '
    mentions.push(mention)
    return String.fromCharCode(MARK_FIRST + mentions.length - 1)
  }
  const named = (content: string): Product | undefined =>
    byKey.get(nameKey(content)) ?? byKey.get(nameKey(content.replace(VOLUME_AT_END, '')))
  const byId = new Map(products.map((product) => [product.id, product]))
  const linked = plain(answer).replaceAll(SERIES_LINK, (whole: string, name: string, id: string) => {
    const product = byId.get(id)
    return product === undefined ? whole : mark({ product, name, isDoubtful: false })
  })
  const text = withoutLinks(linked)
    .replaceAll(STRONG, (...match) => {
      const name = contentOf(match.slice(0, 3))
      return mark({ product: named(name), name, isDoubtful: false })
    })
    .replaceAll(WEAK, (...match) => {
      const [whole, name] = [match[0], contentOf(match.slice(0, 7))]
      const product = named(name)
      if (product !== undefined) return mark({ product, name, isDoubtful: false })
      // Bold words are often headings.
      return looksLikeTitle(name) && !whole.startsWith('**') && !names.some((known) => known.pattern.test(name))
        ? mark({ product: undefined, name, isDoubtful: false })
        : ` ${name} `
    })
  return { text: names.reduce((rest, known) => markBare(rest, known, mark), text), mentions }
}

interface Name {
  readonly key: string
  readonly product: Product
  readonly pattern: RegExp
}

/** Longest first, so that a name inside a longer one is not found. */
function namesOf(products: readonly Product[]): readonly Name[] {
  const names = products.flatMap((product) => {
    const { ja, en, romaji, kana } = product.title
    const whole = [ja, en, romaji, ...(kana === undefined ? [] : [kana])]
    return [...new Set([...whole, ...whole.flatMap(withoutSubtitle)])].flatMap((name) => toName(name, product))
  })
  const owners = Map.groupBy(names, ({ key }) => key)
  // A short form that two series share names neither.
  const own = names.filter(({ key, product }) => owners.get(key)?.every((other) => other.product.id === product.id))
  return own.toSorted((a, b) => b.key.length - a.key.length)
}

const SHORT_FORM_MIN = 3

function withoutSubtitle(name: string): readonly string[] {
  const [first = ''] = name.normalize('NFKC').split(/\s*[:~〜]\s*|\s+[-–—]\s*|\s*\(/u)
  return first !== name && [...first].length >= SHORT_FORM_MIN ? [first] : []
}

const NEVER = /(?!)/gu
/** A title such as "pink" is a title only in quotation marks or a link. */
const isEverydayWord = (name: string): boolean => /^\p{Ll}+$/u.test(name) && LATIN.test(name)

function toName(name: string, product: Product): readonly Name[] {
  const key = nameKey(name)
  return key === '' ? [] : [{ key, product, pattern: isEverydayWord(name) ? NEVER : patternOf(name) }]
}

const LATIN = /^[\p{Script=Latin}\d]/u

function patternOf(name: string): RegExp {
  const text = name.normalize('NFKC')
  const escaped = escapedBy(text)
  if (!LATIN.test(text)) return new RegExp(fringed(text, escaped), 'gu')
  // A title of one everyday word counts only as it is written, with its capitals.
  const isOneWord = !/[\s\d]/u.test(text)
  return new RegExp(`(?<![\\p{Script=Latin}\\d])${escaped}(?![\\p{Script=Latin}\\d])`, isOneWord ? 'gu' : 'giu')
}

const escapedBy = (text: string): string =>
  text
    .replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')
    .replaceAll(/[’‘']/gu, "'")
    .replaceAll(/\s+/gu, '\\s+')

/** A short Japanese name is found only where its script begins and ends. */
function fringed(text: string, escaped: string): string {
  if ([...text].length > 5) return escaped
  const edge = /^[\p{Script=Katakana}ー]+$/u.test(text)
    ? '[\\p{Script=Katakana}ー]'
    : /^[\p{Script=Hiragana}ー!?。]+$/u.test(text)
      ? '[\\p{Script=Hiragana}ー]'
      : '\\p{Script=Han}'
  return /[\p{Script=Hiragana}]/u.test(text) && edge === '\\p{Script=Han}'
    ? escaped
    : `(?<!${edge})${escaped}(?!${edge})`
}

/** After a bare name, words that make it the name of something else. */
const OTHER_WORK_JA =
  /^の?\s*(?:外伝|スピンオフ|続編|前日譚|完全版|新装版|文庫版|愛蔵版|カラー版|アニメ|映画|劇場版|実写|小説|ノベル|ゲーム|シリーズ第)/u
const OTHER_WORK_EN =
  /^(?:'s)?\s*(?:anime|film|movie|spin-?off|sequel|prequel|novels?|game|box ?set|deluxe|omnibus|remake|live[- ]action|(?:\w+ )?edition)\b/iu
/** After a Latin name: another capital, as in a longer title. */
const LONGER_NAME =
  /^(?::\s*|\s+)(?!(?:Vol|Vols|Volumes?|Is|Has|And|At|By|Price|Status|Stock|In|I|A|The|It|¥)\b)\p{Lu}[\p{Ll}\p{Lu}]+/u
const LONGER_BEFORE = /(?:\p{Lu}[\p{L}\p{M}]*:\s*)$/u

export function isOtherWork(after: string): boolean {
  return OTHER_WORK_JA.test(after) || OTHER_WORK_EN.test(after)
}

function markBare(text: string, { pattern, product }: Name, mark: (mention: NamedTitle) => string): string {
  return text.replaceAll(pattern, (found: string, at: number, whole: string) => {
    const after = whole.slice(at + found.length, at + found.length + 40)
    const isLonger =
      LATIN.test(found) && (LONGER_NAME.test(after) || LONGER_BEFORE.test(whole.slice(Math.max(0, at - 30), at)))
    return mark({ product, name: found, isDoubtful: isLonger, isBare: true })
  })
}

const SMALL = new Set([
  'a',
  'an',
  'and',
  'at',
  'by',
  'for',
  'in',
  'is',
  'no',
  'ni',
  'of',
  'on',
  'or',
  'the',
  'to',
  'wa',
  'wo',
  'ga',
  'with',
  'from',
  'vs',
])
const LABEL =
  /\b(?:price|volumes?|status|total|stock|note|age|cost|author|series|search|contact|add to cart|buy|manga|tip|yes|no)\b/iu

/** English only: capitals at every word but the small ones. */
function looksLikeTitle(text: string): boolean {
  if (LABEL.test(text) || !/^\p{Lu}/u.test(text) || /[¥?]|\d{3}/u.test(text)) return false
  const list = text.split(/\s+/u)
  return list.length <= 8 && list.every((word) => SMALL.has(word.toLowerCase()) || /^[\p{Lu}\d&!'"(-]/u.test(word))
}
