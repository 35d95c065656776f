// The keys that the words of a wish or a dislike mean: genres, moods, readership and content. Words without a key stay
// words, and search compares their meaning.
import { CONTENT_KEYS } from '../catalogue/catalogue.ts'
import { fold } from '../text/words.ts'
import { CONTENT_WORDS } from './content-vocabulary.ts'
import { occurrencesOf } from './occurrences.ts'
import type { Stretch } from './occurrences.ts'
import type { Aspect } from './reading.ts'
import { GENRES, MOODS, READERSHIPS } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

export function aspectOf(text: string): Aspect {
  const plain = plainOf(text)
  const named = new Set(namedIn(plain, [...KEYS.genres, ...KEYS.moods]).map(({ key }) => key))
  const of = (keys: readonly Key[]) => keys.flatMap(({ key }) => (named.has(key) ? [key] : []))
  return { text, genres: of(KEYS.genres), moods: of(KEYS.moods), content: contentIn(plain) }
}

/** What a longer text says of genres and moods, each in the words that name it. */
export function aspectsIn(text: string): readonly Aspect[] {
  const plain = plainOf(text)
  const words = namedIn(plain, [...KEYS.genres, ...KEYS.moods]).map(({ from, to }) => plain.slice(from, to))
  return [...new Set(words)].map(aspectOf)
}

/** Whether the words are the name of a genre and little more: 「ホラーもの」, but not "game world". */
export function isGenreName(aspect: Pick<Aspect, 'text' | 'genres'>): boolean {
  const known = genreNames.get(aspect)
  if (known !== undefined) return known
  const plain = plainOf(aspect.text)
  const is = aspect.genres.length > 0 && isSaidBy(plain, namedIn(plain, [...KEYS.genres, ...KEYS.moods]))
  genreNames.set(aspect, is)
  return is
}
/** Every product of a search asks it of the same wishes. */
const genreNames = new WeakMap<object, boolean>()

/** Whether the words are a name of a genre, of a part of one, or of a mood. */
export function isNamedKey(text: string): boolean {
  const plain = plainOf(text)
  return [...KEYS.genres, ...KEYS.moods].some(({ words, kinds }) => words.includes(plain) || kinds.includes(plain))
}

/** The readership that words name: 「少女漫画」, "seinen". */
export const demographicIn = (text: string): string | undefined => namedIn(plainOf(text), KEYS.readerships)[0]?.key

/**
 * What a dislike excludes. A genre or a mood only if the words name nothing narrower: "love triangles" or 「料理対決」 leave romance
 * and cooking, and are known by their words. "High-school romance" has two genres, and the dialogue excludes the one that is not
 * wished for.
 */
export function dislikeOf(text: string): Aspect {
  const plain = plainOf(text)
  const parts = plain.split(AND).map((part) => part.trim())
  const whole = (keys: readonly Key[]) => [...new Set(parts.flatMap((part) => wholeKeys(part, keys)))]
  const genres = [...whole(KEYS.genres), ...(READERSHIP.test(plain) ? whole(KEYS.readerships) : [])]
  const [moods, content] = [whole(KEYS.moods), contentIn(plain)]
  if (!ANIMAL.test(plain) || !DEATH.test(plain)) return { text, genres, moods, content }
  return {
    text,
    genres: genres.filter((key) => key !== 'animals'),
    moods,
    content: ['animal-death', ...content.filter((key) => !OF_DEATH.has(key) || (key === 'loss' && PERSON.test(plain)))],
  }
}

const plainOf = (text: string): string =>
  fold(text)
    .replaceAll(/[-‐‑–]/gu, ' ')
    .replaceAll('’', "'")

const AND =
  /[、,・/&+]|とか|(?<=[\p{Script=Han}\p{Script=Katakana}ー])[やと](?=[\p{Script=Han}\p{Script=Katakana}])|\band\b|\bor\b/u
/** A readership that is disliked; "kids" are the people of a story. */
const READERSHIP = /[少青]年|少女|女性|レディース|sh[oō]u?nen|sh[oō]u?jo|seinen|josei/u
const ANIMAL =
  /動物|犬|猫|ペット|わんこ|にゃんこ|ねこ|ネコ|\b(?:animals?|dogs?|cats?|pets?|pupp(?:y|ies)|kittens?|horses?|critters?)\b/u
