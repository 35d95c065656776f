// Whether a name in a message is a name there, or part of another word: not 「ナナ」 in 「バナナ」, nor "orange" in
// "orange juice".
import type { Name } from './name.ts'

const LATIN = /[\p{Script=Latin}\p{N}]/u
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

interface Position {
  readonly key: string
  readonly at: number
  readonly origin: readonly number[]
  readonly characters: readonly string[]
  readonly written: readonly string[]
}

export function standsAlone(name: Name, position: Position): boolean {
  return LATIN.test(name.key[0] ?? '') ? inLatin(name, position) : inJapanese(name.key, position)
}

/** Titles and names that are everyday English words: they count only with a capital inside a sentence, or in quotation marks. */
const EVERYDAY = new Set(
  (
    'monster touch given blame phoenix kingdom cobra orange beck emma atom orb power aki bleach monsters angel hero may ' +
    'happy live love march april spring summer snow rain sky moon star ace king joker erased mars ' +
    'diamond blue silver gold fairy tail white black red free piano banana bear fish home ' +
    'dog cat fox wolf lion tiger dragon rose lily iris joe jack luck will art grace faith hope joy sunny ' +
    'mob gin ban god devil doctor teacher master prince princess queen kiss box ' +
    'switch clover swan witch ghost hell heaven paradise ' +
    'morning afternoon evening jump champion sunday cookie flowers dessert spirits ribon ' +
    'comic magazine chara be love wings asuka ' +
    'real major working captain muscle pink reborn punch rough nights innocent striker rainbow halloween soup runway lance nike shampoo ' +
    'antique fuse platelets bookworm undertaker zebra vanilla sapphire chopper zipper melody borderland scrapyard carol coco bartender ' +
    'opera chi taichi goto wewerethere frommetoyou oneout toloveyou'
  ).split(' '),
)

/** Everyday words with a capital too, and first names and places: they count only in quotation marks or as the whole message. */
const NEVER_INSIDE = new Set(
  (
    'you action feel young original superior dear com south ' +
    'clara clare norman edgar allan caroline roberta teresa isabella nate finn marina serena julius roxy mikey andy mia carol jeanne pierre ' +
    'oskar erich eva leo rio amir ely juli saitama nasa ido ida asa reg'
  ).split(' '),
)

