// Turns a message into an Ask: the series that it names, its wishes, and the kind of question. Pure: the same words
// with the same catalogue always give the same Ask.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry, Product } from '../catalogue/catalogue.ts'
import { faqIndex } from '../catalogue/faq-index.ts'
import type { FaqIndex, FaqMatch } from '../catalogue/faq-index.ts'
import type { Ask, Filters, Wish } from './ask.ts'
import { isEmptyWish, NO_WISH } from './ask.ts'
import { CUES } from './cues.ts'
import { factAlone, factOfNamed } from './fact.ts'
import { kindOf } from './kind.ts'
import { authorNames, peopleIndex } from './people.ts'
import type { PeopleIndex } from './people.ts'
import { asksByName, readMost, readReference, readThan, refines, speaksOfShelf, withoutLimits } from './reference.ts'
import { utteranceOf, contains } from './utterance.ts'
import type { Utterance } from './utterance.ts'
import { titleIndex } from './titles.ts'
import type { TitleIndex } from './titles.ts'
import { readStatements, withoutBudget, withoutOwned } from './statements.ts'
import type { Statements } from './statements.ts'
import { readTone } from './tone.ts'
import { containsUnknownName } from './unknown-name.ts'
import { containsAny, readWish } from './wish.ts'

/** The indexes of the catalogue that are needed to understand messages. Built once for each edition. */
export interface Lexicon {
  readonly authorsOf: ReadonlyMap<string, readonly string[]>
  readonly titles: TitleIndex
  readonly people: PeopleIndex
  readonly faq: FaqIndex
}

export function buildLexicon(products: readonly Product[], faq: readonly FaqEntry[]): Lexicon {
  const authorsOf = new Map(products.map((product) => [product.id, authorNames(product.author).ja]))
  return { authorsOf, titles: titleIndex(products), people: peopleIndex(products), faq: faqIndex(faq) }
}

const BARE_WORDS_MAX = 8

export function understand(message: string, language: Language, lexicon: Lexicon): Ask {
  const { mentions, rest } = titlesIn(message, lexicon)
  const statements = readStatements(rest, mentions)
  // The yen of a budget must not read as a question about a price.
  const utterance = utteranceOf(statements.budgetYen === undefined ? rest : withoutBudget(rest))
  const disliked = mentions.filter(({ from }) => isDisliked(rest, from)).map(({ id }) => id)
  const mentioned = mentions.map(({ id }) => id).filter((id) => !disliked.includes(id))
  const isNamed = mentions.length > 0
  const alone = isNamed ? undefined : factAlone(utterance)
  // Words inside a quoted title are no wish, even when we do not have that series.
  const wished = utteranceOf(withoutOwned(rest.replaceAll(/『[^』]*』/gu, ' ')))
  const read = withoutOwnAuthor(readWish(wished, lexicon.people), mentioned, lexicon)
  const most = readMost(utterance)
  const wish = alone === undefined ? (most === undefined ? read : withoutLimits(read)) : NO_WISH
  const tone = isNamed ? undefined : readTone(utterance)
  const hasUnknownName = !isNamed && namesUnknown({ message, rest, utterance }, lexicon)
  const fact = isNamed || hasUnknownName ? factOfNamed(utterance) : alone
  const ofShown = alone !== undefined || (most !== undefined && isEmptyWish(wish) && !speaksOfShelf(utterance))
  const reference = hasUnknownName
    ? undefined
    : (readReference(utterance) ?? (ofShown ? { kind: 'all' as const } : undefined))
  const than = most === undefined ? readThan(utterance) : undefined
  const plain = statements.budgetYen === undefined ? message : withoutBudget(rest)
  const faq = isNamed ? faqBesideTitle(rest, language, lexicon) : lexicon.faq.match(plain, language)
  const onlyStock = wish.filters.inStock === true && isEmptyWish({ ...wish, filters: omitStock(wish.filters) })
  const wishes = !isEmptyWish(wish) || disliked.length > 0
  const kind = kindOf({
    utterance,
    mentioned,
    wishes,
    onlyStock,
    reference,
    than,
    most,
    faq,
    fact,
    hasUnknownName,
    tone,
  })
  const isBare = utterance.words.length <= BARE_WORDS_MAX && refines(utterance, wish)
  const asked = fact ?? (kind === 'unknown' && containsAny(utterance, CUES.price) ? ('price' as const) : undefined)
  return {
    kind,
    mentioned,
    wish,
    ...(reference === undefined ? {} : { reference }),
    ...(than === undefined ? {} : { than }),
    ...(most === undefined ? {} : { most }),
    ...(asked === undefined ? {} : { fact: asked }),
    ...(disliked.length === 0 ? {} : { disliked }),
    ...statementsOf(statements, disliked),
    ...(hasUnknownName || (!isNamed && asksByName(utterance)) ? { hasUnknownName: true as const } : {}),
    ...(tone === undefined ? {} : { tone }),
    ...(containsAny(utterance, CUES.others) ? { others: true as const } : {}),
    ...(isBare ? { bare: true as const } : {}),
    ...(faq === undefined || (isNamed && kind !== 'faq') ? {} : { faqId: faq.entry.id }),
  }
}

