// How well a product means what the question says: each word of the question is matched with the nearest word of a passage, and
// the best passage counts most. "Buccaneers" finds 「海賊」, and words that belong together are found together.
import type { Language } from '@mangaassist/protocol'
import { fieldOf, FIELDS, isEnglish, wordsAfter } from './passages.ts'
import type { Field } from './passages.ts'
import type { QuestionWord } from './question.ts'
import type { WordNearness } from './word-nearness.ts'

export interface MeaningMatch {
  /** From 0 to 1. */
  readonly score: number
  /** The number of the passage that matches best; -1 for none. */
  readonly passage: number
  /** For each language the passage that says best why it matches, if one does: a fact of the series, not a remembered scene. */
  readonly reasons: Readonly<Record<Language, number>>
}

export const NO_MATCH: MeaningMatch = { score: 0, passage: -1, reasons: { ja: -1, en: -1 } }

const PRODUCT_SHARE = 0.5
/** A passage below this similarity is not given as the reason of a result. */
export const REASON_MIN = 0.4
/** A topic of one or two words is what a series is about when many passages have it; a plot is in one or two. */
export const TOPIC_WORDS_MAX = 2
export const TOP_SHARES = { plot: [1, 0.3, 0.05, 0.05, 0.05], topic: [1, 0.4, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3] } as const
const FIELD_FACTOR: Readonly<Record<Field, number>> = {
  hook: 1,
  theme: 1,
  setting: 0.95,
  protagonist: 1,
  synopsis: 1,
  lovedBy: 0.8,
  art: 0.7,
}
export const FACTORS = FIELDS.map((field) => FIELD_FACTOR[field])

/** The words of a product, which the nearness has compared before. */
export interface Meaning {
  match(words: Uint32Array): MeaningMatch
  /** How much a product is about it, from 0 to 1: a theme, the setting or the synopsis says so, or two hooks do. */
  about(words: Uint32Array): number
}

export function meaningOf(asked: readonly QuestionWord[], nearness: WordNearness): Meaning {
  const count = asked.length
  const weights = Float32Array.from(asked, ({ weight }) => weight)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const columns = Uint16Array.from(asked, ({ row }) => nearness.columnOf(row))

  const inPassage = new Float32Array(count)
  const inProduct = new Float32Array(count)
  function weighted(best: Float32Array): number {
    let sum = 0
    for (let k = 0; k < count; k += 1) sum += best[k]! * weights[k]!
    return total === 0 ? 0 : sum / total
  }

  /** Keeps the nearest word of the passage for each word of the question; false when no word of it is near any. */
  function read(words: Uint32Array, from: number, to: number): boolean {
    const { starts, similarities } = nearness
    let isNear = false
    for (let at = from; at < to; at += 1) {
      const start = starts[words[at]!]!
      if (start === 0) continue
      if (!isNear) inPassage.fill(0)
      isNear = true
      for (let k = 0; k < count; k += 1) {
        const similar = similarities[start + columns[k]!]!
        if (similar > inPassage[k]!) inPassage[k] = similar
      }
    }
    return isNear
  }

  const shares: readonly number[] = count <= TOPIC_WORDS_MAX ? TOP_SHARES.topic : TOP_SHARES.plot
  const whole = shares.reduce((sum, share) => sum + share, PRODUCT_SHARE)
  const best = new Float32Array(shares.length)

  return {
    match(words) {
      let passageOfBest = -1
      const reasons = { ja: { passage: -1, score: REASON_MIN }, en: { passage: -1, score: REASON_MIN } }
      best.fill(0)
      inProduct.fill(0)
      for (let at = 0, passage = 0; at < words.length; passage += 1) {
        const head = words[at]!
        const to = at + 1 + wordsAfter(head)
        if (read(words, at + 1, to)) {
          for (let k = 0; k < count; k += 1) if (inPassage[k]! > inProduct[k]!) inProduct[k] = inPassage[k]!
          const score = weighted(inPassage) * (FACTORS[fieldOf(head)] ?? 1)
          if (score > best[0]!) passageOfBest = passage
          const reason = reasons[isEnglish(head) ? 'en' : 'ja']
          if (score > reason.score && FIELDS[fieldOf(head)] !== 'hook') Object.assign(reason, { passage, score })
          insert(best, score)
        }
        at = to
      }
      let sum = PRODUCT_SHARE * weighted(inProduct)
      for (let place = 0; place < shares.length; place += 1) sum += best[place]! * shares[place]!
      return {
        score: sum / whole,
        passage: passageOfBest,
        reasons: { ja: reasons.ja.passage, en: reasons.en.passage },
      }
    },
    about(words) {
      let stated = 0
      const hooks = new Float32Array(2)
      for (let at = 0; at < words.length;) {
        const head = words[at]!
        const to = at + 1 + wordsAfter(head)
        const field = FIELDS[fieldOf(head)]
        if (read(words, at + 1, to)) {
          if (field === 'hook') insert(hooks, weighted(inPassage))
          else if (field !== 'lovedBy' && field !== 'art') stated = Math.max(stated, weighted(inPassage))
        }
        at = to
      }
      return Math.max(stated, hooks[1]!)
    },
  }
}

/** Puts a score into the list of the best, which is in descending order. */
export function insert(best: Float32Array, score: number): void {
  let place = best.length - 1
  if (score <= best[place]!) return
  for (; place > 0 && best[place - 1]! < score; place -= 1) best[place] = best[place - 1]!
  best[place] = score
}
