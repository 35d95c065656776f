// Facts of a series in Japanese. What is not known is said to be unknown.
import { priceOfVolume, stockOfVolume, totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import { defined } from '../../dialogue/conditions.ts'
import { sentencesOf } from '../../dialogue/said.ts'
import type { AskedFact, Measure } from '../../understanding/reading.ts'
import { mainContent } from '../content-order.ts'
import type { LineOf, Part, Pick, Wording } from '../lines.ts'
import { contentInJapanese, warningInJapanese } from './content.ts'
import { ledInJapanese, namedInJapanese } from './naming.ts'
import type { JapaneseNaming } from './naming.ts'
import { verdictInJapanese } from './verdict.ts'
import { japanese } from './words.ts'

const { drawback, length, reason, STATUS, title, yen } = japanese

type Fact = (product: Product, named: JapaneseNaming) => readonly string[]

const FEW = 3
/** `what`: 「『…』の作者」「『…』が完結しているかどうか」. */
const unknown = (what: string): readonly string[] => [
  `申し訳ありません、${what}は確認できておりません。`,
  `${what}は、こちらではわかりかねます。`,
]

const stock: Fact = (product, named) => {
  if (product.stock === 0)
    return [`申し訳ございません、${named.wa}ただいま在庫切れです。`, `${named.wa}今、在庫を切らしております。`]
  return product.stock <= FEW
    ? [`${named.wa}在庫がありますが、残りわずかです。`, `${named.wa}在庫がございますが、残り${product.stock}点です。`]
    : [`${named.wa}在庫がございます。`, `${named.wa}今、在庫がありますよ。`]
}

const author: Fact = (product, named) => {
  const { writer, artist, author: both, original } = product
  const source = original === undefined ? '' : `${original.ja}をもとにした漫画です。`
  if (writer !== undefined && artist !== undefined && writer.ja !== artist.ja)
    return [
      `${named.no}原作は${writer.ja}さん、作画は${artist.ja}さんです。${source}`,
      `${named.wa}${writer.ja}さんの原作を${artist.ja}さんが描いています。${source}`,
    ]
  const name = both?.ja ?? writer?.ja ?? artist?.ja
  return name === undefined
    ? unknown(`${named.no}作者`)
    : [`${named.no}作者は${name}さんです。${source}`, `${named.wa}${name}さんの作品です。${source}`]
}

const content: Fact = (product, named) => {
  if (product.content === undefined) return unknown(`${named.no}細かな描写`)
  if (product.content.length === 0)
    return [`${named.niwa}特に気をつけたい描写はありません。`, `${named.wa}安心して読める内容です。`]
  const main = mainContent(product.content, CONTENT_MAX)
  const warning = warningInJapanese(product.content, CONTENT_MAX)
  return warning.endsWith('くらいです')
    ? [`${named.niwa}${warning}。`, `${named.wa}刺激の強い場面は少なめで、${warning}。`]
    : [`${named.niwa}${warning}。`, `${named.niwa}${contentInJapanese(main)}が出てきます。`]
}

const CONTENT_MAX = 3
const ADULT_FROM = 18

const age: Fact = (product, named) => {
  const { age: years, isWarned } = named
  if (product.age === undefined) return unknown(`${named.no}対象年齢`)
  const isAdult = years !== undefined && years >= ADULT_FROM
  const main = isWarned === true || isAdult ? [] : mainContent(product.content ?? [], 2)
  const warning = main.length === 0 ? '' : `${contentInJapanese(main)}があります。`
  const from = `${product.age}歳くらいから`
  if (years !== undefined && years < product.age)
    return [
      `${named.wa}${from}の作品なので、${years}歳には少し早いと思います。${warning}`,
      `${named.wa}${years}歳にはまだ早いかもしれません。${from}の作品です。${warning}`,
    ]
  if (product.age === 0)
    return [
      `${named.wa}小さなお子さまから楽しめます。${warning}`,
      `${named.wa}どの年齢でも読める、全年齢向けの作品です。${warning}`,
    ]
  if (years === undefined || isAdult)
    return [`${named.wa}${from}の作品です。${warning}`, `${named.wa}${from}楽しめます。${warning}`]
  return [
    `${named.wa}${from}の作品なので、${years}歳なら大丈夫です。${warning}`,
    `${named.wa}${years}歳なら楽しめると思います。${from}の作品です。${warning}`,
  ]
}

const KINDS = { tv: 'テレビアニメ', film: '映画', ova: 'OVA', 'live-action': '実写', stage: '舞台' } as const

const FACTS: Readonly<Record<Exclude<AskedFact, 'total'>, Fact>> = {
  status: (product, named) => {
    if (product.status === undefined) return unknown(`${named.ga}完結しているかどうか`)
    const ways = {
      completed: [
        `${named.wa}${length(product)}で完結しています。`,
        `${named.wa}完結していて、${length(product)}です。`,
      ],
      running: [
        `${named.wa}まだ連載中で、今のところ${product.volumes}巻まで出ています。`,
        `${named.wa}連載が続いていて、${length(product)}です。`,
      ],
      hiatus: [
        `${named.wa}休載中で、${product.volumes}巻まで出ています。`,
        `${named.wa}今は休載中です。出ているのは${product.volumes}巻までです。`,
      ],
    }
    return ways[product.status]
  },
  volumes: (product, named) =>
    product.status === 'completed'
      ? [`${named.wa}全${product.volumes}巻で完結しています。`, `${named.wa}全${product.volumes}巻です。`]
      : [
          `${named.wa}${product.volumes}巻まで出ています。`,
          `${named.wa}${length(product)}${product.status === undefined ? 'です' : `で、${STATUS[product.status]}です`}。`,
        ],
  price: (product, named) => {
    const { pricePerVolumeYen, volumes } = product
    if (volumes === 1) return [`${named.wa}${length(product)}で${yen(totalYen(product))}です。`]
    return [
      `${named.wa}1巻${yen(pricePerVolumeYen)}、${length(product)}そろえて${yen(totalYen(product))}です。`,
      `${named.wa}1巻${yen(pricePerVolumeYen)}で、${length(product)}をまとめると${yen(totalYen(product))}になります。`,
    ]
  },
  stock,
  release: (product, named) => {
    const latest = product.releases?.at(-1)
    if (latest !== undefined) {
      const [year, month, day] = latest.date.split('-').map(Number)
      return [
        `${named.no}${latest.volume}巻は、${year}年${month}月${day}日の発売です。`,
        `${named.no}${latest.volume}巻の発売日は${year}年${month}月${day}日です。`,
      ]
    }
    return product.status === 'completed'
      ? [
          `${named.wa}${length(product)}で完結しているので、新刊の予定はありません。`,
          `${named.wa}${length(product)}で完結していて、続きは出ません。`,
        ]
      : [
          `${named.wa}${product.volumes}巻まで扱っています。次の巻の発売日は、まだわかりません。`,
          `次の巻の発売日はまだわかりません。${named.wa}今、${product.volumes}巻までございます。`,
        ]
  },
  author,
  magazine: (product, named) => {
    if (product.magazine === undefined) return unknown(`${named.no}掲載誌`)
    const ends = product.status === 'completed' ? 'に連載されていました' : 'の連載作品です'
    return [`${named.wa}「${product.magazine.ja}」${ends}。`, `${named.no}掲載誌は「${product.magazine.ja}」です。`]
  },
  publisher: (product, named) =>
    product.publisher === undefined
      ? unknown(`${named.no}出版社`)
      : [`${named.no}出版社は${product.publisher.ja}です。`, `${named.wa}${product.publisher.ja}から出ています。`],
  year: (product, named) => {
    const { firstYear, lastYear } = product
    if (firstYear === undefined) return unknown(`${named.ga}いつ始まった作品か`)
    if (firstYear === lastYear) return [`${named.wa}${firstYear}年の作品です。`]
    const ended = lastYear === undefined ? '' : `、${lastYear}年に完結しました`
    return ended === ''
      ? [`${named.wa}${firstYear}年に始まった作品です。`, `${named.no}連載開始は${firstYear}年です。`]
      : [`${named.wa}${firstYear}年に始まり${ended}。`, `${named.no}連載は${firstYear}年から${lastYear}年までです。`]
  },
  age,
  content,
  anime: (product, named) => {
    const made = (product.adaptations ?? []).slice(0, 3).map(({ kind, year }) => `${year}年に${KINDS[kind]}化`)
    return made.length === 0
      ? unknown(`${named.ga}映像化されているかどうか`)
      : [`${named.wa}${made.join('、')}されています。`, `${named.wa}${made.join('、')}された作品です。`]
  },
  order: (product, named) => {
    const related = (product.related ?? []).slice(0, 2).map((other) => `「${other.title.ja}」`)
    const more = related.length === 0 ? '' : `関連作に${related.join('と')}があります。`
    return product.readingOrder === undefined
      ? [`${named.wa}1巻から順に読んで大丈夫です。${more}`, `${named.wa}1巻からどうぞ。${more}`]
      : [`${product.readingOrder.ja}${more}`, product.readingOrder.ja]
  },
  edition: (product, named) => [
    `${named.no}版や言語は、こちらではわかりかねます。[サポート窓口](/support)でお確かめいただけます。`,
    `申し訳ありません、${named.no}版や言語は確認できておりません。[サポート窓口](/support)へお尋ねください。`,
  ],
  synopsis: (product, named) => {
    if (product.synopsis === undefined) return unknown(`${named.no}あらすじ`)
    const { pitch, synopsis } = product
    // What it is remains where an earlier answer has the story.
    return pitch === undefined
      ? [`${named.wa}こんなお話です。${synopsis.ja}`, `${named.no}あらすじをご紹介しますね。${synopsis.ja}`]
      : [
          `${named.wa === '' ? '' : `${named.wa}、`}${pitch.ja}です。${synopsis.ja}`,
          `${named.wa}ひとことで言うと、${pitch.ja}です。${synopsis.ja}`,
        ]
  },
  audience: (product, named) => {
    if (product.lovedBy === undefined) return unknown(`${named.ga}どんな方向けか`)
    const [readers = ''] = sentencesOf(product.lovedBy.ja)
    const text = readers.replace(/。$/u, '')
    return text.endsWith('に')
      ? [`${named.wa}${text}おすすめです。`, `${named.wa}${text}読んでいただきたい作品です。`]
      : [`${named.wa}${text}。`, `${text}。`]
  },
  ending: (product, named) => [
    `結末は読んでのお楽しみです。${named.wa}${length(product)}${product.status === 'completed' ? 'で完結しています' : 'で、まだ続いています'}。`,
    `ネタバレは控えておきますね。${named.wa}${length(product)}です。`,
  ],
  popularity: (product, named) => {
    const made = (product.adaptations ?? [])
      .slice(0, 1)
      .map(({ kind, year }) => `${year}年に${KINDS[kind]}化もされた作品です。`)
    return [
      `売れ行きの順位はわかりませんが、${named.wa}${made[0] ?? `${product.volumes}巻まで出ている作品です。`}`,
      `申し訳ありません、${named.no}人気の順位は確認できておりません。${made[0] ?? ''}`,
    ]
  },
  other: (product, named) => [
    `申し訳ありません、${named.no}その点は確認できておりません。[サポート窓口](/support)でお調べできます。`,
    `${named.no}その点は、こちらではわかりかねます。[サポート窓口](/support)へお尋ねください。`,
  ],
}

/** 「…のは」, 「…です」 and what is the same. */
const SORTED: Readonly<Record<Measure, readonly [one: string, is: string, same: string]>> = {
  cheaper: ['安い', '安いです', 'お値段'],
  shorter: ['短い', '短いです', '長さ'],
  longer: ['長い', '長いです', '長さ'],
  newer: ['新しい', '新しいです', '始まった時期'],
  older: ['古い', '古いです', '始まった時期'],
  easier: ['読みやすい', '読みやすいと思います', '読みやすさ'],
  darker: ['ダークな', 'ダークだと思います', '重さ'],
  better: ['おすすめな', 'おすすめです', 'おすすめの度合い'],
}

function measuredValue(measure: Measure, product: Product): string {
  switch (measure) {
    case 'cheaper':
      return `1巻${yen(product.pricePerVolumeYen)}、${length(product)}で${yen(totalYen(product))}`
    case 'newer':
    case 'older':
      return product.firstYear === undefined ? '' : `${product.firstYear}年開始`
    case 'easier':
      return product.age === undefined || product.age === 0
        ? length(product)
        : `${product.age}歳から・${length(product)}`
    case 'darker':
    case 'better':
    case 'shorter':
    case 'longer':
      return length(product)
  }
}

function measured({ measure, best, others, isTie, isStart }: LineOf<'measured'>): readonly string[] {
  const price = (product: Product) => `1巻${yen(priceOfVolume(product, 1) ?? product.pricePerVolumeYen)}`
  const figure = (product: Product) => (isStart === true ? price(product) : measuredValue(measure, product))
  const value = (product: Product) => `${title(product)}（${figure(product)}）`
  const [one, is, same] = SORTED[measure]
  const [other, ...more] = others
  if (isTie) {
    const all = [best, ...others].map(value).join('と')
    return [`${all}は、${same}ではほとんど変わりません。`, `${all}は、${same}はほぼ同じです。`]
  }
  if (other !== undefined && more.length === 0)
    return [
      `${value(best)}のほうが${is}。${title(other)}は${figure(other)}です。`,
      `${one}のは${value(best)}です。${title(other)}は${figure(other)}です。`,
    ]
  const rest = others.map(value).join('、')
  return [
    `いちばん${one}のは${value(best)}です。続いて${rest}の順です。`,
    `${value(best)}がいちばん${is}。ほかは${rest}です。`,
  ]
}

/** What it is, of a series that is compared. */
function isWhat(one: Pick, name: string): string {
  const { product, reason: why } = one
  const but = drawback(one)
  const what = product.pitch === undefined ? `${name}：${reason(why)}` : `${name}は、${product.pitch.ja}です。`
  return `${what}${but === '' ? '' : `${but}です。`}`
}

/** 「全12巻で完結、1巻528円です。」 */
function lengthAndPrice(product: Product): string {
  const state = product.status === undefined ? '' : `で${STATUS[product.status]}`
  return `${length(product)}${state}、1巻${yen(product.pricePerVolumeYen)}です。`
}

export const JA_FACTS: Part<Wording, 'introduce' | 'fact' | 'volume' | 'measured' | 'contrast' | 'verdict'> = {
  introduce: ({ product, isGuessed }) => {
    const rest = `${product.synopsis?.ja ?? ''}${lengthAndPrice(product)}`
    const gone = product.stock === 0 ? 'ただいま在庫切れです。' : ''
    if (isGuessed) return [`${title(product)}のことでしょうか。${rest}${gone}`]
    return product.stock === 0
      ? [
          `${title(product)}は扱っておりますが、ただいま在庫切れです。${rest}`,
          `申し訳ありません、${title(product)}は今、在庫を切らしております。${rest}`,
        ]
      : [`はい、${title(product)}ございます。${rest}`, `はい、${title(product)}の取り扱いがございます。${rest}`]
  },
  fact: ({ fact, product, among, age: years, isAgain, isSo, isWarned }) => {
    if (fact === 'total') return []
    // Several stories are introduced by what they are.
    if (fact === 'synopsis' && among > 1 && product.synopsis !== undefined)
      return [
        `${title(product)}は、${product.pitch === undefined ? (sentencesOf(product.synopsis.ja)[0] ?? '') : `${product.pitch.ja}です。`}`,
      ]
    const named = { ...namedInJapanese(product, isAgain), ...defined({ age: years, isWarned }) }
    return ledInJapanese(FACTS[fact](product, named), isSo)
  },
  volume: ({ product, volume }) => {
    const price = priceOfVolume(product, volume)
    if (price === undefined)
      return [
        `${title(product)}の${volume}巻は扱っておりません。当店にあるのは${product.volumes}巻までです。`,
        `${title(product)}は${product.volumes}巻までの取り扱いで、${volume}巻はございません。`,
      ]
    const own = product.volumeOffers?.find((offer) => offer.volume === volume)?.stock
    const left = stockOfVolume(product, volume)
    const has = left > 0 ? '在庫がございます' : '在庫切れです'
    const note = own === undefined && left > 0 ? '在庫はシリーズ全体で確認しています。' : ''
    return [
      `${title(product)}の${volume}巻は${yen(price)}で、${has}。${note}`,
      `${title(product)}の${volume}巻は、${has}。お値段は${yen(price)}です。${note}`,
    ]
  },
  measured,
  contrast: ({ picks }) => [
    picks.map((one) => isWhat(one, `${title(one.product)}（${length(one.product)}）`)).join('一方、'),
    picks.map((one) => isWhat(one, title(one.product))).join(''),
  ],
  verdict: verdictInJapanese,
}
