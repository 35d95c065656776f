// The features that are counted in a text. Each counts something that costs tokens, so that a tokenizer is a list of
// non-negative weights; `data/tokenizers.json` has them by these names.

export const FEATURES = [
  // Latin words: how they begin, and, unless they are common, their letters and the likely cuts between those.
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
  // Digits in groups of three and single, and where they touch letters, as in ids.
  'digitThree',
  'digit',
  'mixed',
  'punctuation',
  'punctuationSame',
  'punctuationMore',
  // A percent-encoded byte of an address, such as %E3.
  'escape',
  // A single space before a word or punctuation is part of its token; other spaces are counted here.
  'spaceDigit',
  'spaceOther',
  'spaces',
  'spacesMore',
  'newline',
  'newlineAfter',
  'newlineMore',
  'tab',
  // Japanese: kana alone, or as the second of a common pair; kanji from common to rare; long runs of Han.
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
  // Text that the fit of the weights has not seen: a known character in an unusual pair; every byte of a character that
  // tokenizers do not have; and every additional byte of its Unicode compatibility form, for tokenizers that use that form.
  'strange',
  'rareByte',
  'expandedByte',
  // Tokens that a vendor adds around the text.
  'message',
  'prompt',
] as const

export type Feature = (typeof FEATURES)[number]
export const FEATURES_COUNT = FEATURES.length

/**
 * Calibration learns a factor for each of these parts instead of a weight for each feature. A part groups features whose costs
 * vary together between tokenizers. There are as few parts as a few dozen observed calls can distinguish.
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

/** By feature: the index of its part. */
export const PART_OF: Uint8Array = Uint8Array.from(FEATURES, (feature) =>
  PARTS.findIndex((part) => part.includes(feature)),
)
