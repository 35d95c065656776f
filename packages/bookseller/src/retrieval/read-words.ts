// What the words of a search box say, without a conversation: the wish, and the series that the results should resemble. It is more
// careful than the understanding of a chat: a word inside a remembered plot ("the old man", "a ten-year-old") is no condition.
import { fold } from '../text/words.ts'
import type { Filters, Wish } from '../understanding/ask.ts'
import type { Lexicon } from '../understanding/understand.ts'
import { utteranceOf } from '../understanding/utterance.ts'
import { GENRES, MOODS, READERSHIPS } from '../understanding/vocabulary.ts'
import { readWish } from '../understanding/wish.ts'
import { contentWords } from './content-words.ts'
import type { WordVectors } from './word-vectors.ts'

export interface WordsRead {
  readonly wish: Wish
  readonly like: readonly string[]
}

const LIKE =
  /\b(?:like|similar|vibes?|read-?alikes?|fans? of|loved|enjoyed|reminds?|next after|what next)\b|みたい|っぽい|似た|似て|系(?:の|で|が|統|$)|のような|が好き|好きな|の次|(?:ハマ|はま)[っり]/u
const LIKE_WORD = /^(?:like|similar|vibes?|fans?|loved|next)$/u
const FOR_CHILD =
  /\bfor (?:my|our|a|an|the|his|her)?\s*(?:\w+[\s-]){0,4}(?:kids?|child|children|son|daughter|nephew|niece|year[\s-]olds?|boy|girl)\b|(?:子ども|子供|こども|キッズ|小学生|児童)(?:向け|用|に|でも)|\d+\s*歳(?:の(?:子|息子|娘|甥|姪|男の子|女の子)|向け|に)|(?:息子|娘|甥|姪|孫)に/u
const ART = /\b(?:drawn|art|artwork|illustrated|artist)\b|作画|絵/u
const SCRIPT = /\b(?:written|writer|script)\b|原作|脚本/u
/** With more words of its own, a question tells a plot. */
const PLOT_WORDS_MIN = 4

const VOCABULARY = new Set(
  [GENRES, MOODS, READERSHIPS].flatMap((vocabulary) =>
    Object.values(vocabulary).flatMap(({ label, synonyms }) =>
      [label.ja, label.en, ...synonyms.ja, ...synonyms.en].map(fold),
    ),
  ),
)

/** Aspects that a content note stands for. */
const CONTENT: readonly (readonly [said: RegExp, keys: readonly string[]])[] = [
  [/^(?:gore|gory|blood(?:y)?|グロ|グロい|流血|残酷.*)$/u, ['gore']],
  [/^(?:violence|violent|暴力|暴力描写|バイオレンス)$/u, ['violence-strong', 'violence-mild', 'gore']],
  [/^(?:sex|sexual.*|fan ?service|ecchi|エロ|エッチ|性的.*|お色気)$/u, ['sexual-strong', 'sexual-mild', 'nudity']],
  [/^(?:nudity|裸)$/u, ['nudity', 'sexual-strong']],
  [/^(?:bullying|いじめ|イジメ)$/u, ['bullying']],
  [/^(?:suicide|自殺)$/u, ['suicide']],
  [/^(?:abuse|虐待)$/u, ['abuse']],
  [/^(?:drugs?|薬物|ドラッグ)$/u, ['drugs']],
  [/^(?:death|死|人が死ぬの)$/u, ['loss']],
]
const DENIED = [
  /\b(?:no|without|nothing with|avoid(?:ing)?|minus|except)\s+(?:any\s+|too much\s+)?([a-z]+(?:[ -](?!please|and|or|but|in|for|the)[a-z]+)?)/gu,
  /([\p{Script=Han}\p{Script=Katakana}ー]{1,8})(?:要素|描写|もの|系)?(?:なし|無し|抜き|以外|は(?:苦手|嫌|いや|いらな|NG|ng|なし)|が(?:苦手|嫌|な[いく]|出てこな)|の(?:ない|出てこな))/gu,
]

/** What the words deny and no genre or mood names: content notes, and other aspects as they are said. */
function deniedIn(text: string): { readonly avoid: readonly string[]; readonly avoidTexts: readonly string[] } {
  const said = DENIED.flatMap((pattern) => [...fold(text).matchAll(pattern)].map(([, aspect]) => aspect ?? ''))
  const avoid: string[] = []
  const avoidTexts: string[] = []
  for (const aspect of said) {
    const keys = CONTENT.find(([pattern]) => pattern.test(aspect))?.[1]
    if (keys !== undefined) avoid.push(...keys)
    else if (![aspect, ...aspect.split(' ')].some((word) => VOCABULARY.has(word))) avoidTexts.push(aspect)
  }
  return { avoid, avoidTexts }
}

