// What is counted in a text. Each feature is a number of things that cost tokens, so that a tokenizer is a list of weights
// that are never negative; `data/tokenizers.json` gives them by these names.

export const FEATURES = [
  // Latin words: how they begin, and, unless they are common ones, their letters and how well those go together.
  'word',
  'wordBare',
  'wordJoined',
  'letter',
  'cut1',
  'cut2',
  'cut3',
  'capital',
  'caps',
  'camel',
  'accented',
  // Digits by three and one by one, and where they touch letters, as in ids.
  'digitThree',
  'digit',
  'mixed',
  'punctuation',
  'punctuationSame',
  'punctuationMore',
  // A byte of an address, spelt %E3.
  'escape',
  // A single space before a word or punctuation is part of it; others are not.
  'spaceDigit',
  'spaceOther',
  'spaces',
  'spacesMore',
  'newline',
  'newlineAfter',
  'newlineMore',
  'tab',
  // Japanese: kana alone, or after one that it makes a common pair with; kanji from common to rare; long runs of Han.
  'kana',
  'katakana',
  'kanaLoose',
  'kanaTight',
  'halfKana',
  'halfMark',
  'kanji1',
  'kanji2',
  'kanji3',
  'kanji4',
  'hanRun',
  'widePunctuation',
  'wideMark',
  'wideLatin',
  'hangul1',
  'hangul2',
  'hangul3',
  'thai',
  'cyrillic',
  'cyrillicWord',
  'arabic',
  'arabicWord',
  'indic',
  'twoBytes',
  'threeBytes',
  'fourBytes',
  'emoji',
  'joiner',
  'typography',
  'symbol',
  'symbolSame',
  'smallSymbol',
  // What the fit has not seen: a known character beside one that it does not usually stand by; every byte of a character that
  // tokenizers do not have; and every byte more that Unicode's compatibility form of it has, for tokenizers that use that form.
  'strange',
  'rareByte',
  'expandedByte',
  // What a vendor adds around the text.
  'message',
  'prompt',
] as const

export type Feature = (typeof FEATURES)[number]
export const FEATURES_COUNT = FEATURES.length

/**
 * What is learnt is not a weight for each feature but a factor for each of these parts: features that a tokenizer makes dear
 * or cheap together. Their number is what a few dozen observed calls can tell apart.
 */
export const PARTS: readonly (readonly Feature[])[] = [
  ['word'],
  ['wordBare', 'wordJoined'],
  ['letter', 'cut1', 'cut2', 'cut3'],
  ['capital', 'caps', 'camel'],
  ['accented'],
  ['digitThree', 'mixed'],
  ['digit'],
  ['punctuation'],
  ['punctuationSame', 'punctuationMore'],
  ['escape'],
  ['spaceDigit', 'spaceOther', 'spaces', 'spacesMore', 'tab'],
  ['newline', 'newlineMore'],
  ['newlineAfter'],
  ['kana', 'katakana'],
  ['kanaLoose', 'kanaTight'],
  ['halfKana', 'halfMark', 'wideLatin'],
  ['kanji1', 'kanji2'],
  ['kanji3', 'kanji4'],
  ['hanRun'],
  ['widePunctuation', 'wideMark'],
  ['hangul1', 'hangul2', 'hangul3'],
  ['thai'],
  ['cyrillic', 'cyrillicWord', 'twoBytes'],
  ['arabic', 'arabicWord'],
  ['indic', 'threeBytes', 'fourBytes'],
  ['emoji', 'joiner'],
  ['typography', 'symbol', 'symbolSame', 'smallSymbol'],
  ['strange', 'rareByte', 'expandedByte'],
  ['message'],
  ['prompt'],
]
export const PARTS_COUNT = PARTS.length

/** By feature: the part it belongs to. */
export const PART_OF: Uint8Array = Uint8Array.from(FEATURES, (feature) =>
  PARTS.findIndex((part) => part.includes(feature)),
)
