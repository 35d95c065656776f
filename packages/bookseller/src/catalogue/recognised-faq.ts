// Recognises which FAQ entry a message asks for, by trained weights: a probability among the entries.
import type { WordVectors } from '../retrieval/word-vectors.ts'
import { fold } from '../text/words.ts'
import type { FaqEntry } from './catalogue.ts'
import type { FaqIndex } from './faq-match.ts'
import { faqScores, faqSubject } from './faq-weights.ts'
import type { FaqWeights } from './faq-weights.ts'

export interface FaqMeaning {
  readonly vectors: WordVectors
  readonly faqWeights: FaqWeights
}

/** Less likely matches are chance. */
const PROBABILITY_MIN = 0.2
const SURE_PROBABILITY_MIN = 0.5
/** A short FAQ is padded with this many entries that match no message. Otherwise one of two entries would always look certain. */
const ENTRIES_USUAL = 40

export function recognisedFaq(entries: readonly FaqEntry[], { vectors, faqWeights }: FaqMeaning): FaqIndex['match'] {
  const scoresOf = faqScores(faqWeights, vectors)
  const own = ownQuestions(entries)
  const places = entries.map(({ id }) => faqWeights.subjects.findIndex((subject) => subject.id === id))
  return (message) => {
    const asked = clausesOf(message).flatMap((clause) => own.get(clause) ?? [])
    if (asked[0] !== undefined) return { entry: asked[0], sure: true, probability: 1 }
    const scores = scoresOf(message)
    const most = Math.max(...places.map((place) => scores[place]!))
    const odds = places.map((place) => Math.exp(scores[place]! - most))
    const others = Math.max(0, ENTRIES_USUAL - entries.length) * Math.exp(-most)
    const probability = 1 / odds.reduce((sum, odd) => sum + odd, others)
    const entry = entries[odds.indexOf(1)]
    if (entry === undefined || probability < PROBABILITY_MIN) return undefined
    const sure = probability >= SURE_PROBABILITY_MIN
    return { entry: sure ? entry : (ofAnyReturn(entry, entries, message) ?? entry), sure, probability }
  }
}

/** "I want to send a book back" and no more says nothing of an opened book: the answer is how to return one, and until when. */
const ofAnyReturn = ({ id }: FaqEntry, entries: readonly FaqEntry[], message: string): FaqEntry | undefined =>
  id === 'returns-opened' && PLAIN_RETURN.test(message.trim())
    ? entries.find((entry) => entry.id === 'returns')
    : undefined
const PLAIN_RETURN =
  /^(?:i(?:['’]d| would)? (?:want|like|need|have) to|how (?:do|can|would) i|(?:can|could|may) i) (?:return|send|give|bring|take)(?: back)? (?:(?:an?|the|my|this|that|some|these|those) )?(?:books?|manga|volumes?|order|it|them|something)(?: back)?(?: to you)?[.!?]*$/iu

/** An entry of the same id with other headings is about something else. */
export function knowsAll({ subjects }: FaqWeights, entries: readonly FaqEntry[]): boolean {
  const headings = new Map(subjects.map(({ id, heading }) => [id, heading]))
  return entries.every((entry) => headings.get(entry.id) === faqSubject(entry).heading)
}

/** The questions of all entries, without marks and spaces. */
function ownQuestions(entries: readonly FaqEntry[]): ReadonlyMap<string, FaqEntry> {
  const found = new Map<string, FaqEntry>()
  for (const entry of entries)
    for (const question of [...entry.questions.ja, ...entry.questions.en]) found.set(bare(question), entry)
  return found
}

const bare = (text: string): string => fold(text).replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The message and its sentences and clauses, the longest first. */
function clausesOf(message: string): readonly string[] {
  const parts = [message, ...message.split(/[。！？!?.\n]+/u), ...message.split(/[。！？!?.、,，:;\n]+/u)].map(bare)
  return [...new Set(parts)].filter((part) => part !== '').sort((a, b) => b.length - a.length)
}
