// Suggestions in Japanese: the first series with its reason as a sentence, the others in one more.
import type { Occasion } from '../../dialogue/intent.ts'
import type { Conditions } from '../../dialogue/conditions.ts'
import type { LineOf, Noted, Part, Pick, Wording } from '../lines.ts'
import { japanese } from './words.ts'

const { conditionTexts, limitTexts, MEASURES, pick, reason, shortPick, title, titles } = japanese

type Picks = LineOf<'picks'>

/** Every opening ends where the first title begins, and continues with what follows it. */
type Frame = readonly [before: string, after: string]

const WISHED: readonly Frame[] = [
  ['', 'はいかがでしょう。'],
  ['まずおすすめしたいのは', 'です。'],
  ['それなら', 'が合うと思います。'],
  ['おすすめは', 'です。'],
]
const OTHERS: readonly Frame[] = [
  ['ほかには', 'があります。'],
  ['では少し目先を変えて、', 'はどうでしょう。'],
  ['まだご紹介していないものだと、', 'もいいですよ。'],
]
const AMONG: readonly Frame[] = [
  ['この中でしたら', 'です。'],
  ['先ほどのうち、当てはまるのは', 'です。'],
]
const NEAREST: readonly Frame[] = [
  ['いちばん近いのは', 'です。'],
  ['代わりに', 'はいかがでしょう。'],
]
const SURPRISE: readonly Frame[] = [
  ['では、ちょっと意外なところで', 'を。'],
  ['店員の気まぐれで選ぶなら、', 'です。'],
]
const DECLINED: readonly Frame[] = [
  ['では方向を変えて、', 'はいかがでしょう。'],
  ['お好みと違いましたね。', 'ならどうでしょう。'],
]
const UNSURE: readonly Frame[] = [
  ['ぴったりかどうか自信はないのですが、', 'が近いかもしれません。'],
  ['もしかすると、', 'がお好みに合うかもしれません。'],
]
const FOR_CHILD = (age: number): readonly Frame[] => [
  [`${age}歳の方なら、`, 'はいかがでしょう。'],
  [`${age}歳で楽しめるものだと、`, 'がおすすめです。'],
]

function framesFor(line: Picks): readonly Frame[] {
  const { occasion, liked, measure, conditions, isUnsure } = line
  if (isUnsure) return UNSURE
  const named = titles(liked.slice(0, 2), 'や')
  const { age } = conditions.limits
  const byOccasion: Readonly<Record<Occasion, () => readonly Frame[]>> = {
    like: () =>
      named === ''
        ? WISHED
        : [
            [`${named}がお好きなら、まず`, 'をどうぞ。'],
            [`${named}の次に読むなら、`, 'が近いと思います。'],
            [`${named}に通じるのは`, 'です。'],
          ],
    wish: () => (age === undefined || age >= 18 ? WISHED : [...FOR_CHILD(age), ...WISHED]),
    noted: () => WISHED,
    others: () => OTHERS,
    compared: () =>
      measure === undefined
        ? OTHERS
        : [
            [`${MEASURES[measure]}なら、`, 'があります。'],
            [`${MEASURES[measure]}でしたら、`, 'はいかがでしょう。'],
          ],
    among: () => AMONG,
    nearest: () => NEAREST,
    surprise: () => SURPRISE,
    declined: () => DECLINED,
  }
  return byOccasion[occasion]()
}

const RESTS: readonly ((names: string) => string)[] = [
  (names) => `ほかに${names}もあります。`,
  (names) => `${names}もおすすめです。`,
  (names) => `あわせて${names}も見てみてください。`,
]

/** `restFrom`: with which of the continuations the first frame goes. */
function body(picks: readonly Pick[], frames: readonly Frame[], restFrom = 0): readonly string[] {
  const [first, ...others] = picks
  if (first === undefined) return []
  const names = others.map(shortPick).join('、')
  return frames.flatMap(([before, after], index) => {
    const rest = others.length === 0 ? '' : (RESTS[(index + restFrom) % RESTS.length]?.(names) ?? '')
    return [`${before}${pick(first)}${after}${reason(first.reason)}${reason(first.met)}${rest}`]
  })
}

/** What the message added, said back in a few words. */
export function notedInJapanese({ avoid, limits }: Noted): string {
  const limited = limitTexts(limits)
  if (avoid.length > 0) return `承知しました、${avoid.map((text) => `「${text}」`).join('')}は外しますね。`
  if (limited.length > 0) return `${limited.join('・')}ですね。`
  return limits.age === undefined ? '' : `${limits.age}歳の方ですね。`
}

