// Suggestions in Japanese: the first series with its reason as a sentence, the others by their titles in one more.
import type { Occasion } from '../../dialogue/intent.ts'
import type { Conditions } from '../../dialogue/conditions.ts'
import type { LineOf, Noted, Part, Pick, Wording } from '../lines.ts'
import { japanese } from './words.ts'

const { conditionTexts, drawback, limitTexts, MEASURES, pick, reason, title, titles } = japanese

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
const OUTSIDE: readonly Frame[] = [
  ['先ほどの中には当てはまるものがありませんでした。ほかの棚からなら、', 'はいかがでしょう。'],
  ['今ご紹介した中にはありませんが、ほかには', 'があります。'],
]
const NEAREST: readonly Frame[] = [
  ['いちばん近いのは', 'です。'],
  ['代わりに', 'はいかがでしょう。'],
]
const SURPRISE: readonly Frame[] = [
  ['では、ちょっと意外なところで', 'を。'],
  ['あえて意外な一作を選ぶなら、', 'です。'],
]
const DECLINED: readonly Frame[] = [
  ['では方向を変えて、', 'はいかがでしょう。'],
  ['失礼しました。では、', 'はどうでしょう。'],
]
const UNSURE: readonly Frame[] = [
  ['ぴったりではないかもしれませんが、', 'はいかがでしょう。'],
  ['もしかすると、', 'がお好みに合うかもしれません。'],
]
const FOR_CHILD = (age: number): readonly Frame[] => [
  [`${age}歳の方なら、`, 'はいかがでしょう。'],
  [`${age}歳で楽しめるものなら、`, 'がおすすめです。'],
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
        : measure !== undefined
          ? [[`${named}に近くて${MEASURES[measure]}なら、`, 'があります。']]
          : [
              [`${named}がお好きなら、まず`, 'をどうぞ。'],
              [`${named}の次に読むなら、`, 'が近いと思います。'],
              [`${named}がお好きでしたら、`, 'も楽しめると思います。'],
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
    outside: () => OUTSIDE,
    nearest: () => NEAREST,
    surprise: () => SURPRISE,
    declined: () => DECLINED,
  }
  return byOccasion[occasion]()
}

/** The others are named together: their reasons stand on their cards. */
const RESTS: readonly Frame[] = [
  ['', 'もおすすめです。'],
  ['ほかに、', 'もあります。'],
  ['あわせて、', 'も見てみてください。'],
]

function restOf(others: readonly Pick[], [before, after]: Frame): string {
  const plain = others.filter((one) => drawback(one) === '').map(pick)
  const named = plain.length === 0 ? '' : `${before}${plain.join('と')}${after}`
  const flawed = others.filter((one) => drawback(one) !== '')
  return named + flawed.map((one) => `${pick(one)}もありますが、${drawback(one)}です。`).join('')
}

function drawbackOf(one: Pick): string {
  const but = drawback(one)
  return but === '' ? '' : `ただ、${but}です。`
}

/** `restFrom`: with which of the continuations the first frame goes. */
function body(picks: readonly Pick[], frames: readonly Frame[], restFrom = 0): readonly string[] {
  const [first, ...others] = picks
  if (first === undefined) return []
  return frames.map(([before, after], index) => {
    const rest = restOf(others, RESTS[(index + restFrom) % RESTS.length] ?? ['', 'もあります。'])
    return `${before}${pick(first)}${after}${reason(first.reason)}${reason(first.met)}${drawbackOf(first)}${rest}`
  })
}

/** What the message added, said back in a few words. */
export function notedInJapanese({ avoid, limits }: Noted): string {
  const limited = limitTexts(limits)
  if (avoid.length > 0) return `承知しました、${avoid.map((text) => `「${text}」`).join('')}は外しますね。`
  if (limited.length > 0) return `承知しました、${limited.join('・')}でお探しします。`
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
    const what = texts.length === 0 ? 'すべて' : `「${texts.join('・')}」`
    return [
      `申し訳ありません、${what}にぴったり合うものはございませんでした。`,
      `${what}のご希望までは合わせられず、申し訳ありません。`,
    ]
  },
  nothing: ({ conditions, hasShown }) => {
    const texts = named(['totalYen', 'volumes', 'status', 'year', 'publishedIn', 'want'], conditions)
    const what = texts.length === 0 ? 'その条件' : `「${texts.slice(0, 3).join('・')}」`
    return hasShown
      ? [
          `${what}に合う作品は、これで全部です。どの条件をゆるめましょうか？`,
          `申し訳ありません、${what}ではこれ以上見つかりませんでした。少し条件を変えてみませんか？`,
        ]
      : [
          `申し訳ございません、${what}に合う作品は当店にありませんでした。お好きな作品をひとつ教えていただけますか？`,
          `${what}に合うものは見つかりませんでした。ゆるめてもよい条件はありますか？`,
        ]
  },
  'no-match': () => [
    'それだけだと、まだ見つけられませんでした。登場人物の名前や、読んだ時期を覚えていらっしゃいますか？',
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
    `${people}さんの作品は、あいにく取り扱いがございません。近いものをお探ししますので、お好きなところを教えていただけますか？`,
  ],
  unstocked: ({ name, picks }) =>
    picks.length === 0
      ? [
          `申し訳ございません、「${name}」は当店では扱っておりません。近いものをお探ししますので、お好きなところを教えていただけますか？`,
          `「${name}」の取り扱いはございません。どんなところがお好きですか？`,
        ]
      : body(picks, [
          [`申し訳ございません、「${name}」は当店では扱っておりません。近いものなら`, 'があります。'],
          [`「${name}」は取り扱いがないのですが、`, 'が近いと思います。'],
        ]),
  explain: ({ pick: one, isAlone }) => {
    const { kind, text } = one.reason ?? {}
    if (kind === undefined || text === undefined)
      return [
        `${pick(one)}は、ご希望にいちばん近いと思って選びました。`,
        `ご希望に近いと思い、${pick(one)}を選びました。`,
      ]
    if (!isAlone && kind === 'pitch') return [`${pick(one)}は、${text}です。`]
    return kind === 'pitch'
      ? [`${pick(one)}を選んだのは、${text}だからです。`, `${pick(one)}は、${text}なので選びました。`]
      : [
          `${pick(one)}は、ご希望に合うと思って選びました。${reason(one.reason)}`,
          `ご希望に合うと思い、${pick(one)}をおすすめしました。${reason(one.reason)}`,
        ]
  },
}
