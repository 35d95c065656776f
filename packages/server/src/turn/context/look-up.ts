// From words to products: what a message means, then what answers it. Turns and `mangaassist search` both use it, so that the
// evaluation measures what shoppers get.
import { isDeepStrictEqual } from 'node:util'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Intent, Talk } from '@mangaassist/bookseller/dialogue/intent'
import { recallOf } from '@mangaassist/bookseller/dialogue/referring/recall'
import type { Recall } from '@mangaassist/bookseller/dialogue/referring/recall'
import { shopOf } from '@mangaassist/bookseller/dialogue/shop'
import type { Shop } from '@mangaassist/bookseller/dialogue/shop'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { Grounding, Meant } from '@mangaassist/bookseller/grounding'
import type { FaqWeights } from '@mangaassist/bookseller/catalogue/faq-weights'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import type { UnderstandingModel } from '@mangaassist/bookseller/understanding/model/model'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import { withLiveOffers } from '#ports/product-store/live-offers.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { LiveProducts } from '#ports/product-store/shared.ts'
import type { Search } from '#ports/search/port.ts'
import { createLexicon } from './lexicon.ts'
import type { CurrentLexicon } from './lexicon.ts'
import { meaningOf, shownIn } from './meaning.ts'
import type { Said } from './meaning.ts'
import { cachedReadings } from './readings.ts'
import { faqFor, retrieve } from './retrieve.ts'
import { stateFacts } from './state-facts.ts'

export interface LookUpParts {
  readonly search: Search
  readonly products: ProductStore
  /** Absent: `products` is current. */
  readonly live?: Pick<LiveProducts, 'now'> | undefined
  readonly faq: readonly FaqEntry[]
  readonly understanding: UnderstandingModel
  /** Compares the meaning of messages with the FAQ; without them its words alone count. */
  readonly vectors?: WordVectors | undefined
  /** Finds FAQ entries that mean what a message says in other words; absent where no embedder is configured. */
  readonly embeddings?: Pick<Embeddings, 'faqFor'> | undefined
  /** The trained recognition of the bundled FAQ. */
  readonly faqWeights?: FaqWeights | undefined
  /** How a shopper reaches a person. */
  readonly contact: Shop['contact']
}

export interface LookUp {
  find(question: Said & { readonly limit: number }, signal: AbortSignal): Promise<Grounding>
  /** Whether the message means something else after the earlier turns than alone. */
  leansOnHistory(said: Said): Promise<boolean>
  /** The state of the conversation, as lines of data: what the shopper stated before and must not be lost. */
  facts(said: Omit<Said, 'message'>): Promise<readonly string[]>
  /** The grounding when the catalogue cannot be read. */
  offShelves(said: Said): Grounding
  /** Prepares what `find` needs. Never rejects. */
  warm(): Promise<void>
  /** The names of the current edition, which are read once. */
  readonly lexicon: Pick<CurrentLexicon, 'current'>
}

/** What is said when a question to the shop is not understood. */
const UNANSWERED: ReadonlySet<Talk> = new Set(['unclear', 'help', 'smalltalk'])
const NEEDS_NO_SHELVES: ReadonlySet<Intent['kind']> = new Set(['talk', 'faq', 'order', 'complaint', 'person'])

export function createLookUp(parts: LookUpParts): LookUp {
  const names = createLexicon(parts)
  const readings = cachedReadings(parts.understanding)
  const shop = shopNow(parts)
  const recallFor = async ({ history }: Said): Promise<Recall> => {
    const ids = shownIn(history)
    return recallOf(ids.length === 0 ? [] : await parts.products.byIds(ids), parts.vectors)
  }
  return {
    lexicon: names,
    async find(question, signal) {
      const [{ lexicon, nearby }, recall] = await Promise.all([names.current(), recallFor(question)])
      const meant = await withFaq(parts.embeddings, question, meaningOf(question, readings(lexicon), recall))
      const asked = { meant, nearby, limit: question.limit, message: question.message, seen: question.seen ?? [] }
      return withLiveOffers(parts.live, await retrieve({ ...parts, shop: shop() }, asked, signal))
    },
    async leansOnHistory(said) {
      const [{ lexicon }, recall] = await Promise.all([names.current(), recallFor(said)])
      const read = readings(lexicon)
      const [after, alone] = [said, { ...said, history: [] }].map((each) => {
        const { intent, language } = meaningOf(each, read, recall)
        return { intent, language }
      })
      return !isDeepStrictEqual(after, alone)
    },
    async facts(said) {
      if (said.history.length === 0) return []
      return stateFacts(parts.products, said, readings((await names.current()).lexicon))
    },
    offShelves(said) {
      const meant = meaningOf(said, readings(names.withoutShelves.lexicon))
      if (!NEEDS_NO_SHELVES.has(meant.intent.kind)) return { ...UNGROUNDED, language: meant.language, shop: shop() }
      return { ...UNGROUNDED, ...meant, shop: shop(), faq: faqFor(parts, meant.intent, said.message) }
    },
    warm: () =>
      names.current().then(
        () => {},
        () => {},
      ),
  }
}

/**
 * A question to the shop that no words of the FAQ match may mean an entry nevertheless. It changes the answer alone: the state of a
 * conversation is replayed without an embedder, so that it is the same on every node and every day.
 */
async function withFaq<Meaning extends Pick<Meant, 'reading' | 'intent'>>(
  embeddings: LookUpParts['embeddings'],
  { message }: Said,
  meant: Meaning,
): Promise<Meaning> {
  const { intent, reading } = meant
  const isOpen = intent.kind === 'talk' && UNANSWERED.has(intent.topic)
  if (reading.act !== 'faq' || reading.faq !== undefined || !isOpen) return meant
  const id = await embeddings?.faqFor(message)
  return id === undefined ? meant : { ...meant, intent: { kind: 'faq', id } }
}

/** What the FAQ says of the shop, derived again when another FAQ is imported. */
function shopNow(parts: Pick<LookUpParts, 'contact' | 'faq'>): () => Shop {
  let known: { readonly faq: readonly FaqEntry[]; readonly shop: Shop } | undefined
  return () => {
    const { contact, faq } = parts
    if (known?.faq !== faq) known = { faq, shop: shopOf(contact, faq) }
    return known.shop
  }
}
