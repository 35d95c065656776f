// From a message to an Ask: which series it names, what it wishes for, and what kind of question it is. Pure: the
// same words over the same shelves always mean the same.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry, Product } from '../catalogue.ts'
import { faqIndex } from '../faq-index.ts'
import type { FaqIndex, FaqMatch } from '../faq-index.ts'
import type { Ask, AskKind, Filters, Reference, Wish } from './ask.ts'
import { isEmptyWish } from './ask.ts'
import { CUES } from './cues.ts'
import { authorNames, peopleIndex } from './people.ts'
import type { PeopleIndex } from './people.ts'
import { asksByName, asksForMost, readBareQuestion, readReference, readThan, withoutLimits } from './reference.ts'
import { hear } from './spot.ts'
import type { Heard } from './spot.ts'
import { titleIndex } from './titles.ts'
import type { TitleIndex } from './titles.ts'
import { hears, readWish } from './wish.ts'

/** What must be known of the shelves to understand talk about them. Built once per catalogue. */
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

const COURTESY_WORDS_MAX = 7
const BARE_WORDS_MAX = 8

export function understand(message: string, language: Language, lexicon: Lexicon): Ask {
  const { mentions, rest } = titlesIn(message, lexicon)
  const heard = hear(rest)
  const mentioned = mentions.map((mention) => mention.id)
  const said = withoutOwnAuthor(readWish(heard, lexicon.people), mentioned, lexicon)
  const most = asksForMost(heard)
  const wish = most ? withoutLimits(said) : said
  const reference = readReference(heard) ?? (most && isEmptyWish(wish) ? { kind: 'all' as const } : undefined)
  const than = most ? undefined : readThan(heard)
  const faq = mentioned.length === 0 ? lexicon.faq.match(message, language) : undefined
  const onlyStock = wish.filters.inStock === true && isEmptyWish({ ...wish, filters: omitStock(wish.filters) })
  const read = { heard, mentioned, wishes: !isEmptyWish(wish), onlyStock, reference, than, faq }
  return {
    kind: kindOf(read),
    mentioned,
    wish,
    ...(reference === undefined ? {} : { reference }),
    ...(than === undefined ? {} : { than }),
    ...(hears(heard, CUES.others) ? { others: true as const } : {}),
    ...(heard.words.length <= BARE_WORDS_MAX ? { bare: true as const } : {}),
    ...(faq === undefined ? {} : { faqId: faq.entry.id }),
  }
}

/** Naming a series with its author is one name, not a wish for more of the author's. */
function withoutOwnAuthor(wish: Wish, mentioned: readonly string[], lexicon: Lexicon): Wish {
  const { author, ...filters } = wish.filters
  const isOwn = author !== undefined && mentioned.some((id) => lexicon.authorsOf.get(id)?.includes(author) === true)
  return isOwn ? { ...wish, filters } : wish
}

function omitStock({ inStock: _, ...filters }: Filters): Filters {
  return filters
}

/** The titles named, or the one that a message which is nothing but a misspelt title must mean. */
function titlesIn(message: string, { titles }: Lexicon): ReturnType<TitleIndex['find']> {
  const found = titles.find(message)
  const guess = found.mentions.length === 0 ? titles.guess(message) : undefined
  return guess === undefined ? found : { mentions: [{ id: guess, at: 0 }], rest: '' }
}

interface Reading {
  readonly heard: Heard
  readonly mentioned: readonly string[]
  readonly wishes: boolean
  /** The only wish is that it be in stock, which is then rather a question about what was shown. */
  readonly onlyStock: boolean
  readonly reference: Reference | undefined
  readonly than: Ask['than']
  readonly faq: FaqMatch | undefined
}

function kindOf({ heard, mentioned, wishes, onlyStock, reference, than, faq }: Reading): AskKind {
  const short = heard.words.length <= COURTESY_WORDS_MAX
  const nothingElse = mentioned.length === 0 && !wishes && faq === undefined
  if (hears(heard, CUES.identity) && mentioned.length === 0) return 'identity'
  if (short && nothingElse && hears(heard, CUES.thanks)) return 'thanks'
  if (short && nothingElse && hears(heard, CUES.greeting) && reference === undefined) return 'greeting'
  if (mentioned.length >= 2) return hears(heard, CUES.like) && !hears(heard, CUES.compare) ? 'like' : 'compare'
  if (mentioned.length === 1) return kindAboutOne(heard, wishes)
  if (than !== undefined) return 'refine'
  const bare = readBareQuestion(heard)
  if (bare !== undefined && reference !== undefined && (!wishes || onlyStock || bare === 'like')) return bare
  if (reference !== undefined && hears(heard, CUES.price) && (!wishes || onlyStock)) return 'price'
  if (
    faq !== undefined &&
    ((faq.sure && !onlyStock) || (!wishes && !hears(heard, CUES.recommend) && !asksByName(heard)))
  )
    return 'faq'
  if (reference !== undefined && (!wishes || onlyStock)) return referredKind(heard, reference)
  // "Do you have X in stock?" of an X that we do not have.
  if (onlyStock && asksByName(heard) && !hears(heard, CUES.recommend)) return 'price'
  if (wishes) return 'recommend'
  if (hears(heard, CUES.offTopic)) return 'off-topic'
  if (hears(heard, CUES.others)) return 'refine'
  // Something is asked for by a name that we do not have.
  if (hears(heard, CUES.named)) return 'price'
  return hears(heard, CUES.recommend) ? 'recommend' : 'unknown'
}

function kindAboutOne(heard: Heard, wishes: boolean): AskKind {
  if (hears(heard, CUES.similar)) return 'like'
  if (hears(heard, CUES.price)) return 'price'
  if (hears(heard, CUES.about)) return 'about'
  if (asksForFact(heard)) return 'about'
  return wishes || hears(heard, CUES.like) || hears(heard, CUES.recommend) ? 'like' : 'about'
}

/** "Is X finished?", but not "Is there more like X?"; 「Xって完結した？」 */
function asksForFact(heard: Heard): boolean {
  const [first, second] = heard.words
  if (first !== undefined && /^(?:is|has|does|did|was)$/u.test(first)) return second !== 'there'
  return hears(heard, CUES.fact) && !hears(heard, CUES.like) && /[?？]\s*$/u.test(heard.folded)
}

function referredKind(heard: Heard, reference: Reference): AskKind {
  if (reference.kind === 'all') return hears(heard, CUES.price) ? 'price' : 'compare'
  if (hears(heard, CUES.price)) return 'price'
  return hears(heard, CUES.like) && !hears(heard, CUES.about) ? 'like' : 'about'
}