/** Words that make no name together: "I do" is not "Ido". */
const LITTLE = new Set(
  'a am an and as at be by do for go he i if in is it me my no of on or so the to up us we you'.split(' '),
)
/** A shorter name is one word: "had a" is not "Hada". */
const PARTED_LENGTH_MIN = 6
const OPENING = /["“‘'「『《(]/u
const CLOSING = /["”’'」』》)]/u

/** "A ten year old boy" is a child, and not Old Boy. */
const OF_YEARS = /\b(?:years?|yrs?|months?)[\s-]$/iu

/** Only whole words count; a plural or possessive s is allowed. */
function inLatin(name: Name, { at, origin, characters, written }: Position): boolean {
  const from = origin[at] ?? 0
  const to = origin[at + name.key.length - 1] ?? 0
  const before = characters[from - 1] ?? ' '
  if (LATIN.test(before)) return false
  if (name.key.startsWith('old') && OF_YEARS.test(characters.slice(0, from).join(''))) return false
  const after = characters[to + 1] ?? ' '
  const words = characters
    .slice(from, to + 1)
    .join('')
    .split(/[^\p{Script=Latin}\p{N}]+/u)
  if (LATIN.test(after) && (after !== 's' || words.at(-1)!.length < 3)) return false
  if (after === 's' && LATIN.test(characters[to + 2] ?? ' ')) return false
  const isWhole = from === 0 && to >= characters.length - 2
  if (isWhole) return true
  if (words.length > 1 && words.every((word) => LITTLE.has(word))) return false
  const isParted = characters.slice(from, to + 1).some((character) => /\s/u.test(character))
  if (isParted && name.kind === 'title' && name.key.length < PARTED_LENGTH_MIN) return false
  const isNever = NEVER_INSIDE.has(name.key)
  if (!isNever && !EVERYDAY.has(name.key)) return true
  // In Japanese a word in Latin letters is a name.
  if (JAPANESE.test(after) || (OPENING.test(before) && CLOSING.test(after))) return true
  return !isNever && isCapital(written, from, to)
}

/** A capital that no beginning of a sentence explains. */
function isCapital(written: readonly string[], from: number, to: number): boolean {
  if (!/\p{Lu}/u.test(written[from] ?? '')) return false
  const start = written.slice(0, from).join('').trimEnd()
  if (start !== '' && !/[.!?…:;\n]$/u.test(start)) return true
  const rest = written.slice(to + 1).join('')
  if (/^[!?！？]|^\s+(?:and|or|vs\.?|&)\s+\p{Lu}|^,?\s+(?:vol|manga)/u.test(rest)) return true
  const own = written.slice(from, to + 1).join('')
  return own.length > 2 && own === own.toUpperCase() && /\p{Ll}/u.test(`${start}${rest}`)
}

/** Titles and names that are everyday Japanese words: they count only in brackets, alone, or where a series is asked about. */
const EVERYDAY_JA = new Set('日常 同級生 生徒会 正反対 世紀末 奈落 キャプテン リアル 三国志 陰陽師'.split(' '))
const ASKED_ABOUT =
  /^(?:って|という|(?:は|を|の|と)?(?:全巻|全部|何巻|何冊|在庫|いくら|お?値段|作者|[\d一二三]巻|最新刊|続き|新刊|完結|アニメ)|は(?:あり|ある|おいて|置い|どんな)|(?:を|は)?(?:読んだ|読みました|読破|持って|買)|みたい|のような|に似た|[」』、]?(?:在庫|全巻))/u

const HIRAGANA_RUN = /^[\p{Script=Hiragana}ー]+$/u
const KATAKANA_RUN = /^[\p{Script=Katakana}ー]+$/u
const KANJI_RUN = /^\p{Script=Han}+$/u
/** The text that may follow a name in hiragana without making it part of another word. */
const AFTER_HIRAGANA_NAME =
  /^(?:$|[^\p{Script=Hiragana}]|[がのはをにともで](?:$|[^\p{Script=Hiragana}])|と\p{Script=Hiragana}{2}|って|みたい|っぽい|より|から|まで|ある|あり|ください|くらい|ぐらい|いくら|すき|どんな|のような|の)/u
const SPECIFIC_LENGTH = 6
const AFTER_SHORT_KANJI = /[好似風系的読全最完在連漫面]/u

const touch = (origin: readonly number[], at: number): boolean => (origin[at + 1] ?? 0) - (origin[at] ?? 0) <= 1

/** 「ギョとうずまき」: the particle belongs to the word before it. */
const isListed = (name: string, { key, at }: Pick<Position, 'key' | 'at'>): boolean =>
  name.length >= LISTED_LENGTH_MIN && /^[^\p{Script=Hiragana}][とや]$/u.test(key.slice(Math.max(0, at - 2), at))
const LISTED_LENGTH_MIN = 3

/** A short name is found only where its script starts and ends. */
/** What stands after a surname. */
const CALLED = /^(?:先生|作品|漫画|氏|様|原作|作画|名作|作の)/u

function inJapanese(name: string, { key, at, origin, characters }: Position): boolean {
  const end = at + name.length
  if (EVERYDAY_JA.has(name) && !isAskedAbout(characters, origin[at] ?? 0, (origin[end - 1] ?? 0) + 1)) return false
  // Where the key omits a space or a mark, no character is adjacent to the name.
  const before = touch(origin, at - 1) ? (key[at - 1] ?? '') : ''
  const after = touch(origin, end - 1) ? key.slice(end) : ''
  // Katakana is one word as far as it goes: 「夜ト」 is not in 「夜トイレ」.
  if (KATAKANA_RUN.test(name[0] ?? '') && KATAKANA_RUN.test(before)) return false
  if (KATAKANA_RUN.test(name.at(-1) ?? '') && KATAKANA_RUN.test(after[0] ?? '')) return false
  if (HIRAGANA_RUN.test(name) && name.length < SPECIFIC_LENGTH)
    return (!HIRAGANA_RUN.test(before) || isListed(name, { key, at })) && AFTER_HIRAGANA_NAME.test(after)
  if (KANJI_RUN.test(name) && name.length <= 2) {
    const next = after[0] ?? ''
    const isWhole = !KANJI_RUN.test(next) || AFTER_SHORT_KANJI.test(next) || CALLED.test(after)
    return !KANJI_RUN.test(before) && isWhole
  }
  return true
}

function isAskedAbout(characters: readonly string[], from: number, to: number): boolean {
  const [before, after] = [characters.slice(0, from).join(''), characters.slice(to).join('')]
  if (/[「『]$/u.test(before) && /^[」』]/u.test(after)) return true
  if (before.trim() === '' && /^[\s。!！?？]*$/u.test(after)) return true
  return !/[\p{Script=Han}\p{Script=Katakana}ー]$/u.test(before) && ASKED_ABOUT.test(after.replace(/^[\s、,]+/u, ''))
}
