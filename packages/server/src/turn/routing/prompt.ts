// The text sent to a model: the system prompt and, fenced as data, the retrieved products, the standing wishes and the
// conversation's notes, so that a hostile catalogue entry stays an entry and a hostile summary a summary.
import type { Language } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import type { TokenCounter } from '#domain/estimator/token-counter.ts'
import { inert } from '#domain/prompt/inert.ts'
import { filledPrompt } from '#domain/prompt/system-prompts.ts'
import type { SystemPrompts } from '#domain/prompt/system-prompts.ts'
import { mainFacts } from '@mangaassist/bookseller/catalogue/main-facts'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Grounding } from '@mangaassist/bookseller/grounding'

export function systemPrompt(
  { texts }: SystemPrompts,
  language: Language,
  { contact, name }: Pick<Config['store'], 'contact' | 'name'>,
): string {
  return filledPrompt(texts[language], { store: name[language], contact: contact[language] })
}

export interface BlockLimit {
  readonly tokens: number
  readonly entries: number
  /** The main facts of each entry, and no more. */
  readonly isBrief?: boolean
  readonly counter: TokenCounter
}

/**
 * The retrieved entries that fit the share of tokens, best first, as one fenced block; empty when none do. Every entry gets
 * its main facts before any gets more: a bookseller's knowledge of the first must not push out the price of the third.
 */
export function dataBlock(grounding: Grounding, language: Language, limit: BlockLimit): string {
  const entries = [
    ...grounding.faq.slice(0, 1).map((entry) => [faqFacts(entry, language)]),
    ...grounding.products.map((product) => productFacts(product, language)),
  ].slice(0, limit.entries)
  const lines: string[] = []
  let tokens = 0
  const isTaken = (index: number, line: string): boolean => {
    const former = lines[index]
    const more = limit.counter.text(line) - (former === undefined ? 0 : limit.counter.text(former))
    if (tokens + more > limit.tokens) return false
    tokens += more
    lines[index] = line
    return true
  }
  for (const [index, [main = {}]] of entries.entries()) if (!isTaken(index, lineOf(main))) break
  for (const [index] of limit.isBrief === true ? [] : lines.entries()) {
    let facts: object = {}
    for (const part of entries[index] ?? []) {
      const wider = { ...facts, ...part }
      if (Object.keys(wider).length > Object.keys(facts).length && !isTaken(index, lineOf(wider))) continue
      facts = wider
    }
  }
  return lines.length === 0 ? '' : `<data>\n${lines.join('\n')}\n</data>\n\n`
}

/** The standing wishes and what was relaxed for them, as one fenced line; empty when there are none, or no room. */
export function stateBlock(grounding: Grounding, limit: Pick<BlockLimit, 'tokens' | 'counter'>): string {
  const { state, relaxed, isUnsure } = grounding
  const { want, avoid, by, notBy, publishedIn, notPublishedIn, limits, audience } = state.conditions
  const facts = withoutEmpty({
    wants: [...want.map(({ text }) => text), ...by, ...publishedIn],
    avoids: [...avoid.map(({ text }) => text), ...notBy, ...notPublishedIn],
    limits,
    reader: audience,
    relaxed,
    unsure: isUnsure ? true : undefined,
  })
  if (Object.keys(facts).length === 0) return ''
  const block = `<state>\n${lineOf(facts)}\n</state>\n\n`
  return limit.counter.text(block) > limit.tokens ? '' : block
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

const withoutEmpty = (facts: object): object =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => !isEmpty(value)))

const lineOf = (facts: object): string => inert(JSON.stringify(facts))

/** Notes on the conversation, a line each, as one fenced block. */
export function earlierBlock(lines: readonly string[]): string {
  return `<earlier>\n${lines.map(inert).join('\n')}\n</earlier>\n\n`
}

/** Joined into one line. */
export function summaryLine(summary: string): string {
  return JSON.stringify({ summary })
}

/**
 * The facts of a product in parts, the most important first. An unknown fact is left out: `JSON.stringify` writes no undefined
 * field. Hooks are for search only: some of them spoil.
 */
function productFacts(product: Product, language: Language): readonly object[] {
  const { adaptations, content, firstYear, lastYear, related, similar } = product
  const others = similar?.filter(({ id }) => id !== undefined).slice(0, SIMILAR_MAX)
  return [
    mainFacts(product, language),
    { synopsis: product.synopsis?.[language] },
    { age: product.age, content: content?.length === 0 ? undefined : content },
    { lovedBy: product.lovedBy?.[language], themes: product.themes?.[language].slice(0, THEMES_MAX) },
    { protagonist: product.protagonist?.[language] },
    { similar: others?.map(({ title, reason }) => ({ title: title[language], because: reason[language] })) },
    { volumePrices: product.volumeOffers?.slice(-VOLUME_OFFERS_MAX) },
    { magazine: product.magazine?.[language], years: yearsOf(firstYear, lastYear) },
    {
      writer: otherThanAuthor(product.writer, product, language),
      artist: otherThanAuthor(product.artist, product, language),
    },
    {
      readingOrder: product.readingOrder?.[language],
      related: related?.map(({ kind, title }) => ({ kind, title: title[language] })),
    },
    { adaptations: adaptations?.map(({ kind, year }) => `${kind} ${year}`) },
    { setting: product.setting?.[language], art: product.art?.[language], pace: product.pace },
  ].map(withoutUndefined)
}

const SIMILAR_MAX = 2
const THEMES_MAX = 5
/** The newest volumes are those that are asked for. */
const VOLUME_OFFERS_MAX = 3

const withoutUndefined = (facts: object): object =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))

function yearsOf(first: number | undefined, last: number | undefined): string | undefined {
  if (first === undefined) return undefined
  return last === undefined ? `${first}–` : `${first}–${last}`
}

/** The author's line names one person alone already. */
function otherThanAuthor(person: Product['writer'], { author }: Product, language: Language): string | undefined {
  return person?.[language] === author?.[language] ? undefined : person?.[language]
}

function faqFacts(entry: FaqEntry, language: Language): object {
  return { question: entry.questions[language][0], answer: entry.answer[language] }
}
