// Holds the conversations of an evaluation with an assistant, and checks every answer. Later turns follow the answers
// that were really given: "the second one" is the second of what was shown.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../catalogue/catalogue.ts'
import { checkAnswer } from '../grounding-check/check.ts'
import { faultsOf } from './check-answer.ts'
import type { Fault, GivenAnswer, Shown } from './check-answer.ts'
import type { Conversation } from './conversation.ts'

/** Gives the next answer of a conversation; it remembers the earlier turns itself. */
export type Respond = (asked: {
  readonly message: string
  readonly page?: string
  readonly interfaceLanguage: Language
}) => Promise<GivenAnswer>

export interface HeldTurn {
  readonly say: string
  readonly answer: GivenAnswer
  readonly faults: readonly Fault[]
  /** Sentences that an earlier answer of the conversation has word for word. */
  readonly repeated: readonly string[]
  /** What the answer states of a series and the catalogue contradicts, as `kind id`. */
  readonly falseClaims: readonly string[]
}

export async function holdConversation(
  conversation: Conversation,
  respond: Respond,
  catalogue: ReadonlyMap<string, Product>,
): Promise<readonly HeldTurn[]> {
  const turns: HeldTurn[] = []
  const products = [...catalogue.values()]
  const said = new Set<string>()
  let shown: Shown = { list: [] }
  for (const { say, page, expect } of conversation.turns) {
    const answer = await respond({
      message: say,
      interfaceLanguage: conversation.language,
      ...(page === undefined ? {} : { page }),
    })
    const sentences = sentencesOf(answer.text)
    const before = page === undefined ? shown : { ...shown, focus: page }
    turns.push({
      say,
      answer,
      faults: faultsOf(answer, expect, { catalogue, shown: withNamed(before, answer) }),
      repeated: sentences.filter((sentence) => said.has(sentence)),
      falseClaims: falseClaimsOf(answer, say, products),
    })
    for (const sentence of sentences) said.add(sentence)
    shown = after(before, answer)
  }
  return turns
}

function falseClaimsOf(
  { text, policies }: GivenAnswer,
  question: string,
  products: readonly Product[],
): readonly string[] {
  const { mismatches } = checkAnswer({ text, products, question, faq: policies, isComplete: true })
  return mismatches.map((one) => `${one.kind} of ${one.kind === 'title' ? one.name : one.product.id}`)
}

/** A list replaces the list before it; a single card moves the focus alone. */
function after(shown: Shown, { cards }: GivenAnswer): Shown {
  const [first] = cards
  if (first === undefined) return shown
  return cards.length > 1 ? { list: cards, focus: first } : { ...shown, focus: first }
}

/** An answer about one series shows its card: that is the series that it talks about. */
function withNamed(shown: Shown, { cards }: GivenAnswer): Shown {
  const [only] = cards
  return cards.length === 1 && only !== undefined ? { ...shown, focus: only } : shown
}

const SHORTEST_SENTENCE = 12

/** Without links, which are the same by nature. */
function sentencesOf(text: string): readonly string[] {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .split(/(?<=[。！？!?.])\s*|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= SHORTEST_SENTENCE)
}
