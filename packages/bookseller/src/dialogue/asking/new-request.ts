// A request of its own after a list: it says what kind of series is wanted, and how many or that they are to be recommended
// (「泣ける完結作を3つ」, "suggest two dark thrillers"). It replaces the wish before it. Words that compare with what was shown, or
// point at it (「もっと」, "only the sad ones"), refine that wish instead.
import { foldedPrefix } from '../../text/words.ts'
import { aspectsIn } from '../../understanding/aspects.ts'
import { numberIn } from '../../understanding/numbers.ts'
import type { Act, Aspect, Reading } from '../../understanding/reading.ts'

/** As much of a message as is read. */
const READ_UNITS_MAX = 600

/** Points at the series that were shown: the answer is among them. */
const AMONG =
  /[そこあ]の(?:中|なか|うち|リスト)|[そこ]こから|(?:さっき|先ほど|今|上)の(?:中|なか|うち|リスト|[\d一二三四]+(?:つ|作))|[そこ]の[\d一二三四]+(?:つ|作)|(?:^|[,.;] ?|\b(?:which|any|ones?|two|three|only|just|pick)\s)(?:of|among|from|between) (?:these|those|them|the (?:three|two|four))\b|\b(?:from|of|in|on) (?:that|this|the|your) list\b/iu

/** Words that compare with the shown series, ask for others, or add a condition. */
const REFINES =
  /もっと|もう(?:少し|ちょっと|一|二|三|\d)|より|けど|ただし|(?:^|[。!！])でも|だけ|のみ|ほか|他[にの]|別の|同じ|条件|候補|さっき|先ほど|そのまま|やっぱり?|\b(?:more|less|but|only|just|same|still|stays?|instead|others?|another|else|additional|again|rules?|conditions?|criteria)\b|\bof (?:it|these|those|them)\b/iu
const AS_WELL =
  /も(?:あ|ほし|欲し|入|いい|好|含|[\d一二三]|教|お願)|さらに|加えて|それと|しかも|\balso\b|\btoo\b|as well|\bplus\b|on top/iu
/** 「泣けるのを」, 「完結してるやつを」, "sad ones": a word that stands for the series talked about. 「家族もの」 is a genre. */
const STANDS_FOR =
  /(?<!ほのぼ|も)の(?:を|が|は|も|だけ)|(?:やつ|ヤツ|奴|(?<=\p{Script=Hiragana})もの)(?:を|が|は|で|も|だけ)|\bones\b|\bone\b(?=\s*(?:$|[,.!?]|please|then|with|that|where))/iu
/** A comparative: "shorter series". */
const COMPARES = /\b(?:shorter|longer|cheaper|newer|older|easier|darker|lighter|sadder|funnier|scarier|better)\b/iu

