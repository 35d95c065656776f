// What a question that yes or no answers takes to be so: "is it finished?" supposes that it is. Exact words of the fact, in a clause
// without a question word.
import type { AskedFact } from '../../understanding/reading.ts'

export const SUPPOSED = [
  'finished',
  'running',
  'in-stock',
  'sold-out',
  'animated',
  'filmed',
  'live-action',
  'suitable',
  'same-maker',
] as const
export type Supposed = (typeof SUPPOSED)[number]

/** The fact that answers it. */
export const FACT_OF: Readonly<Record<Supposed, AskedFact>> = {
  finished: 'status',
  running: 'status',
  'in-stock': 'stock',
  'sold-out': 'stock',
  animated: 'anime',
  filmed: 'anime',
  'live-action': 'anime',
  suitable: 'age',
  'same-maker': 'author',
}

const WORDS: readonly (readonly [RegExp, Supposed])[] = [
  [
    /完結|終わっ|終わり?ま|\bfinished\b|\bcompleted?\b(?! (?:set|series|run))|\bended\b|\bover\b|\bdone\b|\bwrapped\b/iu,
    'finished',
  ],
  [
    /連載中|連載して|続いて|続きます|\bongoing\b|\brunning\b|\bstill (?:going|coming|being)\b|\bcontinuing\b/iu,
    'running',
  ],
  [/売り切れ|品切れ|在庫切れ|\bsold out\b|\bout of stock\b/iu, 'sold-out'],
  [
    /在庫|(?:今|いま|すぐ).{0,4}買え|手に入|残って|\bin sto?ck\b|\bavailable\b|\bhave (?:it|that|them|this)\b|\bgot (?:it|that|them)\b/iu,
    'in-stock',
  ],
  [/アニメ|\banimes?\b|\banimated\b/iu, 'animated'],
  [/実写|ドラマ|\blive.action\b/iu, 'live-action'],
  [/映画|\bmovies?\b|\bfilms?\b/iu, 'filmed'],
  [
    /読め|読ませ|楽しめ|大丈夫|平気|向い|向き|早い|早すぎ|\bok(?:ay)?\b|\ball right\b|\balright\b|\bfine\b|\bsuitable\b|\bappropriate\b|\bfit for\b|\bsafe\b|\bsuit\b|\bread\b/iu,
    'suitable',
  ],
]
const ASKS_WHICH =
  /何(?!か)|なに(?!か)|なん(?:かん|さ|ぼ|て|の)|いつ|どれ(?!も)|どの|どち(?!らも)|どっち(?!も)|誰|だれ|どこ|いくら|いかほど|なぜ|どう|どん|\b(?:what|which|who|how|when|where|why)\b|\bor\b/iu
const DENIED = /な(?:い|かっ|く)(?!と)|ませ?ん|まへん|\bnot\b/iu
const CLAUSE = /[.,;!?。、！？…]|\band\b|\bbut\b|(?<=[てで])、/iu

export function supposedIn(words: string): readonly Supposed[] {
  if (words.includes('それとも')) return []
  const found = words
    .normalize('NFKC')
    .split(CLAUSE)
    .filter((clause) => !ASKS_WHICH.test(clause))
    .flatMap((clause): readonly Supposed[] => {
      const named = WORDS.find(([pattern]) => pattern.test(clause))?.[1]
      if (named === undefined) return []
      if (!DENIED.test(clause)) return [named]
      // 「売り切れてないですよね」 supposes that it is there.
      return named === 'sold-out' ? ['in-stock'] : []
    })
  const all = [...new Set(found)]
  // "Finished or still going?" supposes neither.
  return all.filter((one) => !all.some((other) => other !== one && FACT_OF[other] === FACT_OF[one]))
}
