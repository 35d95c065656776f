// Decides which kind of question a message is: the first rule that matches. The order matters, because a message often
// matches several rules, and then shoppers mean the earlier one.
import type { FaqMatch } from '../catalogue/faq-index.ts'
import type { Ask, AskKind, Fact, Reference, Tone } from './ask.ts'
import { CUES } from './cues.ts'
import { asksByName, readBareQuestion } from './reference.ts'
import type { Utterance } from './utterance.ts'
import { containsAny } from './wish.ts'

export interface Reading {
  readonly utterance: Utterance
  readonly mentioned: readonly string[]
  readonly wishes: boolean
  /** The only wish is "in stock", which is more likely a question about the series that were shown. */
  readonly onlyStock: boolean
  readonly reference: Reference | undefined
  readonly than: Ask['than']
  readonly most: Ask['most']
  readonly faq: FaqMatch | undefined
  readonly fact: Fact | undefined
  readonly hasUnknownName: boolean
  readonly tone: Tone | undefined
}

export interface KindRule {
  readonly kind: AskKind
  /** What is asked, in a few words; unique among the rules. */
  readonly why: string
  readonly when: (reading: Reading) => boolean
}

export const KIND_RULES: readonly KindRule[] = [
  {
    kind: 'off-topic',
    why: 'abuse, distress or an attempt to override the rules',
    when: ({ tone }) => tone !== undefined,
  },
  {
    kind: 'identity',
    why: 'who or what the assistant is',
    when: (reading) => reading.mentioned.length === 0 && hasCue(reading, 'identity'),
  },
  { kind: 'thanks', why: 'short thanks and nothing else', when: (reading) => isCourtesy(reading, 'thanks') },
  {
    kind: 'greeting',
    why: 'a short greeting and nothing else',
    when: (reading) => reading.reference === undefined && isCourtesy(reading, 'greeting'),
  },
  {
    kind: 'faq',
    why: 'shop service for a named series',
    when: (reading) =>
      reading.mentioned.length > 0 && isSureFaq(reading) && !hasCue(reading, 'similar') && !hasCue(reading, 'like'),
  },
  {
    kind: 'like',
    why: 'more like several named series',
    when: (reading) => reading.mentioned.length >= 2 && hasCue(reading, 'like') && !hasCue(reading, 'compare'),
  },
  { kind: 'compare', why: 'several named series', when: ({ mentioned }) => mentioned.length >= 2 },
  {
    kind: 'like',
    why: 'something similar to one named series',
    when: (reading) => namesOne(reading) && hasCue(reading, 'similar'),
  },
  {
    kind: 'price',
    why: 'the price or the stock of one named series',
    when: (reading) => namesOne(reading) && (hasCue(reading, 'price') || reading.fact === 'total'),
  },
  {
    kind: 'about',
    why: 'a fact about one named series',
    when: (reading) =>
      namesOne(reading) && (hasCue(reading, 'about') || reading.fact !== undefined || asksForFact(reading.utterance)),
  },
  {
    kind: 'like',
    why: 'one named series that the shopper likes',
    when: (reading) => namesOne(reading) && hasCue(reading, 'like'),
  },
  {
    kind: 'price',
    why: 'a volume of one named series',
    when: (reading) => namesOne(reading) && VOLUME.test(reading.utterance.folded),
  },
  {
    kind: 'like',
    why: 'a wish beside one named series',
    when: (reading) => namesOne(reading) && (reading.wishes || hasCue(reading, 'recommend')),
  },
  { kind: 'about', why: 'one named series without a question', when: namesOne },
  // From here on, the message names no series of the catalogue.
  {
    kind: 'price',
    why: 'the price of everything that was shown',
    when: ({ fact, reference }) => fact === 'total' && reference !== undefined,
  },
  {
    kind: 'about',
    why: 'a fact about what was shown',
    when: ({ fact, reference }) => fact !== undefined && reference !== undefined,
  },
  {
    // Nothing else is offered for a name that we do not have, unless the message also has a wish.
    kind: 'price',
    why: 'a series that we do not have',
    when: (reading) =>
      reading.hasUnknownName &&
      !hasCue(reading, 'offTopic') &&
      (isWithoutWish(reading) || reading.fact !== undefined) &&
      !isSureFaq(reading),
  },
  {
    kind: 'recommend',
    why: 'the shortest, longest, cheapest or dearest of the shop',
    when: (reading) => reading.most !== undefined && reading.reference === undefined && !isSureFaq(reading),
  },
  {
    kind: 'compare',
    why: 'the shortest, longest, cheapest or dearest of what was shown',
    when: (reading) => reading.most !== undefined && !isSureFaq(reading),
  },
  { kind: 'refine', why: 'shorter, longer, cheaper or dearer ones', when: ({ than }) => than !== undefined },
  {
    kind: 'like',
    why: 'something similar to what was shown, which is not named',
    when: ({ reference, utterance }) => reference !== undefined && readBareQuestion(utterance) === 'like',
  },
  {
    kind: 'price',
    why: 'the price or the stock of what was shown, which is not named',
    when: (reading) => refersWithoutWish(reading) && readBareQuestion(reading.utterance) === 'price',
  },
  {
    kind: 'price',
    why: 'the price or the stock of what was shown',
    when: (reading) => refersWithoutWish(reading) && hasCue(reading, 'price'),
  },
  {
    kind: 'faq',
    why: 'surely about shop service',
    when: (reading) => isSureFaq(reading) && !reading.onlyStock,
  },
  {
    kind: 'faq',
    why: 'probably about shop service, without a wish',
    when: (reading) =>
      reading.faq !== undefined && !reading.wishes && !hasCue(reading, 'recommend') && !asksByName(reading.utterance),
  },
  {
    kind: 'compare',
    why: 'several of those shown',
    when: (reading) => refersWithoutWish(reading) && reading.reference?.kind === 'all',
  },
  {
    kind: 'like',
    why: 'more like one of those shown',
    when: (reading) => refersWithoutWish(reading) && hasCue(reading, 'like') && !hasCue(reading, 'about'),
  },
  { kind: 'about', why: 'one of those shown', when: refersWithoutWish },
  {
    kind: 'price',
    why: 'whether a series that we do not have is in stock',
    when: (reading) => reading.onlyStock && asksByName(reading.utterance) && !hasCue(reading, 'recommend'),
  },
  { kind: 'recommend', why: 'a wish', when: ({ wishes }) => wishes },
  { kind: 'off-topic', why: 'something that is not about manga', when: (reading) => hasCue(reading, 'offTopic') },
  { kind: 'refine', why: 'others than those shown', when: (reading) => hasCue(reading, 'others') },
  { kind: 'price', why: 'something by a name that we do not have', when: (reading) => hasCue(reading, 'named') },
  { kind: 'recommend', why: 'a recommendation without a wish', when: (reading) => hasCue(reading, 'recommend') },
  { kind: 'unknown', why: 'no other rule matches', when: () => true },
]

