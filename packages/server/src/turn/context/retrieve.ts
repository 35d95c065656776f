// Retrieves what an intent needs: the series that it names, or those that fit a wish, as they are in the catalogue now.
// Whatever a search returns, only products that meet the stated conditions are shown; what had to be relaxed is returned.
import { asAsked } from '@mangaassist/bookseller/catalogue/asked-policy'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { policyOf } from '@mangaassist/bookseller/dialogue/policies'
import { peopleOfPart } from '@mangaassist/bookseller/dialogue/plan'
import type { Intent } from '@mangaassist/bookseller/dialogue/intent'
import type { Nearby } from '@mangaassist/bookseller/dialogue/nearby'
import { POINTS_ENTRY, SHIPPING_ENTRY } from '@mangaassist/bookseller/dialogue/shop'
import type { Shop } from '@mangaassist/bookseller/dialogue/shop'
import type { Grounding, Meant } from '@mangaassist/bookseller/grounding'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Search } from '#ports/search/port.ts'
import { seek } from './seek.ts'

export interface RetrieveParts {
  readonly search: Search
  readonly products: ProductStore
  readonly faq: readonly FaqEntry[]
  readonly shop: Shop
}

export interface Question {
  readonly meant: Pick<Meant, 'reading' | 'intent' | 'state' | 'language' | 'isProtest'>
  readonly nearby: Nearby
  readonly limit: number
  readonly message: string
  /** Products that an earlier answer to the same question showed: a recommendation shows others, where there are any. */
  readonly seen?: readonly string[]
}

type Found = Pick<Grounding, 'products'> & Partial<Pick<Grounding, 'liked' | 'relaxed' | 'isUnsure'>>

export async function retrieve(parts: RetrieveParts, question: Question, signal: AbortSignal): Promise<Grounding> {
  const found = await foundFor(parts, question, signal)
  const { meant } = question
  return {
    relaxed: [],
    isUnsure: false,
    liked: [],
    ...meant,
    ...found,
    faq: faqFor(parts, meant.intent, question.message),
    shop: parts.shop,
  }
}

/** The entries that an answer states, as far as the message asks for them. */
export function faqFor({ faq }: Pick<RetrieveParts, 'faq'>, intent: Intent, message: string): readonly FaqEntry[] {
  const ids = [policyOf(intent), intent.also]
  return faq.filter((entry) => ids.includes(entry.id)).map((entry) => asAsked(entry, message))
}

async function foundFor(parts: RetrieveParts, question: Question, signal: AbortSignal): Promise<Found> {
  const { intent, state } = question.meant
  const { products } = parts
  const named = (ids: readonly string[]) => (ids.length === 0 ? Promise.resolve([]) : products.byIds(ids))
  switch (intent.kind) {
    case 'introduce':
    case 'inform':
    case 'sum':
    case 'fit':
    case 'compare':
    case 'choose':
    case 'buy':
      return { products: await named(intent.ids) }
    case 'explain': {
      const [shown, liked] = await Promise.all([named(intent.ids), named(state.conditions.like)])
      return { products: shown, liked }
    }
    case 'ask':
      return { products: intent.what === 'series' ? await named(state.list) : [] }
    case 'suggest':
    case 'identify': {
      const [liked, sought] = await Promise.all([
        named(intent.quest.conditions.like),
        seek(parts, seekingOf(intent, question), signal),
      ])
      return { ...sought, liked }
    }
    case 'works':
      return worksOf(parts, { ...question, intent }, signal)
    case 'unstocked':
      return nearest(parts, { ...question, intent }, signal)
    case 'faq':
      return { products: OF_SUM.has(intent.id) ? await named(state.sum?.ids ?? []) : [] }
    case 'order':
    case 'complaint':
    case 'person':
    case 'talk':
      return { products: [] }
  }
}

/** Policies that are said for the last sum. */
const OF_SUM: ReadonlySet<string> = new Set([SHIPPING_ENTRY, POINTS_ENTRY])

const seekingOf = (
  intent: Extract<Intent, { kind: 'suggest' | 'identify' }>,
  { meant, limit, seen = [] }: Question,
) => ({
  quest: intent.kind === 'suggest' ? { ...intent.quest, seen: [...(intent.quest.seen ?? []), ...seen] } : intent.quest,
  language: meant.language,
  limit,
  isGuess: intent.kind === 'identify' && intent.isGuess === true,
})

type Asking<Kind extends Intent['kind']> = Question & { readonly intent: Extract<Intent, { kind: Kind }> }

async function worksOf(
  parts: RetrieveParts,
  { meant, limit, intent: { people, of, part, quest } }: Asking<'works'>,
  signal: AbortSignal,
): Promise<Found> {
  const liked = of === undefined ? [] : await parts.products.byIds([of])
  const by = people.length > 0 ? people : liked.flatMap((product) => peopleOfPart(product, part))
  if (by.length === 0) return { products: [], liked }
  const { read, hated } = meant.state
  const exclude = [...new Set([...read, ...hated, ...(of === undefined ? [] : [of])])]
  const conditions = { ...quest.conditions, by, like: [], publishedIn: [] }
  const asked = { ...quest, text: `${quest.text} ${by.join(' ')}`, conditions, exclude }
  const ask = { language: meant.language, limit }
  const sought = await seek(parts, { quest: asked, ...ask }, signal)
  if (sought.products.length > 0 || quest.compared === undefined)
    return { products: sought.products, liked, relaxed: sought.relaxed }
  // None is shorter, or cheaper: then any.
  const { compared: _, ...any } = asked
  return { products: (await seek(parts, { quest: any, ...ask }, signal)).products, liked }
}

/** Known neighbours of a title that the shop does not have; else what the conditions find. */
async function nearest(
  parts: RetrieveParts,
  { meant, nearby, limit, intent: { name, quest } }: Asking<'unstocked'>,
  signal: AbortSignal,
): Promise<Found> {
  const ids = nearby.of(name)
  const asked = { quest: { ...quest, ...(ids.length === 0 ? {} : { among: ids }) }, language: meant.language, limit }
  const sought = await seek(parts, asked, signal)
  const isAimless = ids.length === 0 && (sought.isUnsure || sought.relaxed.length > 0)
  return { products: isAimless ? [] : sought.products }
}
