// The message that asks a judge for a verdict, and how its reply is read. Everything that others wrote is JSON whose `<` is escaped,
// so that no text can open or close a mark.
import { mainFacts } from '@mangaassist/bookseller/catalogue/main-facts'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Pair } from './pair.ts'
import type { TriedTurn } from './try-conversation.ts'

/** What the store knows that the answers may have used. */
export interface KnownFacts {
  readonly products: ReadonlyMap<string, Product>
  readonly faq: readonly FaqEntry[]
}

export interface Verdict {
  readonly better: '1' | '2' | 'tie'
  /** From 1, slightly, to 3, far better; 0 for a tie. */
  readonly margin: number
  readonly reason: string
}

const EARLIER_MAX = 3
const FACTS_MAX = 8
const TEXT_LENGTH_MAX = 4000
const REASON_LENGTH_MAX = 200
const MARGIN_MAX = 3

/** `first` is the answer that is shown as number 1. */
export function verdictMessage(pair: Pair, first: 'a' | 'b', facts: KnownFacts): string {
  const [one, two] = first === 'a' ? [pair.a, pair.b] : [pair.b, pair.a]
  const said = ({ earlier, turn }: Pair['a']) => ({
    earlier: earlier
      .slice(-EARLIER_MAX)
      .map(({ say, answer }) => ({ shopper: clipped(say), assistant: clipped(answer.text) })),
    answer: clipped(turn.answer.text),
    cards: turn.answer.cards.map((id) => facts.products.get(id)?.title[pair.language] ?? id),
  })
  return [
    marked('question', [{ language: pair.language, words: clipped(pair.question) }]),
    marked('data', factsOf(pair, facts)),
    marked('answer-1', [said(one)]),
    marked('answer-2', [said(two)]),
  ].join('\n\n')
}

function marked(mark: string, lines: readonly object[]): string {
  const escaped = lines.map((line) => JSON.stringify(line).replaceAll('<', String.raw`\u003c`))
  return [`<${mark}>`, ...escaped, `</${mark}>`].join('\n')
}

/** The series and rules of both answers, in the order of the answers that show them. */
function factsOf({ a, b, language }: Pair, { products, faq }: KnownFacts): readonly object[] {
  const of = (ids: (turn: TriedTurn) => readonly string[]) => [...new Set([a.turn, b.turn].flatMap(ids))]
  const shown = of(({ answer }) => answer.cards).flatMap((id) => products.get(id) ?? [])
  const rules = of(({ answer }) => answer.faqIds).flatMap((id) => faq.find((entry) => entry.id === id) ?? [])
  return [
    ...rules.map(({ questions, answer }) => ({ question: questions[language][0], answer: answer[language] })),
    ...shown.map((product) => ({
      ...mainFacts(product, language),
      age: product.age,
      content: product.content,
      synopsis: product.synopsis?.[language],
    })),
  ].slice(0, FACTS_MAX)
}

const clipped = (text: string): string => (text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text)

/** Undefined when the reply names no side, or more than one. */
export function readVerdict(reply: string): Verdict | undefined {
  const found = [...reply.matchAll(/\{[^{}]*"better"[^{}]*\}/gu)].flatMap(([text]) => verdictIn(text) ?? [])
  const sides = new Set(found.map(({ better }) => better))
  return sides.size === 1 ? found.at(-1) : undefined
}

function verdictIn(text: string): Verdict | undefined {
  const value = parsed(text)
  const better = String(value?.['better']).trim().toLowerCase()
  if (better !== '1' && better !== '2' && better !== 'tie') return undefined
  const margin = better === 'tie' ? 0 : withinMargin(Number(value?.['margin']))
  const reason = typeof value?.['reason'] === 'string' ? value['reason'].slice(0, REASON_LENGTH_MAX) : ''
  return { better, margin, reason }
}

function withinMargin(margin: number): number {
  return Number.isFinite(margin) ? Math.min(MARGIN_MAX, Math.max(1, Math.round(margin))) : 1
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}