const SERVICE =
  /\b(?:returns?|refund|damaged|faulty|shipping|postage|delivery|delivered|cancel|pay|payment|exchange|gift ?wrap\w*)\b|返品|返金|交換|送料|配送|配達|キャンセル|支払|破損|不良品|落丁|乱丁/u

/** The FAQ entry for a question about shop service for a series. For price and stock the catalogue knows better. */
function faqBesideTitle(rest: string, language: Language, { faq }: Lexicon): FaqMatch | undefined {
  const asked = CUES.price.reduce(
    (text, cue) => (contains(utteranceOf(text), cue) ? text.replaceAll(cue, ' ') : text),
    rest,
  )
  const match = faq.match(asked, language)
  return match === undefined ? undefined : { ...match, sure: match.sure || SERVICE.test(rest) }
}

const DISLIKED_BEFORE =
  /\b(?:hated?|disliked?|(?:don't|do not|didn't|did not|never)(?: really| much)? (?:liked?|enjoy(?:ed)?|want|care for)|not(?: an?| a big| a huge)? fan of|can't stand|not|except|besides|other than|unlike)\s+(?:the\s+)?$/u
const DISLIKED_AFTER =
  /^\s*(?:(?:は|が|も)?(?:あまり|あんまり|そんなに)?(?:大?嫌い|きらい|苦手|以外|好き(?:じゃ|では|でも)な|合わな|つまらな)|(?:is|was)(?:n't| not) (?:for me|my (?:thing|favou?rite|cup of tea)))/u

/** In "I liked X and hated Y", series similar to Y are not wanted. */
function isDisliked(rest: string, from: number): boolean {
  const characters = [...rest.replaceAll('’', "'")]
  return (
    DISLIKED_BEFORE.test(characters.slice(0, from).join('')) || DISLIKED_AFTER.test(characters.slice(from).join(''))
  )
}

/** Whether the message has a name that is neither a title of ours, nor an author, nor a magazine. */
function namesUnknown(
  { message, rest, utterance }: { readonly message: string; readonly rest: string; readonly utterance: Utterance },
  { people }: Lexicon,
): boolean {
  if (people.authors(utterance).length > 0 || people.magazines(utterance).length > 0) return false
  const blanked = [...rest]
  const written = [...message.normalize('NFKC')].map((character, at) => (blanked[at] === ' ' ? ' ' : character))
  return containsUnknownName(written.join(''), utterance)
}

/** A series named with its author is one name, not a wish for more of that author. */
function withoutOwnAuthor(wish: Wish, mentioned: readonly string[], lexicon: Lexicon): Wish {
  const { author, ...filters } = wish.filters
  const isOwn = author !== undefined && mentioned.some((id) => lexicon.authorsOf.get(id)?.includes(author) === true)
  return isOwn ? { ...wish, filters } : wish
}

/** A disliked series is never liked, whatever other word stands beside it. */
function statementsOf(statements: Statements, disliked: readonly string[]): { readonly statements?: Statements } {
  const liked = statements.liked.filter((id) => !disliked.includes(id))
  const isNothing = liked.length === 0 && statements.owned.length === 0 && statements.budgetYen === undefined
  return isNothing ? {} : { statements: { ...statements, liked } }
}

function omitStock({ inStock: _, ...filters }: Filters): Filters {
  return filters
}

/** The titles in the message, or the one that it misspells as a whole. */
function titlesIn(message: string, { titles }: Lexicon): ReturnType<TitleIndex['find']> {
  const found = titles.find(message)
  const guess = found.mentions.length === 0 ? titles.guess(message) : undefined
  return guess === undefined ? found : { mentions: [{ id: guess, at: 0, from: 0 }], rest: '' }
}
