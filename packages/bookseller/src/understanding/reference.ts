// Recognises references to series that were shown: "the second one", "all of them", "shorter", or a question that names
// nothing because the series was shown above it.
import type { Measure, Reference, Wish } from './ask.ts'
import { utteranceOf } from './utterance.ts'
import type { Utterance } from './utterance.ts'
import { containsAny } from './wish.ts'

const ORDINALS: readonly (readonly string[])[] = [
  [
    '1つ目',
    '一つ目',
    'ひとつめ',
    '一番目',
    '最初の',
    '1番目',
    '1冊目',
    '一番上',
    'first one',
    'the first',
    'number one',
    '1st',
  ],
  [
    '2つ目',
    '二つ目',
    'ふたつめ',
    '二番目',
    '2番目',
    '2冊目',
    '真ん中',
    'second one',
    'the second',
    'number two',
    '2nd',
    'middle one',
  ],
  ['3つ目', '三つ目', 'みっつめ', '三番目', '3番目', '3冊目', 'third one', 'the third', 'number three', '3rd'],
  ['4つ目', '四つ目', '四番目', '4番目', '4冊目', 'fourth one', 'the fourth', 'number four', '4th'],
  ['5つ目', '五つ目', '五番目', '5番目', '5冊目', 'fifth one', 'the fifth', 'number five', '5th'],
]
const LAST = ['最後の', '一番下', 'last one', 'the last']
const IT = [
  'それ',
  'その作品',
  'その漫画',
  'これ',
  'この作品',
  'この漫画',
  'あれ',
  'it',
  'that one',
  'this one',
  'that series',
  'this series',
  'that manga',
]
const ALL = [
  '全部',
  'どれ',
  '三つとも',
  '3つとも',
  'どっち',
  'どちら',
  'この中',
  'その中',
  'これら',
  'それら',
  'all of them',
  'these',
  'those',
  'which of',
  'which one',
  'which is',
  'which has',
  'which costs',
  'of the two',
  'them',
]

export function readReference(utterance: Utterance): Reference | undefined {
  if (hasOwnAntecedent(utterance)) return undefined
  const index = ORDINALS.findIndex((phrases) => containsAny(utterance, phrases))
  if (index !== -1) return { kind: 'ordinal', index }
  if (containsAny(utterance, LAST)) return { kind: 'ordinal', index: -1 }
  if (containsAny(utterance, ALL) || readBareQuestion(utterance) !== undefined) return { kind: 'all' }
  return containsAny(utterance, IT) ? { kind: 'it' } : undefined
}

const ASIDE = /^(?:(?:じゃあ|では|で|ちなみに|and|so|ok|okay|great|cool|then)[、,\s]+)+/u
const FACT = '(?:お?値段|価格|在庫|いくら|何円|何巻)'
const BARE_PRICE = new RegExp(
  `^${FACT}(?:と${FACT})?(?:は|って|も)?(?:いくら|ある|あります|です|なの)?(?:か|の)?$|` +
    "^(?:how much|(?:what's |what is |what about )?the price|in stock|available|how many volumes|how many left)(?: now| right now| please)?$",
  'u',
)
const BARE_LIKE =
  /(?:^|[、。\s]|他に|それに|これに)似た(?:の|もの|やつ|作品|漫画)|\b(?:something|anything|more|others?) similar\b(?!\s+to)/u

/** 「いくら？」 and "anything similar?" are about the series that were shown, although they do not say so. */
export function readBareQuestion({ folded }: Utterance): 'price' | 'like' | undefined {
  if (BARE_LIKE.test(folded)) return 'like'
  const last = sentencesOf(folded).at(-1)?.replace(ASIDE, '') ?? ''
  return BARE_PRICE.test(last) ? 'price' : undefined
}