const DEATH =
  /死|亡くな|殺|虐|\b(?:dies?|died|dying|dead|deaths?|kill(?:s|ed|ing)?|slaughter\w*|butcher\w*|hurt|harmed|violence|abuse\w*|suffer\w*|cruel\w*|put(?:ting)? (?:\w+ )?down|funerals?)\b/u
const PERSON = /人(?!形)|飼い主|家族|\b(?:people|persons?|humans?|owners?|anyone|anybody|family|parents?)\b/u
/** Keys that a word for death stands for, unless an animal dies. */
const OF_DEATH: ReadonlySet<string> = new Set(['loss', 'violence-strong', 'animal-death'])

/** Words that narrow nothing. */
const FILLER_JA =
  /もの|モノ|系統?|お?話|ストーリー|シーン|場面|描写|要素|展開|漫画|マンガ|作品|ジャンル|メイン|中心|終わり|オチ|結末|ラスト|エンド|雰囲気|内容|過度|過激|全般|全部|主人公|的|(?<!\p{Script=Hiragana})\p{Script=Hiragana}{1,4}(?!\p{Script=Hiragana})|(?:ばっかり|すぎるの|ばかりの|っぽいの)/gu
const FILLER_EN = new Set(
  (
    'a an the any too very so much many more lots lot of stuff things thing story stories manga comics comic series book books title titles ' +
    'genre genres kind type plot plots subplot subplots element elements content scene scenes setting settings theme themes heavy focused based ' +
    'centric oriented driven like ish with is are about set in it that this them please really super overly extremely excessive pure just only ' +
    'another make makes me nonsense crap mainly mostly anything something one ones ending endings end ends end moments kids people characters bits parts all full kinda sort'
  ).split(' '),
)

/** The keys that the words name, if they name nothing else. */
function wholeKeys(part: string, keys: readonly Key[]): readonly string[] {
  const named = namedIn(part, keys)
  return isSaidBy(part, named) ? named.flatMap(({ key, isKind }) => (isKind ? [] : [key])) : []
}

/** Whether the words contain nothing besides the aspects found in them and filler words. */
function isSaidBy(part: string, named: readonly Stretch[]): boolean {
  const rest = without(part, named).replaceAll(FILLER_JA, ' ')
  return rest.split(/[^\p{L}\p{N}']+/u).every((word) => word === '' || FILLER_EN.has(word))
}

const without = (part: string, found: readonly Stretch[]): string =>
  part
    .split('')
    .map((letter, at) => (found.some(({ from, to }) => from <= at && at < to) ? ' ' : letter))
    .join('')

const contentIn = (plain: string): readonly string[] =>
  KEYS.content.flatMap(({ key, words }) => (words.some((word) => occurrencesOf(word, plain).length > 0) ? [key] : []))

interface Named extends Stretch {
  readonly key: string
  readonly isKind: boolean
}

/** Where the words of keys occur. A word inside a longer one is not meant: 「恋愛」 in 「男同士の恋愛」. */
function namedIn(plain: string, keys: readonly Key[]): readonly Named[] {
  const found = keys.flatMap(({ key, words, kinds }) => {
    const all = [...words.map((word) => ({ word, isKind: false })), ...kinds.map((word) => ({ word, isKind: true }))]
    return all.flatMap(({ word, isKind }) => occurrencesOf(word, plain).map((at): Named => ({ key, isKind, ...at })))
  })
  const isInside = (a: Stretch, b: Stretch) => b.from <= a.from && a.to <= b.to && b.to - b.from > a.to - a.from
  return found.filter((one) => !found.some((other) => isInside(one, other)))
}

interface Key {
  readonly key: string
  readonly words: readonly string[]
  readonly kinds: readonly string[]
}

const keysOf = (vocabulary: Vocabulary): readonly Key[] =>
  Object.entries(vocabulary).map(([key, { label, synonyms, kinds }]) => ({
    key,
    words: [key, label.ja, label.en, ...synonyms.ja, ...synonyms.en].map(plainOf),
    kinds: kinds.map(plainOf),
  }))

const KEYS = {
  genres: keysOf(GENRES),
  moods: keysOf(MOODS),
  readerships: keysOf(READERSHIPS),
  content: CONTENT_KEYS.map((key): Key => ({ key, words: (CONTENT_WORDS.get(key) ?? []).map(plainOf), kinds: [] })),
}
