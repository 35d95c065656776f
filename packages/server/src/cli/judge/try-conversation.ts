// Holds a conversation of the evaluation with a configuration on trial, and checks every answer as `evaluate` does.
import { statedBy } from '@mangaassist/bookseller/catalogue/asked-policy'
import type { GivenAnswer } from '@mangaassist/bookseller/evaluation/check-answer'
import type { Conversation } from '@mangaassist/bookseller/evaluation/conversation'
import { holdConversation } from '@mangaassist/bookseller/evaluation/hold-conversation'
import type { HeldTurn, Respond } from '@mangaassist/bookseller/evaluation/hold-conversation'
import type { Language } from '@mangaassist/protocol'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import type { Complexity } from '@mangaassist/bookseller/understanding/complexity'
import { Refusal } from '#domain/refusal.ts'
import { NEVER } from '#lib/async/never.ts'
import type { StoredTurn } from '#ports/session-store/port.ts'
import type { Trial, TrialAnswer, TrialQuestion } from '#wiring/profiles/trial.ts'
import { actsOf } from '../evaluate/assistant.ts'
import type { CostMeter } from './cost-meter.ts'

/** A turn under one configuration. */
export interface TriedTurn extends HeldTurn, TriedFigures {}

interface TriedFigures {
  /** The question, as it was understood after the turns before it. */
  readonly asked: { readonly language: Language; readonly complexity: Complexity }
  readonly tier: string
  readonly model: string
  readonly isDegraded: boolean
  readonly costMicroUsd: number
  readonly firstWordMs: number | null
  /** Why there is no answer, or not a whole one. */
  readonly failure?: string
}

/** Rejects with CostReached. */
export async function tryConversation(
  conversation: Conversation,
  trial: Trial,
  meter: CostMeter,
): Promise<readonly TriedTurn[]> {
  const figures: TriedFigures[] = []
  const respond = respondBy(trial, meter, figures)
  const held = await holdConversation(conversation, respond, trial.products)
  return held.map((turn, index) => ({ ...turn, ...figures[index]! }))
}

function respondBy(trial: Trial, meter: CostMeter, figures: TriedFigures[]): Respond {
  const ask = trial.converse()
  const history: StoredTurn[] = []
  return async (asked) => {
    meter.check()
    const place = asked.page === undefined ? {} : { page: { productId: asked.page } }
    const { message, interfaceLanguage } = asked
    const said = { message, language: detectLanguage(message), history: [...history], interfaceLanguage, ...place }
    const grounding = await trial.lookUp.find({ ...said, limit: trial.config.tokens.retrieved }, NEVER)
    const { text, meta, done, refused } = await answerOf(ask, asked)
    const sources = meta?.sources ?? []
    const productIds = (meta?.products ?? []).map(({ id }) => id)
    meter.add(done?.costMicroUsd ?? 0)
    const failure = refused ?? done?.failure ?? (done === undefined ? 'no end' : undefined)
    figures.push({
      asked: { language: said.language, complexity: trial.weigh(message, grounding.reading) },
      tier: done?.tier ?? 'none',
      model: done?.model ?? 'none',
      isDegraded: meta?.degraded ?? true,
      costMicroUsd: done?.costMicroUsd ?? 0,
      firstWordMs: done?.timings.ttftMs ?? null,
      ...(failure === undefined ? {} : { failure }),
    })
    history.push({
      turnId: `turn-${history.length}`,
      question: message,
      answer: text,
      language: grounding.language,
      finishReason: 'stop',
      tier: 'embedded',
      productIds,
      suggestions: meta?.suggestions ?? [],
      at: history.length,
      ...place,
    })
    return {
      text,
      language: detectLanguage(text),
      acts: actsOf(grounding, { text, cards: productIds, sources }),
      cards: productIds,
      policies: grounding.faq.map((entry) => statedBy(entry, grounding.language)),
      faqIds: sources.filter(({ kind }) => kind === 'faq').map(({ id }) => id),
    } satisfies GivenAnswer
  }
}

async function answerOf(
  ask: (question: TrialQuestion) => Promise<TrialAnswer>,
  question: TrialQuestion,
): Promise<TrialAnswer & { readonly refused?: string }> {
  try {
    return await ask(question)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { text: '', meta: undefined, done: undefined, refused: error.code }
  }
}