const named = (names: LineOf<'relaxed'>['names'], conditions: Conditions) =>
  names.flatMap((name) => conditionTexts(name, conditions))

export const JA_PICKS: Part<
  Wording,
  | 'picks'
  | 'identified'
  | 'relaxed'
  | 'nothing'
  | 'no-match'
  | 'works'
  | 'no-works'
  | 'unknown-person'
  | 'unstocked'
  | 'explain'
> = {
  picks: (line) => {
    const lead = line.occasion === 'noted' ? notedInJapanese(line.noted) : ''
    return body(line.picks, framesFor(line), line.occasion === 'others' ? 1 : 0).map((text) => `${lead}${text}`)
  },
  identified: ({ picks, isUnsure }) =>
    isUnsure
      ? body(picks, [
          ['もしかすると', 'でしょうか。'],
          ['自信はありませんが、', 'が近いかもしれません。'],
        ])
      : body(picks, [
          ['それは', 'だと思います。'],
          ['お探しなのは', 'ではないでしょうか。'],
        ]),
  relaxed: ({ names, conditions }) => {
    const texts = named(names, conditions)
    const what = texts.length === 0 ? 'ご希望' : `「${texts.join('・')}」`
    return [
      `${what}にぴったり合うものは当店にありませんでした。`,
      `すみません、${what}まで満たすものは見つかりませんでした。`,
    ]
  },
  nothing: ({ conditions, hasShown }) => {
    const texts = named(['totalYen', 'volumes', 'status', 'year', 'publishedIn', 'want'], conditions)
    const what = texts.length === 0 ? 'その条件' : `「${texts.slice(0, 3).join('・')}」`
    return hasShown
      ? [
          `${what}に合う、まだお見せしていない作品はもうありませんでした。どの条件をゆるめましょうか？`,
          `申し訳ございません、${what}ではこれ以上見つかりませんでした。少し条件を変えてみませんか？`,
        ]
      : [
          `申し訳ございません、${what}に合う作品は当店にありませんでした。お好きな作品をひとつ教えていただけますか？`,
          `${what}に合うものは見つかりませんでした。ゆるめてもよい条件はありますか？`,
        ]
  },
  'no-match': () => [
    'そのお話だけでは、当店の棚から見つけられませんでした。登場人物の名前や、読んだ時期を覚えていますか？',
    'まだ思い当たる作品がありません。絵柄や主人公について、もうひとつ手がかりをいただけますか？',
  ],
  works: ({ people, picks, part, of }) => {
    const as = part === 'artist' ? '作画を手がけた' : part === 'writer' ? '原作を手がけた' : ''
    const source = of === undefined ? '' : `${title(of)}の${as === '' ? '作者、' : as}`
    return body(picks, [
      [`${source}${people}さんの作品では、`, 'を扱っています。'],
      [`${source}${people}さんなら、`, 'がございます。'],
    ])
  },
  'no-works': ({ people, elsewhere }) =>
    elsewhere.length === 0
      ? [
          `${people}さんのほかの作品は、当店では扱っておりません。`,
          `申し訳ございません、${people}さんの作品はこれだけの取り扱いです。`,
        ]
      : [
          `${people}さんには${elsewhere.map((name) => `「${name}」`).join('')}もありますが、当店では扱っておりません。`,
          `当店にある${people}さんの作品はこれだけです。ほかに${elsewhere.map((name) => `「${name}」`).join('')}を描かれています。`,
        ],
  'unknown-person': ({ people }) => [
    `申し訳ございません、${people}さんの作品は当店では扱っておりません。どんな作品がお好きか教えていただけますか？`,
    `${people}さんの作品は棚に見つかりませんでした。近い雰囲気のものをお探しするので、お好きな点を教えていただけますか？`,
  ],
  unstocked: ({ name, picks }) =>
    picks.length === 0
      ? [
          `申し訳ございません、「${name}」は当店では扱っておりません。どんなところがお好きですか？近いものをお探しします。`,
          `「${name}」は棚にありませんでした。似た作品を選びたいので、好きなところをひとつ教えていただけますか？`,
        ]
      : body(picks, [
          [`申し訳ございません、「${name}」は当店では扱っておりません。近いものなら`, 'があります。'],
          [`「${name}」は取り扱いがないのですが、`, 'が近いと思います。'],
        ]),
  explain: ({ pick: one, isAlone }) => [
    `${pick(one)}を選んだのは、こんな作品だからです。${reason(one.reason)}`,
    isAlone ? `${pick(one)}をおすすめした理由ですね。${reason(one.reason)}` : `${pick(one)}は、${reason(one.reason)}`,
  ],
}