/** How many series: a number that counts them, not volumes, yen or years. */
const COUNTS =
  /([\d一二三四五六七八九十]+)\s?(?:つ(?!目|め)|作品(?!目)|作(?![\p{L}])|本(?=$|[\p{P}\s]|お願|教|くだ|紹介|挙げ|選|ほど|くらい)|タイトル|シリーズ(?!目))|いくつか|何(?:本|作)か|\b(one|two|three|four|five|six|\d|a couple(?: of)?|a few|some|several)\s(?=(?:[a-z'’-]+\s){0,5}?(?:manga|series|comics?|titles?|stories|books|works|[a-z]{4,}(?:ers|ies|als|ics|ors|ces|dies))\b)/iu
/** The words of a request for a kind of series. */
const REQUESTS =
  /おすすめの.{1,20}(?:を|は|教|あ)|(?:漫画|マンガ|まんが|作品|シリーズ|小品|名作|傑作|もの|モノ)(?:の(?:おすすめ|オススメ|お勧め))?(?:を|って)?(?:何か|なにか|いくつか)?(?:教え|紹介|挙げ|推薦)|(?:漫画|マンガ|作品)(?:の(?:おすすめ|オススメ|お勧め)|[がをは]?(?:何か|なにか)?(?:読みたい|探し|あ(?:る|り)|ください|お願い))|\b(?:recommend|suggest)(?: me| us)? (?:a|an|any|some|good) .*\b(?:manga|series|comics?|titles?|stor(?:y|ies))\b|\b(?:what|which) .{0,30}\b(?:manga|series|comics?|titles) (?:do|would|can|could) you (?:recommend|suggest)\b|^(?:an? |some |any |good )*(?:[a-z'’-]+,? ){1,4}(?:manga|series|comics?),?(?: please)?[.!?]*$/iu

/** Acts that a request is mistaken for. */
const MISTAKEN: ReadonlySet<Act> = new Set(['fact', 'faq', 'choose', 'buy', 'tell', 'compare', 'title', 'unclear'])
const FINISHED = /完結|\b(?:finished|completed)\b/iu
const DENIED = /ない|なく|未完|じゃ|以外|\b(?:not|un|no|never|isn['’]t|aren['’]t)\b/iu

/** Whether the message points at the series that were shown. */
export const pointsAtList = (message: string): boolean => AMONG.test(message)

/** Whether the message is a request of its own, whatever was asked before. */
export function isNewRequest(reading: Reading, message: string): boolean {
  const words = message.normalize('NFKC')
  const isOfSeries = reading.referents.length + reading.grievances.length > 0 || reading.plot !== ''
  if (reading.act !== 'recommend' || isOfSeries || reading.series.length > 0) return false
  return isAskedFor(words) && ownWish(reading, message).length > 0
}

const isAskedFor = (words: string): boolean => (COUNTS.test(words) || REQUESTS.test(words)) && !refines(words)

const refines = (words: string): boolean =>
  [AMONG, REFINES, AS_WELL, STANDS_FOR, COMPARES].some((pattern) => pattern.test(words))

/**
 * Reads a request as a wish with a count of its own that ignores the shown list, even if the message was classified
 * otherwise.
 */
export function asNewRequest(reading: Reading, message: string): Reading {
  const words = message.normalize('NFKC')
  if (pointsAtList(words)) return withOwnWish(reading, message)
  const asked: Reading = isMistaken(reading, words) ? { ...reading, act: 'recommend', facts: [] } : reading
  if (!isNewRequest(asked, message)) return reading
  const count = asked.count ?? countIn(words)
  const isFinished = asked.limits.status === undefined && FINISHED.test(words) && !DENIED.test(words)
  return {
    ...asked,
    sureness: 1,
    want: ownWish(asked, message),
    measures: [],
    changes: asked.changes.filter((change) => change !== 'fewer' && change !== 'others'),
    limits: isFinished ? { ...asked.limits, status: 'completed' } : asked.limits,
    ...(count === undefined ? {} : { count }),
  }
}

/** "Three sad ones from that list": the wish that is searched for among them. */
function withOwnWish(reading: Reading, message: string): Reading {
  const { act, want, avoid, limits, measures } = reading
  const isStated = want.length + avoid.length + measures.length + Object.keys(limits).length > 0
  if (act !== 'recommend' || isStated) return reading
  return { ...reading, want: ownWish(reading, message) }
}

const isMistaken = ({ act, otherwise, facts }: Reading, words: string): boolean =>
  MISTAKEN.has(act) && otherwise === 'recommend' && facts.length === 0 && isAskedFor(words)

function countIn(words: string): number | undefined {
  const [, japanese, english] = COUNTS.exec(words) ?? []
  return numberIn(japanese ?? english ?? '')
}

/** The wish that was marked, or the genres and moods that the words name. */
const ownWish = ({ want, avoid }: Reading, message: string): readonly Aspect[] =>
  want.length + avoid.length > 0 ? want : aspectsIn(foldedPrefix(message, READ_UNITS_MAX).normalize('NFKC'))
