// The answer of the built-in responder: the plan in words. Titles, prices and stock are copied from the grounding, so it
// cannot invent one. The same grounding always gives the same answer, so that another node can continue it.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../catalogue/catalogue.ts'
import type { Grounding } from '../grounding.ts'
import { EN, followUpInEnglish } from '../wording/en.ts'
import { JA, followUpInJapanese } from '../wording/ja.ts'
import type { Line, Wording } from '../wording/lines.ts'
import { plan } from './plan.ts'
import { digest, isSaid, sentencesOf, timesFramed } from './said.ts'
import type { Said } from './said.ts'
import type { Suggestion } from './state.ts'

export interface Answer {
  readonly text: string
  /** The products to show, with the reason for each. */
  readonly cards: readonly { readonly product: Product; readonly why?: string }[]
  readonly suggestions: readonly Suggestion[]
  /** What the answer was made from, and where a shopper can read it. */
  readonly sources: readonly Source[]
}

export interface Source {
  readonly kind: 'product' | 'faq'
  readonly id: string
  readonly at: string
}

const WORDINGS: Readonly<Record<Language, Wording>> = { ja: JA, en: EN }
const OFFERED = { ja: followUpInJapanese, en: followUpInEnglish }

export function compose(grounding: Grounding, language: Language): Answer {
  const { lines, cards, offers, sources } = plan(grounding, language)
  const { said, turns } = grounding.state
  const spoken: string[] = []
  for (const line of lines) {
    const ways = waysOf(line, WORDINGS[language])
    spoken.push(chosen(ways, [...said, ...spoken], line.say === 'faq' ? 0 : turns + digest(line.say)))
  }
  return {
    text: withoutRepeats(spoken, said, language),
    cards: cards.map(({ product, reason }) => ({ product, ...(reason === undefined ? {} : { why: reason.text }) })),
    suggestions: offers.map(OFFERED[language]),
    sources: sources.map(({ kind, id }) => ({ kind, id, at: kind === 'faq' ? '/support' : `/series/${id}` })),
  }
}

/** Without the sentences that an earlier answer has word for word, unless they state something of a series. */
function withoutRepeats(spoken: readonly string[], said: Said, language: Language): string {
  const between = language === 'ja' ? '' : ' '
  const sentences = spoken.flatMap(sentencesOf)
  const isNews = (sentence: string, index: number) =>
    STATES.test(sentence) || (!isSaid(said, sentence) && sentences.indexOf(sentence) === index)
  const news = sentences.filter(isNews)
  return (news.length > 0 ? news : sentences).join(between)
}

/** A link, or a number. */
const STATES = /\]\(|\d/u

function waysOf(line: Line, wording: Wording): readonly string[] {
  // Every line has its own wording; TypeScript cannot see that the two belong together.
  const say = wording[line.say] as (line: Line) => readonly string[]
  return say(line)
}

/** The way whose sentences were said least; among equals a different one in each turn. */
function chosen(ways: readonly string[], said: Said, turn: number): string {
  const counted = ways.map((way, index) => ({
    way,
    order: (index + turn) % ways.length,
    times: sentencesOf(way).reduce(
      (sum, sentence) => sum + timesFramed(said, sentence) + (isSaid(said, sentence) ? 10 : 0),
      0,
    ),
  }))
  const [best] = counted.toSorted((a, b) => a.times - b.times || a.order - b.order)
  return best?.way ?? ''
}
