// The facts that a message asks of a series: those that were judged, and those that its exact words name.
import type { AskedFact, Reading } from '../understanding/reading.ts'

/** Exact words for each fact, used where the reading recognised none. */
const FACT_WORDS: readonly (readonly [RegExp, AskedFact])[] = [
  [
    /(?:price|cost) (?:of|for) (?:each|the|a) (?:full |whole |complete )?set|全巻.{0,8}(?:いくら|いかほど|値段|円|なんぼ)|合計|(?:全部|ぜんぶ)\s*(?:で|そろえると|揃えると|買うと)?\s*(?:お?いくら|いかほど|何円|なんぼ)|(?:買うと|買ったら|(?:揃え|そろえ)(?:ると|たら))[?？]?\s*$|(?:whole|full|complete|entire) (?:set|series|run|thing)s?\b.{0,20}|for the lot|in total|altogether|\btotal\b|\bsum\b|come to|price all|the damage/iu,
    'total',
  ],
  [/いくら|いかほど|なんぼ|値段|価格|何円|how much|price|\bcosts?\b/iu, 'price'],
  [
    /完結|(?<!読み|見)終わって|(?<!読み|見)終わった|連載中|連載して(?:る|い|ます)|続いて(?:る|い|ます)|finished|(?<!\b(?:buy|get|own|cost|price) )complete(?! (?:set|series|run))|ongoing|still (?:running|going)|over yet|\bended\b|\bis (?:it|that|this) (?:done|over)\b|\bdone yet\b|does (?:it|that) end\b|done or\b/iu,
    'status',
  ],
  [
    /(?<!\d|全)何\s*(?:巻|冊)|なん(?:かん|さつ)|巻数|how man+y (?:vol[a-z]{0,6}|books?|of them)|how long (?:is|are)\b(?! (?:the )?(?:shipping|delivery|wait))/iu,
    'volumes',
  ],
  [
    /在庫|売り切れ|品切れ|(?:今|いま|すぐ)\s*買え|残って(?:い|ま|る)|手に入|in sto?c?k|available|sold out|do you (?:actually )?have (?:it|that|them)|(?:have you )?got (?:it|that|them) (?:in|right|now)|get (?:it|that|them) (?:today|now|this)/iu,
    'stock',
  ],
  [/発売日|新刊|次の巻|いつ出|release|next volume|come out/iu, 'release'],
  [
    /作者|誰が(?:描|書)|著者|作画|原作|author|who (?:wrote|drew|made|created|did)|who(?:'s|s| is| was) (?:it |that |this |the one )?by\b|artist|mangaka|by the same (?:person|guy|man|woman|dude)|same (?:person|guy|man|woman|dude|author|artist|creator) as\b/iu,
    'author',
  ],
  [/アニメ|映画|実写|ドラマ化|anime|movie|live.action|adaptation/iu, 'anime'],
  [/雑誌|掲載|magazine|serialised|serialized/iu, 'magazine'],
  [/出版社|publisher/iu, 'publisher'],
  [
    /何年|いつ(?:ごろ|頃|ぐらい)?(?:の|から|始ま)|始まった(?:の|年)|開始(?:年|時期)|連載開始|(?:what|which) year|year (?:it|that|did it|was it)|when (?:did|was)|how old is (?:it|this)|from when/iu,
    'year',
  ],
  [/何歳|小学生|子ども|子供|対象年齢|\bage\b|year[- ]old|kids?\b|child/iu, 'age'],
  [
    /怖|グロ|暴力|エロ|血(?!液型)|むごい|残酷|死ぬ|泣け|気をつけ|注意(?:点|する|したほう)|覚悟|しんどい|きつい|トラウマ|心配な|scary|gory|gore|violen|sexual|naughty|nasty|upset|disturb|brace (?:for|myself)|worry about|warn|trigger|frighten|sad\b/iu,
    'content',
  ],
  [/読む順|どこから読|順番|スピンオフ|続編|reading order|where (?:do|should) i start|spin-?off|sequel/iu, 'order'],
  [
    /英語版|日本語版|(?:is|are|have|get|come|comes|available|read) .{0,20}in (?:english|japanese)|電子|紙の|paperback|digital/iu,
    'edition',
  ],
  [
    /あらすじ|どん(?:な|なふうな)\s*お?(?:話|はなし|物語)|どんなふうに始ま|どのような\s*お?(?:話|物語|作品)|どう(?:い|ゆ)う\s*お?(?:話|はなし|物語|作品|漫画|内容)|内容|ストーリー|synopsis|\bwhat(?:'s|s| is| are) [^?.,!]{2,40} (?:about|abt)\b|what(?:'s|s| is| are| was)? (?:it|that|this|they|the \w+(?: one)?) (?:about|abt)|what (?:actually )?happens|does anything (?:actually )?happen|tell me .{0,20}about|story|plot/iu,
    'synopsis',
  ],
  [/どんな人|誰向け|who (?:would|will|is it for)|for whom/iu, 'audience'],
]

export function askedFacts({ facts }: Reading, words: string): readonly AskedFact[] {
  // The price of a volume is stated with that of all of them.
  const judged = facts.filter((fact) => fact !== 'other')
  const worded = factsIn(words)
  // Where the model names a fact, only exact figures are added to it.
  const exact = worded.filter((fact) => EXACT.has(fact) || STRICT[fact]?.test(words) === true)
  const all = judged.length > 0 ? [...new Set([...judged, ...exact])] : worded
  const asked =
    all.includes('price') && (!TOTAL_ONLY.test(words) || PER_VOLUME.test(words))
      ? all.filter((fact) => fact !== 'total')
      : all.filter((fact) => fact !== 'price' || !all.includes('total'))
  return asked.length === 0 ? facts : asked
}

const EXACT: ReadonlySet<AskedFact> = new Set([
  'total',
  'price',
  'status',
  'volumes',
  'stock',
  'author',
  'year',
  'magazine',
  'publisher',
])
/** Stricter words for facts whose usual words mean something else when another fact is asked too. */
const STRICT: Readonly<Partial<Record<AskedFact, RegExp>>> = {
  synopsis:
    /あらすじ|どん(?:な|なふうな)\s*お?(?:話|はなし|物語)|どう(?:い|ゆ)う\s*お?(?:話|はなし|物語)|synopsis|\bwhat(?:'s|s| is| are) [^?.,!]{2,40} (?:about|abt)\b|what(?:'s|s| is) the (?:story|plot)/iu,
  age: /何歳|対象年齢|(?:what|which) age|age (?:is it|range|rating|group)|(?:im|i'm|i am|he is|she is|he's|she's) \d+,? (?:is (?:that|it) )?(?:ok|okay|fine|allowed|too young)/iu,
  anime: /アニメ(?:化|に|は)|(?:get|got|have|has|is there|become|became) an? (?:anime|movie|live.action)/iu,
}
const PER_VOLUME =
  /(?:1|一)\s*[巻冊](?:あたり|だけ|だと|は|で)|\b(?:(?:one|a single|1) (?:book|volume|vol)|per (?:volume|book|vol)|each volume|a volume)\b/iu
const TOTAL_ONLY =
  /全巻|全部|ぜんぶ|合計|そろえ|揃え|一式|whole|full|complete|entire|\bthe (?:lot|set)\b|in total|altogether|\ball of it\b|\beverything\b/iu

const FACTS_MAX = 4

export const factsIn = (words: string): readonly AskedFact[] =>
  FACT_WORDS.flatMap(([pattern, fact]) => (pattern.test(words) ? [fact] : [])).slice(0, FACTS_MAX)

/** In the order in which the words ask for them; those without words of their own come first. */
export function inOrder(facts: readonly AskedFact[], words: string): readonly AskedFact[] {
  const at = (fact: AskedFact): number =>
    Math.max(-1, ...FACT_WORDS.flatMap(([pattern, named]) => (named === fact ? [words.search(pattern)] : [])))
  return facts.toSorted((a, b) => at(a) - at(b))
}
