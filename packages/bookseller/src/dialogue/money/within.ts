// An amount that a question compares the price of series with: "would 5000 cover it?", 「両方で6000円で足りますか」. It is no budget for
// suggestions, and the answer is yes or no. Exact: an amount of money beside words of sufficiency.
import { yenIn } from '../../understanding/numbers.ts'
import { isQuestion } from '../asking/fit-question.ts'

export interface Within {
  readonly yen: number
  /** Whether it costs more is asked. */
  readonly isOver?: true
}

const AMOUNT =
  /([¥￥]\s*)?(\d[\d,]*(?:\.\d+)?(?:\s*[万千](?:\d+[千百]?)?)?|[一二三四五六七八九十]+[万千百][一二三四五六七八九十千百]*)\s*(円|えん|yen\b|jpy\b|k\b|grand\b)?(?!\s*(?:[巻冊年歳才人番つ月日]|セット|vol|book|year|cop|\d))/giu
/** A number without a currency may be anything below this. */
const BARE_MIN = 500

const ENOUGH =
  /足り|足る|足ん|収ま|おさま|納ま|買え|揃え|そろえ|そろい|揃い|いけ(?:る|ます)|い(?:か|き)(?:ない|ません)|行(?:か|き)(?:ない|ません)|以内|以下|未満|まで|切(?:る|り)|済(?:む|み)|超え|越え|オーバー|\bcovers?\b|\benough\b|\bunder\b|\bbelow\b|\bless than\b|\bwithin\b|\bover\b|\bmore than\b|\babove\b|\bexceeds?\b|\bafford\b|\bdo(?:able)?\b|\bget\b|\bbuy\b|\bfor\b/iu
const OVER =
  /超え(?!な|ま?せん|ない)|越え(?!な|ま?せん|ない)|オーバー(?:し|す|[?？で])|\bover\b|\bmore than\b|\babove\b|\bexceeds?\b/iu
const UNDER = /\b(?:not|n['’]t|without|under|below|within|less)\b/iu
/** Words of a wish for other series. */
const WISH =
  /どれ|どの|何(?:巻|冊)|\bhow many\b|何か|なにか|おすすめ|お勧め|候補|したい|欲しい|ほしい|以内の|以下の|までの|いいの|やつ(?:は|が|っ|あ|な)|もの(?:は|が|っ|あ|な)|\bwhich\b|\bsomething\b|\banything\b|\bany\b|\bothers?\b|\blike\b|\brecommend|\bsuggest/iu
export const BUDGET = /予算(?:内|に|で|以内)|\b(?:my|the|that) budget\b|\bin(?:side)? budget\b|\bwithin budget\b/iu

/** `budget` is what was stated before, which the words may mean. */
export function withinIn(words: string, budget: number | undefined): Within | undefined {
  const text = words.normalize('NFKC')
  if (WISH.test(text) || !ENOUGH.test(text) || !isQuestion(words)) return undefined
  const yen = moneyIn(text) ?? (BUDGET.test(text) ? budget : undefined)
  if (yen === undefined) return undefined
  return OVER.test(text) && !UNDER.test(text) ? { yen, isOver: true } : { yen }
}

export function moneyIn(text: string): number | undefined {
  for (const match of text.matchAll(AMOUNT)) {
    const [whole, sign, , unit] = match
    const yen = yenIn(whole)
    const isMoney = sign !== undefined || unit !== undefined || /[万千]/u.test(whole)
    if (yen !== undefined && yen > 0 && (isMoney || yen >= BARE_MIN)) return yen
  }
  return undefined
}
