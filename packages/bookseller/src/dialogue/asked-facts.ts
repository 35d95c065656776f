// The facts that a message asks of a series: those that were judged, and those that its exact words name.
import type { AskedFact, Reading } from '../understanding/reading.ts'

/** What the words ask where no fact was recognised. Exact words only. */
const FACT_WORDS: readonly (readonly [RegExp, AskedFact])[] = [
  [
    /全巻.{0,8}(?:いくら|値段|円|おいくら)|合計|全部で(?:いくら|何円)|(?:whole|full|complete|entire) (?:set|series|run)s?\b.{0,20}|for the lot|in total|altogether|come to/iu,
    'total',
  ],
  [/いくら|値段|価格|何円|how much|price|\bcosts?\b/iu, 'price'],
  [
    /完結|終わって|終わった|連載中|finished|complete(?! (?:set|series|run))|ongoing|still running|over yet|\bended\b/iu,
    'status',
  ],
  [/何巻|何冊|巻数|how many (?:volumes|books)|how long is/iu, 'volumes'],
  [
    /在庫|売り切れ|品切れ|(?:今|いま|すぐ)買え|in sto?c?k|available|sold out|do you (?:actually )?have (?:it|that|them)/iu,
    'stock',
  ],
  [/発売日|新刊|次の巻|いつ出|release|next volume|come out/iu, 'release'],
  [/作者|誰が(?:描|書)|著者|作画|原作|author|who (?:wrote|drew|made)|artist|mangaka/iu, 'author'],
  [/アニメ|映画|ドラマ化|anime|movie|adaptation/iu, 'anime'],
  [/雑誌|掲載|magazine|serialised|serialized/iu, 'magazine'],
  [/出版社|publisher/iu, 'publisher'],
  [/何年|いつ(?:の|から)|what year|when did|how old is (?:it|this)/iu, 'year'],
  [/何歳|小学生|子ども|子供|対象年齢|\bage\b|year[- ]old|kids?\b|child/iu, 'age'],
  [/怖|グロ|暴力|エロ|血|死ぬ|泣け|scary|gory|gore|violen|sexual|frighten|sad\b/iu, 'content'],
  [/読む順|どこから読|順番|スピンオフ|続編|reading order|where (?:do|should) i start|spin-?off|sequel/iu, 'order'],
  [
    /英語版|日本語版|(?:is|are|have|get|come|comes|available|read) .{0,20}in (?:english|japanese)|電子|紙の|paperback|digital/iu,
    'edition',
  ],
  [/あらすじ|どんな話|内容|ストーリー|synopsis|what.s it about|story|plot/iu, 'synopsis'],
  [/どんな人|誰向け|who (?:would|will|is it)|for whom/iu, 'audience'],
]

export function askedFacts({ facts }: Reading, words: string): readonly AskedFact[] {
  // The price of a volume is stated with that of all of them.
  const judged = facts.filter((fact) => fact !== 'other')
  const worded = factsIn(words)
  // Where the model names a fact, only exact figures are added to it.
  const all = judged.length > 0 ? [...new Set([...judged, ...worded.filter((fact) => EXACT.has(fact))])] : worded
  const asked =
    all.includes('price') && !TOTAL_ONLY.test(words)
      ? all.filter((fact) => fact !== 'total')
      : all.filter((fact) => fact !== 'price' || !all.includes('total'))
  return asked.length === 0 ? facts : asked
}

const EXACT: ReadonlySet<AskedFact> = new Set(['total', 'price', 'status', 'volumes', 'stock', 'author'])
const TOTAL_ONLY =
  /全巻|全部|ぜんぶ|合計|そろえ|揃え|一式|whole|full|complete|entire|\bthe (?:lot|set)\b|in total|altogether|\ball of it\b|\beverything\b/iu

export const factsIn = (words: string): readonly AskedFact[] =>
  FACT_WORDS.flatMap(([pattern, fact]) => (pattern.test(words) ? [fact] : [])).slice(0, 3)
