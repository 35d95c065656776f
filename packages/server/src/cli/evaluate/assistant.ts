// The built-in assistant as a shopper meets it, without a server: retrieval and answer are those of a turn, and the
// conversation is stored as turns are.
import { statedBy } from '@mangaassist/bookseller/catalogue/asked-policy'
import { compose } from '@mangaassist/bookseller/dialogue/compose'
import type { Answer } from '@mangaassist/bookseller/dialogue/compose'
import type { Intent } from '@mangaassist/bookseller/dialogue/intent'
import type { AnswerAct } from '@mangaassist/bookseller/evaluation/conversation'
import type { Respond } from '@mangaassist/bookseller/evaluation/hold-conversation'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { NEVER } from '#lib/async/never.ts'
import type { StoredTurn } from '#ports/session-store/port.ts'
import type { LookUp } from '#wiring/profiles/look-up.ts'

const RETRIEVED = 5

/** A shopper's first message begins a new conversation. */
export function converse(lookUp: LookUp): Respond {
  const history: StoredTurn[] = []
  return async ({ message, page, interfaceLanguage }) => {
    const place = page === undefined ? {} : { page: { productId: page } }
    const said = { message, language: detectLanguage(message), history, interfaceLanguage, ...place }
    const grounding = await lookUp.find({ ...said, limit: RETRIEVED }, NEVER)
    const answer = compose(grounding, grounding.language)
    const { text, suggestions } = answer
    const cards = answer.cards.map(({ product }) => product.id)
    history.push({
      turnId: `turn-${history.length}`,
      question: message,
      answer: text,
      language: grounding.language,
      finishReason: 'stop',
      tier: 'embedded',
      productIds: cards,
      suggestions,
      at: history.length,
      ...place,
    })
    return {
      text,
      language: detectLanguage(text),
      acts: actsOf(grounding, answer),
      cards,
      policies: grounding.faq.map((entry) => statedBy(entry, grounding.language)),
      faqIds: answer.sources.filter(({ kind }) => kind === 'faq').map(({ id }) => id),
    }
  }
}

/** The kinds of answer that follow from an intent. One answer may be several. */
const ACTS: Readonly<Record<Exclude<Intent['kind'], 'talk'>, readonly AnswerAct[]>> = {
  suggest: ['suggest'],
  identify: ['identify', 'suggest'],
  introduce: ['inform', 'identify'],
  inform: ['inform'],
  sum: ['inform'],
  fit: ['inform', 'explain'],
  compare: ['compare', 'inform'],
  works: ['suggest', 'inform'],
  explain: ['explain', 'inform'],
  unstocked: ['unstocked'],
  choose: ['acknowledge', 'inform', 'buy'],
  buy: ['buy'],
  order: ['order', 'contact'],
  complaint: ['sorry', 'contact'],
  person: ['contact', 'sorry'],
  faq: ['policy'],
  ask: ['ask'],
}

const TALK: Readonly<Record<Extract<Intent, { kind: 'talk' }>['topic'], readonly AnswerAct[]>> = {
  greet: ['greet'],
  thanks: ['thanks'],
  bye: ['bye', 'thanks'],
  identity: ['identity'],
  help: ['greet', 'ask'],
  language: ['language', 'acknowledge'],
  smalltalk: ['decline'],
  abuse: ['decline', 'sorry'],
  forgiven: ['acknowledge', 'thanks'],
  resolved: ['thanks', 'acknowledge'],
  distress: ['decline', 'sorry'],
  unclear: ['ask'],
  declined: ['acknowledge', 'ask'],
  noted: ['acknowledge'],
}

/** What the shopper sees of an answer, by any model. */
type SeenAnswer = Pick<Answer, 'text'> & {
  readonly cards: readonly unknown[]
  readonly sources: readonly { readonly kind: string }[]
}

export function actsOf({ intent, products }: Grounding, { cards, sources, text }: SeenAnswer): readonly AnswerAct[] {
  const own = intent.kind === 'talk' ? TALK[intent.topic] : ACTS[intent.kind]
  const acts = new Set<AnswerAct>(own)
  if (intent.kind === 'suggest' && intent.occasion === 'noted') acts.add('acknowledge')
  // A search that found nothing asks back.
  if ((intent.kind === 'suggest' || intent.kind === 'identify') && products.length === 0) {
    acts.delete('suggest')
    acts.delete('identify')
    acts.add('ask')
  }
  if (cards.length > 1) acts.add('suggest')
  if (sources.some(({ kind }) => kind === 'faq')) acts.add('policy')
  if (/[?？]/u.test(text)) acts.add('ask')
  return [...acts]
}