const sentencesOf = (folded: string): readonly string[] =>
  folded
    .split(/[。.!?]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const BY_NAME = ['ありますか', '置いて', '売って', '取り扱って', 'do you have', 'do you sell', 'do you carry']

/** In "Do you sell X? What does it cost?", "it" is X, known to us or not, and not a series that was shown. */
function hasOwnAntecedent({ folded }: Utterance): boolean {
  const earlier = utteranceOf(sentencesOf(folded).slice(0, -1).join('. '))
  return containsAny(earlier, BY_NAME) && !containsAny(earlier, [...IT, ...ALL, ...ORDINALS.flat(), ...LAST])
}

export const asksByName = (utterance: Utterance): boolean => containsAny(utterance, BY_NAME)

const THAN: Readonly<Record<Measure, readonly string[]>> = {
  shorter: ['もっと短い', 'もう少し短い', 'もっと短め', 'もっと短く', '短いのは', '短いの', '短めの', 'shorter'],
  longer: ['もっと長い', 'もう少し長い', '長いのは', '長いの', 'longer'],
  cheaper: ['もっと安い', 'もう少し安い', '安いのは', '安いの', '安めの', 'cheaper', 'less expensive'],
  dearer: ['もっと高い', 'もう少し高い', '高いのは', 'pricier', 'dearer', 'more expensive'],
}
const MEASURES = ['shorter', 'longer', 'cheaper', 'dearer'] as const

export function readThan(utterance: Utterance): Measure | undefined {
  return MEASURES.find((than) => containsAny(utterance, THAN[than]))
}

const MOST = ['一番', 'いちばん', '最も', 'どっち', 'どちら', 'どれ', 'which', 'of the two']
const SUPERLATIVE: Readonly<Record<Measure, readonly string[]>> = {
  shorter: ['最短', 'shortest', 'fewest volumes', 'fewest'],
  longer: ['最長', 'longest', 'most volumes'],
  cheaper: ['最安', 'cheapest', 'least expensive'],
  dearer: ['最高値', 'most expensive', 'dearest', 'priciest'],
}
const MEASURED: Readonly<Record<Measure, readonly string[]>> = {
  shorter: ['短い', '短く', '巻数が少な', 'shorter', 'fewer volumes'],
  longer: ['長い', '長く', '巻数が多', 'longer', 'more volumes'],
  cheaper: ['安い', '安く', 'お手頃', 'cheaper', 'less expensive', 'costs less'],
  dearer: ['高い', '高価', 'pricier', 'dearer', 'more expensive', 'costs more'],
}

/** "The shortest", "the cheaper of the two": a superlative, which is no limit. */
export function readMost(utterance: Utterance): Measure | undefined {
  const outright = MEASURES.find((measure) => containsAny(utterance, SUPERLATIVE[measure]))
  if (outright !== undefined || !containsAny(utterance, MOST)) return outright
  return MEASURES.find((measure) => containsAny(utterance, MEASURED[measure]))
}

const SHELF = ['series', 'manga', '漫画', 'マンガ', '作品', 'you have', 'you sell', 'お店', '当店', 'この店']

/** "The longest series" refers to the catalogue, "the longest" to the series that were shown. */
export const speaksOfShelf = (utterance: Utterance): boolean => containsAny(utterance, SHELF)

const REFINES =
  /もっと|もう少し|なら|だけ|のは|のが|ので|やつ|ほうが|方が|以外|抜き|なしで|の[?。]?$|\b(?:instead|but|only|ones?|just|rather|less|more)\b|\b(?:light|dark|short|long|cheap|funni|sadd|new|old|heavi|quiet|scari|happi|calm|weird|sweet|gentl|warm|cosi|cozi|pric[ei]+)er\b/u
const COUNTED = /\d\s*(?:つ|作|冊)|[一二三四五]つ|\b(?:two|three|four|five)\b(?! vol)/u

/** The message only makes sense with an earlier one: it has a word of refinement, or is nothing but a limit. */
export function refines(utterance: Utterance, { genres, moods, filters }: Wish): boolean {
  if (REFINES.test(utterance.folded)) return true
  const isLimit = genres.length === 0 && moods.length === 0 && filters.forChildren !== true
  return isLimit && !COUNTED.test(utterance.folded) && !speaksOfShelf(utterance)
}

export function withoutLimits(wish: Wish): Wish {
  const { volumesMax: _max, volumesMin: _min, priceYenMax: _dear, priceYenMin: _cheap, ...filters } = wish.filters
  return { ...wish, filters }
}
