// The content words of a text, in a form in which two texts can be compared: stems of words, numbers, katakana words, pairs of
// kanji, and whole titles. Words that every answer has (articles, particles) are left out.

export interface Term {
  /** Any of these forms matches the term. */
  readonly forms: readonly string[]
  /** Whether it is a title, or a capitalised word within a sentence. */
  readonly isName: boolean
}

const TERM =
  /『[^』\n]{1,40}』|\*\*[^*\n]{1,40}\*\*|\p{N}+(?:[.,]\p{N}+)*|\p{Script=Latin}[\p{Script=Latin}\p{M}’']*|[\p{Script=Katakana}ー]{2,}|\p{Script=Han}+/gu
const TITLE = /^(?:『|\*\*)/u
const LATIN = /^\p{Script=Latin}/u
const HAN = /^\p{Script=Han}/u
const CAPITAL = /^\p{Lu}/u
/** After one of these a capital letter does not mark a name. */
const SENTENCE_START = /(?:^|[.!?:“”"*]|\n)\s*(?:[-*#]+\s*)?$/u

const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    'the and but for nor with from into over under that this these those which who whom whose what when where while how why ' +
    'are was were been being has have had having does did doing done can could will would shall should may might must not ' +
    'you your yours our ours they them their its his her him she one ones some any all each every both either neither ' +
    'than then there here very more most much many few little also just only even still yet too about after before again ' +
    'because such same other another own between through during within without like out off per via let get got ' +
    '場合 作品 当店 商品 方法 以上 以下 以内 可能 利用 必要'
  ).split(' '),
)

const EMPTY_KANJI: ReadonlySet<string> = new Set(
  '方人日月年円巻冊話中前後作何全第一二三四五六七八九十時分回点他次上下名様今当同約度等別者本物事場所言思見読出行来描買使持入売部編版大小多少的',
)

/** All terms in order, including repetitions. */
export function termsOf(text: string): readonly Term[] {
  const terms: Term[] = []
  const folded = text.normalize('NFKC')
  for (const { 0: match, index } of folded.matchAll(TERM)) {
    const forms = formsOf(match)
    const isCapital = CAPITAL.test(match) && !SENTENCE_START.test(folded.slice(Math.max(0, index - 8), index))
    if (forms.length > 0) terms.push({ forms, isName: TITLE.test(match) || isCapital })
  }
  return terms
}

function formsOf(match: string): readonly string[] {
  if (TITLE.test(match)) return titleForms(match.replaceAll(/[『』*]/gu, ''))
  const forms = HAN.test(match) ? pairsOf(match) : [LATIN.test(match) ? stemOf(match.toLowerCase()) : match]
  return forms.filter((form) => !EMPTY_WORDS.has(form) && !(form.length < 3 && LATIN.test(form)))
}

/** The whole title and its words, because a model may leave out the brackets. */
function titleForms(title: string): readonly string[] {
  const words = [...title.matchAll(TERM)].flatMap(([match]) => formsOf(match))
  return [title.toLowerCase(), ...words.filter((word) => !/^\p{N}/u.test(word))]
}

function pairsOf(run: string): readonly string[] {
  const characters = [...run]
  if (characters.length === 1) return EMPTY_KANJI.has(run) ? [] : [run]
  return characters.slice(1).map((second, index) => `${characters[index]}${second}`)
}

/** A rough stem: "orders" and "ordered" become "order". */
function stemOf(word: string): string {
  const bare = word.replace(/['’].*$/u, '')
  if (EMPTY_WORDS.has(bare) || bare.length < 4) return bare
  return bare.length === 4 ? bare.replace(/s$/u, '') : bare.replace(/(?:ies|ing|ed|es|s|e|y)$/u, '')
}
