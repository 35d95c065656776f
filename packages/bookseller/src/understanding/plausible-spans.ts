// Checks the roles that the model gave: a span covers whole words, and its words can carry the role. 「ーツもの」 becomes 「スポーツもの」;
// an age without a number or a stage of life, or a wish that is only a number, is dropped.
import { ageIn, numberIn, yearsIn } from './numbers.ts'
import { isAdultOnly } from './limits.ts'
import type { Token } from './model/tokens.ts'
import type { Role, Span } from './reading.ts'

type Marked = Pick<Span, 'role' | 'from' | 'to'>

export function plausibleSpans(text: string, tokens: readonly Token[], spans: readonly Marked[]): readonly Span[] {
  const whole: Span[] = []
  for (const span of spans) {
    const { from, to } = wholeWords(tokens, span)
    const words = text.slice(from, to)
    const role = OF_NUMBERS.has(span.role) && isAdultOnly(words) ? 'avoid' : span.role
    if (!isPlausible(role, words) || (role === 'age' && OF_VOLUMES.test(text.slice(0, from)))) continue
    const last = whole.at(-1)
    if (last !== undefined && from < last.to) continue
    whole.push({ role, text: words, from, to })
  }
  return whole
}

/**
 * Extends a marked span to whole words. Hiragana is left as marked, because the segmenter counts 「グロくて」 as one word and
 * the ending is not part of the span.
 */
function wholeWords(tokens: readonly Token[], { from, to }: Marked): { readonly from: number; readonly to: number } {
  const inside = tokens.filter((token) => token.from < to && token.to > from)
  const [first] = inside
  const last = inside.at(-1)
  if (first === undefined || last === undefined) return { from, to }
  const before = tokens.filter((token) => token.word === first.word && token.to <= from && isSolid(token))
  const after = tokens.filter((token) => token.word === last.word && token.from >= to && isSolid(token))
  return {
    from: isSolid(first) ? Math.min(from, ...before.map((token) => token.from)) : from,
    to: isSolid(last) ? Math.max(to, ...after.map((token) => token.to)) : to,
  }
}

/** The roles of amounts, for which the number of 「18禁」 is mistaken. */
const OF_NUMBERS: ReadonlySet<Role> = new Set([
  'count',
  'age',
  'total<',
  'each<',
  'each>',
  'vols<',
  'vols>',
  'vols=',
  'vol',
])

/** The number that follows is of volumes, and not of years. */
const OF_VOLUMES = /\b(?:volumes?|vols?\.?|books?|chapters?)\s*$/iu

const isSolid = ({ kind }: Token): boolean => kind === 'katakana' || kind === 'kanji'

const NUMBERS_ONLY = /^[\s\d.,¥￥円巻冊歳才年]*$/u
const NUMBER_WORD = /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty)$/iu
const LETTER = /\p{Script=Latin}{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Words that compare, point or join name no series. */
const NO_NAME =
  /^(?:under|over|below|above|about|within|than|the|a|an|is|it|that|this|those|these|one|ones|and|or|of|for|with|to|in|on|at|by|from|all|both|together|these two|そ[れの]|こ[れの]|あ[れの]|作品|漫画|マンガ|manga|book|books|series)$/iu

const CHECKS: Partial<Record<Role, (words: string) => boolean>> = {
  title: (words) => !NO_NAME.test(words.trim()),
  like: (words) => !NO_NAME.test(words.trim()),
  read: (words) => !NO_NAME.test(words.trim()),
  hate: (words) => !NO_NAME.test(words.trim()),
  want: (words) => isQuality(words),
  avoid: (words) => isQuality(words),
  allow: (words) => isQuality(words),
  age: (words) => ageIn(words) !== undefined && !/禁|^\s*\d+[a-z]\s*$|\d\+/iu.test(words),
  'total<': (words) => numberIn(words) !== undefined || /ワンコイン/u.test(words),
  'each>': (words) => numberIn(words) !== undefined,
  vol: (words) => numberIn(words) !== undefined || /最新|最終|last|latest|first/iu.test(words),
  orderid: (words) => /\d/u.test(words),
  'year<': (words) => yearsIn(words) !== undefined || LETTER.test(words),
  'year>': (words) => yearsIn(words) !== undefined || LETTER.test(words),
}

const isPlausible = (role: Role, words: string): boolean => CHECKS[role]?.(words) ?? true

function isQuality(words: string): boolean {
  const plain = words.trim()
  return LETTER.test(plain) && !NUMBERS_ONLY.test(plain) && !NUMBER_WORD.test(plain)
}
