// The answer cache as a turn uses it: a fresh answer before any model is asked, a stale one when no model answers, and a
// model's good answer stored for later. Only this file decides what may be shared and under which key; an unavailable cache
// counts as empty. Each answer is stored twice: under what it was made from, and under the words of the question alone,
// which is all that is known while retrieval is missing.
import type { Config } from '#config/config.ts'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import { answerKey } from '#domain/answers/answer-key.ts'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { presented } from '#domain/answers/shown-with.ts'
import { answerNotShared, questionNotShared } from '#domain/answers/shareable.ts'
import type { NotShared } from '#domain/answers/shareable.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import type { TurnOutcome } from '#domain/turn/log-records.ts'
import { messageText } from '#domain/model/model-message.ts'
import { sharesOf } from '#domain/turn/first-word.ts'
import { NEVER } from '#lib/async/never.ts'
import { SingleFlight } from '#lib/async/single-flight.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { AnswerCache, CachedAnswer } from '#ports/answer-cache/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import { withLiveOffers } from '#ports/product-store/live-offers.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { LiveProducts } from '#ports/product-store/shared.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { CacheLookup, Routed, Rung } from '../turn.ts'

export interface CachedAnswersParts {
  readonly cache: AnswerCache
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'answers' | 'tokens'>
  readonly products: Pick<ProductStore, 'byIds' | 'edition'>
  /** Absent: `products` is current. */
  readonly live?: Pick<LiveProducts, 'now'> | undefined
  readonly faq: readonly FaqEntry[]
  /**
   * The route through the models, by configuration and experiment, never by their current state: during an outage the
   * answers from before it must still be found.
   */
  readonly routeOf: (routed: Routed) => RouteTaken
  readonly settings: Pick<RunSettings, 'isOff'>
}

interface RouteTaken {
  readonly name: string
  /**
   * The model that the route asks first when money is no limit. Only its answers are shared, because other turns would get
   * the same.
   */
  readonly first: Pick<Rung, 'tier' | 'model'> | undefined
}

export interface CachedAnswers {
  /** Never rejects, and is bounded in time. */
  lookUp(routed: Routed): Promise<CacheLookup>
  /** Stores the answer if it may be shared, and returns what was stored. Never rejects. */
  keep(routed: Routed, outcome: TurnOutcome, text: string): Promise<CachedAnswer | undefined>
  /**
   * Stores the answer to a question under another wording too, unless that is understood as something else. The caller
   * knows that both ask the same. Never rejects.
   */
  keepFor(wording: Routed, asked: { readonly routed: Routed; readonly answer: CachedAnswer }): Promise<void>
  /** Concurrent turns with the same question, by the key of a lookup: one leads, the others may wait. */
  readonly flights: SingleFlight<CachedAnswer>
}

type MadeFrom = NonNullable<CachedAnswer['madeFrom']>

interface Made {
  readonly routed: Routed
  readonly outcome: TurnOutcome
  readonly text: string
}

