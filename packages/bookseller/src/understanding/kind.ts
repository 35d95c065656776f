// What kind of question a message is, by what was heard in it. The order is the meaning: what comes first is what
// people mean when several could be meant.
import type { FaqMatch } from '../catalogue/faq-index.ts'
import type { Ask, AskKind, Fact, Reference, Tone } from './ask.ts'
import { CUES } from './cues.ts'
import { asksByName, readBareQuestion } from './reference.ts'
import type { Heard } from './spot.ts'
import { hears } from './wish.ts'

const COURTESY_WORDS_MAX = 7

export interface Reading {
  readonly heard: Heard
  readonly mentioned: readonly string[]
  readonly wishes: boolean
  /** The only wish is that it be in stock, which is then rather a question about what was shown. */
  readonly onlyStock: boolean
  readonly reference: Reference | undefined
  readonly than: Ask['than']
  readonly most: Ask['most']
  readonly faq: FaqMatch | undefined
  readonly fact: Fact | undefined
  readonly nameHeard: boolean
  readonly tone: Tone | undefined
}

export function kindOf(reading: Reading): AskKind {
  const { heard, mentioned, wishes, onlyStock, reference, than, most, faq, fact, nameHeard, tone } = reading
  if (tone !== undefined) return 'off-topic'
  const short = heard.words.length <= COURTESY_WORDS_MAX
  const nothingElse = mentioned.length === 0 && !wishes && faq === undefined
  if (hears(heard, CUES.identity) && mentioned.length === 0) return 'identity'
  if (short && nothingElse && hears(heard, CUES.thanks)) return 'thanks'
  if (short && nothingElse && hears(heard, CUES.greeting) && reference === undefined) return 'greeting'
  if (mentioned.length > 0 && isForFaq(heard, faq)) return 'faq'
  if (mentioned.length >= 2) return hears(heard, CUES.like) && !hears(heard, CUES.compare) ? 'like' : 'compare'
  if (mentioned.length === 1) return kindAboutOne(heard, wishes, fact)
  if (fact !== undefined && reference !== undefined) return fact === 'total' ? 'price' : 'about'
  // Nothing else is offered for a name that we do not have, unless a wish came with it.
  if (nameHeard && !hears(heard, CUES.offTopic) && (!wishes || fact !== undefined || onlyStock) && faq?.sure !== true)
    return 'price'
  if (most !== undefined && faq?.sure !== true) return reference === undefined ? 'recommend' : 'compare'
  if (than !== undefined) return 'refine'
  const bare = readBareQuestion(heard)
  if (bare !== undefined && reference !== undefined && (!wishes || onlyStock || bare === 'like')) return bare
  if (reference !== undefined && hears(heard, CUES.price) && (!wishes || onlyStock)) return 'price'
  if (
    faq !== undefined &&
    ((faq.sure && !onlyStock) || (!wishes && !hears(heard, CUES.recommend) && !asksByName(heard)))
  )
    return 'faq'
  if (reference !== undefined && (!wishes || onlyStock)) return referredKind(heard, reference)
  // "Do you have X in stock?" of an X that we do not have.
  if (onlyStock && asksByName(heard) && !hears(heard, CUES.recommend)) return 'price'
  if (wishes) return 'recommend'
  if (hears(heard, CUES.offTopic)) return 'off-topic'
  if (hears(heard, CUES.others)) return 'refine'
  // Something is asked for by a name that we do not have.
  if (hears(heard, CUES.named)) return 'price'
  return hears(heard, CUES.recommend) ? 'recommend' : 'unknown'
}

/** The shop's own matters come before the series they are asked of. */
const isForFaq = (heard: Heard, faq: FaqMatch | undefined): boolean =>
  faq?.sure === true && !hears(heard, CUES.similar) && !hears(heard, CUES.like)

const VOLUME = /\bvol(?:ume)?s?\.? ?\d+|\d+巻(?!以|くらい|ぐらい|まで)|\blooking for {2,}|を探して/u

function kindAboutOne(heard: Heard, wishes: boolean, fact: Fact | undefined): AskKind {
  if (hears(heard, CUES.similar)) return 'like'
  if (hears(heard, CUES.price) || fact === 'total') return 'price'
  if (hears(heard, CUES.about) || fact !== undefined || asksForFact(heard)) return 'about'
  if (hears(heard, CUES.like)) return 'like'
  if (VOLUME.test(heard.folded)) return 'price'
  return wishes || hears(heard, CUES.recommend) ? 'like' : 'about'
}

/** "Is X finished?", but not "Is there more like X?"; 「Xって完結した？」 */
function asksForFact(heard: Heard): boolean {
  const [first, second] = heard.words
  if (first !== undefined && /^(?:is|has|does|did|was)$/u.test(first)) return second !== 'there'
  return hears(heard, CUES.fact) && !hears(heard, CUES.like) && /[?？]\s*$/u.test(heard.folded)
}

function referredKind(heard: Heard, reference: Reference): AskKind {
  if (reference.kind === 'all') return hears(heard, CUES.price) ? 'price' : 'compare'
  if (hears(heard, CUES.price)) return 'price'
  return hears(heard, CUES.like) && !hears(heard, CUES.about) ? 'like' : 'about'
}
