// Facts of a series in Japanese. What is not known is said to be unknown.
import { priceOfVolume, stockOfVolume, totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import { defined } from '../../dialogue/conditions.ts'
import { sentencesOf } from '../../dialogue/said.ts'
import type { AskedFact, Measure } from '../../understanding/reading.ts'
import type { LineOf, Wording } from '../lines.ts'
import type { Part } from '../lines.ts'
import { ledInJapanese, namedInJapanese } from './naming.ts'
import type { JapaneseNaming } from './naming.ts'
import { japanese } from './words.ts'

const { CONTENT, length, pick, reason, STATUS, title, titles, yen } = japanese

type Fact = (product: Product, named: JapaneseNaming) => readonly string[]

const FEW = 3
const unknown = (named: JapaneseNaming, what: string): readonly string[] => [
  `${named.no}${what}は、手元の情報ではわかりません。`,
  `${named.no}${what}については、あいにく情報がありません。`,
]

const stock: Fact = (product, named) => {
  if (product.stock === 0)
    return [`申し訳ございません、${named.wa}ただいま在庫切れです。`, `${named.wa}今、在庫を切らしています。`]
  return product.stock <= FEW
    ? [`${named.wa}在庫がありますが、残りわずかです。`, `${named.wa}在庫あり、ただし残り${product.stock}点です。`]
    : [`${named.wa}在庫がございます。`, `${named.wa}今、在庫があります。`]
}

const author: Fact = (product, named) => {
  const { writer, artist, author: both, original } = product
  const source = original === undefined ? '' : `もとになったのは${original.ja}です。`
  if (writer !== undefined && artist !== undefined && writer.ja !== artist.ja)
    return [
      `${named.no}原作は${writer.ja}さん、作画は${artist.ja}さんです。${source}`,
      `${named.wa}${writer.ja}さんの原作を${artist.ja}さんが描いています。${source}`,
    ]
  const name = both?.ja ?? writer?.ja ?? artist?.ja
  return name === undefined
    ? unknown(named, '作者')
    : [`${named.no}作者は${name}さんです。${source}`, `${named.wa}${name}さんの作品です。${source}`]
}

const content: Fact = (product, named) => {
  if (product.content === undefined) return unknown(named, '描写')
  if (product.content.length === 0)
    return [`${named.niwa}特にご注意いただく描写はありません。`, `${named.wa}安心して読める内容です。`]
  const texts = product.content.slice(0, 4).map((key) => CONTENT[key])
  return [`${named.niwa}${texts.join('、')}があります。`, `${named.no}気をつけたい点は、${texts.join('、')}です。`]
}

const age: Fact = (product, named) => {
  const { age: years, isWarned } = named
  if (product.age === undefined) return unknown(named, '対象年齢')
  const from = `${product.age}歳くらいから`
  const notes = isWarned === true ? [] : (product.content ?? []).slice(0, 3).map((key) => CONTENT[key])
  const warning = notes.length === 0 ? '' : `${notes.join('、')}があります。`
  if (years !== undefined && years < product.age)
    return [
      `${named.wa}${from}が目安なので、${years}歳には少し早いと思います。${warning}`,
      `${named.wa}${years}歳にはまだ早いかもしれません（目安は${from}）。${warning}`,
    ]
  if (product.age === 0)
    return [
      `${named.wa}全年齢向けで、小さなお子さまから楽しめます。${warning}`,
      `${named.wa}どの年齢でも読める、全年齢向けの作品です。${warning}`,
    ]
  if (years === undefined)
    return [`${named.wa}${from}楽しめます。${warning}`, `${named.no}目安は${from}です。${warning}`]
  return [
    `${named.wa}${from}が目安なので、${years}歳なら大丈夫です。${warning}`,
    `${named.wa}${years}歳なら楽しめます（目安は${from}）。${warning}`,
  ]
}

const KINDS = { tv: 'テレビアニメ', film: '映画', ova: 'OVA', 'live-action': '実写', stage: '舞台' } as const

const FACTS: Readonly<Record<Exclude<AskedFact, 'total'>, Fact>> = {
  status: (product, named) => {
    if (product.status === undefined) return unknown(named, '連載状況')
    const ways = {
      completed: [`${named.wa}${length(product)}で完結しています。`, `${named.wa}完結済みです（${length(product)}）。`],
      running: [
        `${named.wa}まだ連載中で、${length(product)}です。`,
        `${named.wa}連載が続いています（${length(product)}）。`,
      ],
      hiatus: [
        `${named.wa}休載中で、${length(product)}まで出ています。`,
        `${named.wa}今お休み中（休載中）です。出ているのは${product.volumes}巻までです。`,
      ],
    }
    return ways[product.status]
  },
  volumes: (product, named) => [
    `${named.wa}${length(product)}${product.status === undefined ? '' : `（${STATUS[product.status]}）`}です。`,
    `${named.wa}${product.volumes}巻${product.status === 'completed' ? 'で完結です' : 'まで出ています'}。`,
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
          `${named.wa}完結済みで、続きの巻は出ません（${length(product)}）。`,
        ]
      : [
          `${named.wa}${product.volumes}巻まで扱っています。次の巻の発売日は、まだこちらに情報がありません。`,
          `次の巻の発売日はまだわかりません。${named.wa}今、${product.volumes}巻までございます。`,
        ]
  },
  author,
  magazine: (product, named) => {
    if (product.magazine === undefined) return unknown(named, '掲載誌')
    const ends = product.status === 'completed' ? 'に連載されていました' : 'の連載作品です'
    return [`${named.wa}「${product.magazine.ja}」${ends}。`, `${named.no}掲載誌は「${product.magazine.ja}」です。`]
  },
  publisher: (product, named) =>
    product.publisher === undefined
      ? unknown(named, '出版社')
      : [`${named.no}出版社は${product.publisher.ja}です。`, `${named.wa}${product.publisher.ja}から出ています。`],
  year: (product, named) => {
    const { firstYear, lastYear } = product
    if (firstYear === undefined) return unknown(named, '連載時期')
    const ended = lastYear === undefined ? '' : `、${lastYear}年に完結しました`
    return ended === ''
      ? [`${named.wa}${firstYear}年に始まった作品です。`, `${named.no}連載開始は${firstYear}年です。`]
      : [`${named.wa}${firstYear}年に始まり${ended}。`, `${named.no}連載は${firstYear}年から${lastYear}年までです。`]
  },
  age,
  content,
  anime: (product, named) => {
    const made = (product.adaptations ?? []).slice(0, 3).map(({ kind, year }) => `${year}年に${KINDS[kind]}`)
    return made.length === 0
      ? unknown(named, '映像化')
      : [`${named.wa}${made.join('、')}になっています。`, `${named.wa}${made.join('、')}化されています。`]
  },
  order: (product, named) => {
    const related = (product.related ?? []).slice(0, 2).map((other) => `「${other.title.ja}」`)
    const more = related.length === 0 ? '' : `関連作に${related.join('')}があります。`
    return product.readingOrder === undefined
      ? [`${named.wa}1巻から順に読んで大丈夫です。${more}`, `${named.wa}1巻からどうぞ。${more}`]
      : [`${product.readingOrder.ja}${more}`, `${named.no}順番ですね。${product.readingOrder.ja}`]
  },
  edition: (product, named) => [
    `${named.no}版や言語については、作品ページに出ている以上の情報がありません。[サポート窓口](/support)でお確かめいただけます。`,
    `申し訳ございません、${named.no}版や言語の違いはこちらではわかりません。[サポート窓口](/support)へどうぞ。`,
  ],
  synopsis: (product, named) =>
    product.synopsis === undefined
      ? unknown(named, 'あらすじ')
      : [`${named.wa}こんなお話です。${product.synopsis.ja}`, `${named.no}あらすじです。${product.synopsis.ja}`],
  audience: (product, named) =>
    product.lovedBy === undefined
      ? unknown(named, '読者層')
      : [
          `${named.wa}${sentence(product.lovedBy.ja)}`,
          `${named.ga}合うのはこんな方です。${sentence(product.lovedBy.ja)}`,
        ],
  ending: (product, named) => [
    `結末は読んでのお楽しみです。${named.wa}${length(product)}${product.status === 'completed' ? 'で完結しています' : 'で、まだ続いています'}。`,
    `ネタバレは控えますね。${named.wa}${length(product)}です。`,
  ],
  popularity: (product, named) => {
    const made = (product.adaptations ?? [])
      .slice(0, 1)
      .map(({ kind, year }) => `${year}年に${KINDS[kind]}にもなった作品です。`)
    return [
      `売れ行きの順位は持っていませんが、${named.wa}${made[0] ?? `${product.volumes}巻まで出ている作品です。`}`,
      `${named.no}人気の順位はわかりません。${made[0] ?? ''}`,
    ]
  },
  other: (product, named) => [
    `${named.no}その点は、手元の情報ではわかりません。[サポート窓口](/support)でお調べできます。`,
    `あいにく、${named.no}そこまでの情報がありません。[サポート窓口](/support)にご相談ください。`,
  ],
}