export function createCachedAnswers(parts: CachedAnswersParts): CachedAnswers {
  const { cache, clock, telemetry, config } = parts
  const { retrievedInPrompt } = config.tokens

  function keyWith(routed: Routed, grounding: Grounding, edition: string): string {
    const { message, language, page } = routed.start
    // The grounding contains what "this one" refers to; without it, the page does.
    const place = grounding === UNGROUNDED && page?.productId !== undefined ? [page.productId] : []
    const prompt = JSON.stringify([
      routed.promptVersion,
      routed.system,
      routed.temperature,
      retrievedInPrompt,
      ...place,
    ])
    return answerKey({ language, question: message, prompt, grounding, edition, route: parts.routeOf(routed).name })
  }

  async function keyOf(routed: Routed, grounding: Grounding = routed.grounding): Promise<string> {
    const edition = await bounded('edition', () => parts.products.edition())
    return keyWith(routed, grounding, edition?.factsDigest ?? '')
  }

  /** While retrieval is missing the edition may be unknown too: `grounded` compares it with that of the answer. */
  const keyByWords = (routed: Routed) => keyWith(routed, UNGROUNDED, '')

  async function bounded<Value>(verb: string, work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      const value = await withDeadline(
        clock,
        { ms: sharesOf(config.answers.firstWordMs).lookupMs, signal: NEVER },
        work,
      )
      if (value !== LATE) return value
      telemetry.count('answer_cache_timeout_total')
    } catch (error) {
      telemetry.log('warn', 'answer-cache.failed', { verb }, error)
    }
    return undefined
  }
  const find = (key: string) => bounded('find', () => cache.find(key))

  /** The sources of an answer, as they are in the catalogue now. */
  async function grounded({ meant, faq, liked, products }: MadeFrom): Promise<Grounding> {
    const shelved = await parts.products.byIds([...products, ...liked])
    const among = (ids: readonly string[]) => ids.flatMap((id) => shelved.find((product) => product.id === id) ?? [])
    const entries = faq.flatMap((id) => parts.faq.find((entry) => entry.id === id) ?? [])
    return withLiveOffers(parts.live, { ...meant, products: among(products), liked: among(liked), faq: entries })
  }

  /**
   * While retrieval is missing: the last answer to the same words, if all its sources are unchanged, price and stock
   * included. It counts as stale, because retrieval might find something else now.
   */
  async function findByWords(routed: Routed): Promise<CacheLookup> {
    const answer = await find(keyByWords(routed))
    const from = answer?.madeFrom
    const grounding = from === undefined ? undefined : await bounded('verify', () => grounded(from))
    const key = grounding === undefined ? undefined : await keyOf(routed, grounding)
    if (answer === undefined || key === undefined || key !== from?.key)
      return reported({ kind: 'unshared', why: 'missing' })
    return reported({ kind: 'stale', key, answer })
  }

  async function store(routed: Routed, key: string, answer: CachedAnswer): Promise<void> {
    try {
      const byWords = { ...answer, madeFrom: madeFrom(key, routed.grounding) }
      await Promise.all([cache.keep(key, answer), cache.keep(keyByWords(routed), byWords)])
    } catch (error) {
      // Waiting turns can still get it.
      telemetry.log('warn', 'answer-cache.failed', { verb: 'keep' }, error)
    }
  }

  return {
    flights: new SingleFlight(clock),

    async lookUp(routed) {
      if (parts.settings.isOff('answer-cache')) return reported({ kind: 'unshared', why: 'switched-off' })
      const why = routed.begun === undefined ? notShared(routed) : 'conversation'
      if (why === 'missing') return findByWords(routed)
      if (why !== undefined) return reported({ kind: 'unshared', why })
      const key = await keyOf(routed)
      const answer = await find(key)
      if (answer === undefined) return reported({ kind: 'none', key })
      const isFresh = clock.now() - answer.madeAt < config.answers.freshMs
      return reported({ kind: isFresh ? 'fresh' : 'stale', key, answer })
    },

    async keep(routed, outcome, text) {
      const why = notShared(routed) ?? answerNotShared(madeIn({ routed, outcome, text }, parts))
      if (why !== undefined || routed.begun !== undefined || parts.settings.isOff('answer-cache')) return undefined
      const { productIds, suggestions, sources, tier, model } = outcome
      const madeFor = routed.start.principal.id
      const shown = presented({ ...(suggestions && { suggestions }), ...(sources && { sources }) })
      const answer: CachedAnswer = { text, productIds, ...shown, tier, model, madeAt: clock.now(), madeFor }
      await store(routed, await keyOf(routed), answer)
      return answer
    },

    async keepFor(wording, { routed, answer }) {
      if (notShared(wording) !== undefined) return
      const inWordsOf = { ...wording, start: { ...wording.start, message: routed.start.message } }
      if ((await keyOf(inWordsOf)) !== (await keyOf(routed))) return
      await store(wording, await keyOf(wording), answer)
    },
  }

  function reported(lookup: CacheLookup): CacheLookup {
    telemetry.count('answer_cache_lookups_total', { outcome: lookup.kind })
    if (lookup.kind === 'unshared') telemetry.count('answer_cache_unshared_total', { reason: lookup.why })
    return lookup
  }
}

function madeFrom(key: string, { faq, liked, offersAsOf: _, products, ...meant }: Grounding): MadeFrom {
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
  return { key, meant, products: ids(products), liked: ids(liked), faq: ids(faq) }
}

/** Whether the prompt was not shortened by a small budget: an answer to a shorter prompt is not for others. */
export function hasWholePrompt({ start, cutShort = [] }: Routed, { tokens }: Pick<Config, 'tokens'>): boolean {
  return start.hold.granted.inputTokens >= tokens.inputPerRequestMax && cutShort.length === 0
}

/** What the responder says without a model is made from current data, in less time than a lookup takes. */
function notShared(routed: Routed): NotShared | undefined {
  return routed.plan?.isAlone === true ? 'no-model' : questionNotShared(askedIn(routed))
}

function askedIn({ start, policy, grounding, history, missing }: Routed) {
  return {
    message: start.message,
    meant: grounding,
    // A question that is asked again wants another answer.
    isFirst: start.sessionVersion === 0 && history.length === 0 && start.replaces === undefined,
    missing,
    mayShare: policy.mayShareAnswers,
  }
}

function madeIn({ text, routed, outcome }: Made, { routeOf, config }: Pick<CachedAnswersParts, 'routeOf' | 'config'>) {
  const { first } = routeOf(routed)
  const isFirst = outcome.tier === first?.tier && outcome.model === first.model.id
  return {
    text,
    finishReason: outcome.finishReason,
    tier: outcome.tier,
    isDegraded: !isFirst || !hasWholePrompt(routed, config),
    attempts: outcome.attempts,
    hasMismatch: (outcome.mismatches ?? []).length > 0,
    promptText: [routed.system, ...routed.messages.map(messageText)].join('\n'),
  }
}