export function kindOf(reading: Reading): AskKind {
  return KIND_RULES.find(({ when }) => when(reading))?.kind ?? 'unknown'
}

const COURTESY_WORDS_MAX = 7
const VOLUME = /\bvol(?:ume)?s?\.? ?\d+|\d+巻(?!以|くらい|ぐらい|まで)|\blooking for {2,}|を探して/u

function hasCue({ utterance }: Reading, cue: keyof typeof CUES): boolean {
  return containsAny(utterance, CUES[cue])
}

function isCourtesy(reading: Reading, cue: 'thanks' | 'greeting'): boolean {
  const { utterance, mentioned, wishes, faq } = reading
  if (utterance.words.length > COURTESY_WORDS_MAX || mentioned.length > 0 || wishes || faq !== undefined) return false
  return hasCue(reading, cue)
}

function namesOne({ mentioned }: Reading): boolean {
  return mentioned.length === 1
}

function isSureFaq({ faq }: Reading): boolean {
  return faq?.sure === true
}

function isWithoutWish({ wishes, onlyStock }: Reading): boolean {
  return !wishes || onlyStock
}

function refersWithoutWish(reading: Reading): boolean {
  return reading.reference !== undefined && isWithoutWish(reading)
}

/** "Is X finished?", but not "Is there more like X?"; 「Xって完結した？」 */
function asksForFact(utterance: Utterance): boolean {
  const [first, second] = utterance.words
  if (first !== undefined && /^(?:is|has|does|did|was)$/u.test(first)) return second !== 'there'
  return containsAny(utterance, CUES.fact) && !containsAny(utterance, CUES.like) && /[?？]\s*$/u.test(utterance.folded)
}