const sentence = (text: string): string => `${text.trim().replace(/。$/u, '')}。`

const SORTED: Readonly<Record<Measure, string>> = {
  cheaper: '安い',
  shorter: '短い',
  longer: '長い',
  newer: '新しい',
  older: '古い',
  easier: '読みやすい',
  darker: 'ダークな',
  better: 'おすすめな',
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

function measured({ measure, best, others, isTie }: LineOf<'measured'>): readonly string[] {
  const value = (product: Product) => `${title(product)}（${measuredValue(measure, product)}）`
  const rest = others.map(value).join('、')
  if (isTie) return [`${value(best)}と${rest}は同じくらいです。`, `${value(best)}も${rest}も、そこは変わりません。`]
  const most = others.length > 1 ? 'いちばん' : ''
  return measure === 'darker' || measure === 'easier'
    ? [
        `${most}${SORTED[measure]}のは${value(best)}のほうです。もう一方は${rest}です。`,
        `${value(best)}のほうが${SORTED[measure].replace(/な$/u, '')}と思います。比べたのは${rest}です。`,
      ]
    : [
        `${most}${SORTED[measure]}のは${value(best)}です。${others.length > 1 ? 'ほかは' : 'もう一方は'}${rest}です。`,
        `${value(best)}のほうが${SORTED[measure]}です。比べたのは${rest}です。`,
      ]
}

export const JA_FACTS: Part<Wording, 'introduce' | 'fact' | 'volume' | 'measured' | 'contrast' | 'lean'> = {
  introduce: ({ product, isGuessed }) => {
    const lead = isGuessed ? `${title(product)}のことでしょうか。` : ''
    const about = product.synopsis?.ja ?? ''
    const money = `${length(product)}${product.status === undefined ? '' : `・${STATUS[product.status]}`}、1巻${yen(product.pricePerVolumeYen)}です。`
    const gone = product.stock === 0 ? 'ただいま在庫切れです。' : ''
    return isGuessed
      ? [`${lead}${about}${money}${gone}`]
      : [
          `${title(product)}はございます。${about}${money}${gone}`,
          `はい、${title(product)}ですね。${about}${money}${gone}`,
        ].map((text) => (product.stock === 0 ? text.replace('はございます。', 'は扱っている作品です。') : text))
  },
  fact: ({ fact, product, among, age: years, isAgain, isSo, isWarned }) => {
    if (fact === 'total') return []
    // Several stories are introduced by their first sentences.
    if (fact === 'synopsis' && among > 1 && product.synopsis !== undefined)
      return [`${title(product)}は、${sentencesOf(product.synopsis.ja)[0] ?? ''}`]
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
    const note = own === undefined && left > 0 ? '（在庫はシリーズ全体での確認です。）' : ''
    return [
      `${title(product)}の${volume}巻は${yen(price)}で、${has}。${note}`,
      `${title(product)}${volume}巻、${has}。価格は${yen(price)}です。${note}`,
    ]
  },
  measured,
  contrast: ({ picks }) => [
    picks.map((one) => `${title(one.product)}（${length(one.product)}）は、${reason(one.reason)}`).join('一方、'),
    `${titles(picks.map(({ product }) => product))}の違いですね。${picks.map((one) => `${pick(one)}：${reason(one.reason)}`).join('')}`,
  ],
  lean: ({ pick: one }) => [
    `どちらかといえば、まず${title(one.product)}をおすすめします。`,
    `私なら${title(one.product)}から始めます。`,
  ],
}
