// Corrects the polarity of qualities where the words leave no doubt: what stands right before 「はなし」 or after "no" is not
// wanted, nor is what is listed with it.
import { dislikeOf } from './aspects.ts'
import type { Span } from './reading.ts'

/** Right after the words: 「BLはなしで」, 「ホラーとかはNG」, "gore-free". */
const DENIED_AFTER =
  /^(?:もの|モノ|系|話|描写|シーン|要素|展開|ネタ)?(?:は|が|も|とか|とかは|関係は|系は|の|のは)?、?(?:絶対|ちょっと|基本)?(?:なし(?!に|崩)|ナシ|無し|抜き|以外|NG|だめ|ダメ|駄目|無理|ムリ|苦手|嫌|いらな|要らな|いらん|除外|不可|パス|避けて|勘弁|禁止|やめて)|^な(?:く|い)(?:て|、|もの|やつ|の|で|$)|^[- ]free\b/iu
/** Right before the words: "no horror", "nothing too sad", "without any romance". */
const DENIED_BEFORE =
  /(?:^|[\s,.;(])(?<!\bwhy )(?:no|not|without|nothing|zero|anything but|except(?: for)?|can'?t stand|i hate|hates|avoid)(?: (?:any|too|so|very|more|really|overly|with|about|the|set|in|at|an?))*\s$/iu
/** What is denied may be doubted: 「苦手じゃない」, "not only". */
const DOUBTED_AFTER = /^[^\s、。,]{0,12}(?:じゃな|じゃあり|ではな|ではあり|でもな|わけ)/u
type Marked = Pick<Span, 'role' | 'from' | 'to'>

export function withPolarity<Mark extends Marked>(text: string, spans: readonly Mark[]): readonly Mark[] {
  const denied = new Set<Marked>(spans.filter((span) => span.role === 'want' && isDenied(text, span)))
  // 「年の差とかBLはなしで」, "no gore or romance".
  const isListed = (joint: RegExp) => (first: Marked | undefined, second: Marked | undefined) =>
    first !== undefined &&
    second !== undefined &&
    (denied.has(first) || denied.has(second)) &&
    joint.test(text.slice(first.to, second.from))
  const wished = [...spans.entries()].filter(([, { role }]) => role === 'want')
  for (const [index, span] of wished.toReversed()) if (isListed(JOINED_JA)(span, spans[index + 1])) denied.add(span)
  for (const [index, span] of wished) if (isListed(JOINED_EN)(spans[index - 1], span)) denied.add(span)
  return spans.map((span) => {
    if (denied.has(span)) return { ...span, role: 'avoid' as const }
    return span.role === 'like' && isUnlike(text, span) ? { ...span, role: 'hate' as const } : span
  })
}

function isDenied(text: string, { from, to }: Marked): boolean {
  const after = text.slice(to)
  return (DENIED_AFTER.test(after) && !DOUBTED_AFTER.test(after)) || DENIED_BEFORE.test(text.slice(0, from))
}

const JOINED_JA = /^(?:|とか|や|と|・|、|も|だの|やら|系とか|系や)$/u
const JOINED_EN = /^(?:,? (?:and|or|nor) |, ?)(?:no |any )?$/iu

const isKnown = (words: string): boolean => {
  const { genres, moods, content } = dislikeOf(words)
  return genres.length + moods.length + content.length > 0
}

const NAMED = /[\p{Script=Han}\p{Script=Katakana}ー]{1,8}(?=(?:もの|モノ|系)?(?:は|が|も|とか))|\b[a-z]{4,14}\b/giu

/** Deaths that are denied in words of their own. */
const NO_DEATH =
  /\b(?:no[- ]?(?:one|body)|none of them) (?:dies|dying|gets? killed)\b|(?:誰も|人が|だれも)死な(?:ない|ず)/giu

/** Genres and moods that carry no role and stand beside an exact denial: 「ホラーは嫌です」. */
export function deniedNames(text: string, spans: readonly Marked[]): readonly Span[] {
  const isFree = (from: number, to: number) => !spans.some((span) => span.from < to && from < span.to)
  const deaths = [...text.matchAll(NO_DEATH)].map(({ 0: words, index: from }) => ({
    words,
    from,
    to: from + words.length,
  }))
  const named = [...text.matchAll(NAMED)].flatMap(({ 0: words, index: from }): readonly Span[] => {
    const to = from + words.length
    if (!isFree(from, to) || !isDenied(text, { role: 'want', from, to }) || !isKnown(words)) return []
    return [{ role: 'avoid', text: words, from, to }]
  })
  return [
    ...named,
    ...deaths
      .filter(({ from, to }) => isFree(from, to))
      .map(({ words, from, to }): Span => ({
        role: 'avoid',
        text: /[a-z]/iu.test(words) ? 'people dying' : '人が死ぬ',
        from,
        to,
      })),
  ]
}

const UNLIKE_BEFORE =
  /\b(?:not|no|nothing|never|isn['’]?t|without)\b[^.,;:!?]{0,30}\b(?:like|as in|such as)\s+(?:the\s+|in\s+)?$/iu
const UNLIKE_AFTER =
  /^(?:みたいな|のような|っぽい|系の)[^。、！？!?]{0,8}(?:は|じゃ|では)(?:嫌|なし|ナシ|なく|無理|苦手|いや|NG|ない)/u

/** "Not a battle thing like Food Wars": the series is what is not wanted. */
const isUnlike = (text: string, { from, to }: Marked): boolean =>
  UNLIKE_BEFORE.test(text.slice(0, from)) || UNLIKE_AFTER.test(text.slice(to))