export function readWords(text: string, lexicon: Lexicon, vectors: WordVectors): WordsRead {
  const like = LIKE.test(fold(text)) ? likedIn(text, lexicon, vectors) : { ids: [], rest: text }
  const wish = readWish(utteranceOf(like.rest), lexicon.people)
  const denied = deniedIn(like.rest)
  const words = contentWords(like.rest, vectors).filter(({ word }) => !VOCABULARY.has(word))
  return {
    wish: {
      ...wish,
      avoid: [...wish.avoid, ...denied.avoid],
      ...(denied.avoidTexts.length === 0 ? {} : { avoidTexts: denied.avoidTexts }),
      filters: careful(wish.filters, {
        text: like.rest,
        isPlot: words.length >= PLOT_WORDS_MIN,
        isLike: like.ids.length > 0,
      }),
    },
    like: like.ids,
  }
}

function likedIn(
  text: string,
  { titles }: Lexicon,
  vectors: WordVectors,
): { readonly ids: readonly string[]; readonly rest: string } {
  const { mentions, rest } = titles.find(text)
  const [blanked, written] = [[...rest], [...text.normalize('NFKC')]]
  const ids: string[] = []
  for (const { id, from } of mentions) {
    let to = from
    while (to < written.length && blanked[to] === ' ') to += 1
    const name = written.slice(from, to).join('').trim()
    if (isTitle(name, vectors)) ids.push(id)
    else for (let at = from; at < to; at += 1) blanked[at] = written[at] ?? ' '
  }
  return { ids, rest: blanked.join('') }
}

/** A name that is also a word counts only with a capital, and the name of a genre never does. */
function isTitle(name: string, vectors: WordVectors): boolean {
  const key = fold(name)
  if (VOCABULARY.has(key) || LIKE_WORD.test(key) || /^[a-z]{1,3}$/u.test(key)) return false
  return vectors.find(key) === -1 || /^\p{Lu}/u.test(name)
}

function careful(
  filters: Filters,
  { text, isPlot, isLike }: { readonly text: string; readonly isPlot: boolean; readonly isLike: boolean },
): Filters {
  const { forChildren, yearFrom, yearTo, author, magazines, demographic, ...rest } = filters
  const folded = fold(text)
  const isDecade = yearFrom !== undefined && yearTo !== undefined
  const role = ART.test(folded) ? 'artist' : SCRIPT.test(folded) ? 'writer' : 'author'
  return {
    ...(isPlot ? withoutVague(rest, folded) : rest),
    ...(forChildren === true && FOR_CHILD.test(folded) ? { forChildren } : {}),
    ...(isDecade || !isPlot ? definedYears(yearFrom, yearTo) : {}),
    // "Like Junji Ito's Uzumaki" names a series with its author, and wants more than that author.
    ...(author === undefined || isLike || (isPlot && !isWritten(author, text)) ? {} : { [role]: author }),
    ...(magazines === undefined || isPlot ? {} : { magazines: longest(magazines, text) }),
    ...(demographic === undefined || isPlot ? {} : { demographic }),
  }
}

/** In a plot, only numbers are conditions: "a short boy" is no wish for a short series. */
function withoutVague(filters: Filters, folded: string): Filters {
  const hasNumber = /\d/u.test(folded)
  const { volumesMax, volumesMin, priceYenMax, priceYenMin, ...rest } = filters
  return hasNumber ? filters : rest
}

const definedYears = (yearFrom: number | undefined, yearTo: number | undefined): Filters => ({
  ...(yearFrom === undefined ? {} : { yearFrom }),
  ...(yearTo === undefined ? {} : { yearTo }),
})

const isWritten = (name: string, text: string): boolean => !/^[A-Za-z]+$/u.test(name) && fold(text).includes(fold(name))

/** Of 「マーガレット」 and 「別冊マーガレット」 only the one that is written in full. */
function longest(magazines: readonly string[], text: string): readonly string[] {
  const written = magazines.filter((name) => fold(text).includes(fold(name)))
  const best = written.filter((name) => !written.some((other) => other !== name && other.includes(name)))
  return best.length > 0 ? best : magazines
}
