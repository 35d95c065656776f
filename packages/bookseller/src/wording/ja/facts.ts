// Facts of a series in Japanese. What is not known is said to be unknown.
import { priceOfVolume, stockOfVolume, totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import { sentencesOf } from '../../dialogue/said.ts'
import type { AskedFact, Measure } from '../../understanding/reading.ts'
import type { LineOf, Wording } from '../lines.ts'
import type { Part } from '../lines.ts'
import { japanese } from './words.ts'

const { CONTENT, length, pick, reason, STATUS, title, titles, yen } = japanese

type Fact = (product: Product, age?: number) => readonly string[]

const FEW = 3
const unknown = (product: Product, what: string): readonly string[] => [
  `${title(product)}の${what}は、手元の情報ではわかりません。`,
  `${title(product)}の${what}については、あいにく情報がありません。`,
]

const stock: Fact = (product) => {
  if (product.stock === 0)
    return [
      `申し訳ございません、${title(product)}はただいま在庫切れです。`,
      `${title(product)}は今、在庫を切らしています。`,
    ]
  return product.stock <= FEW
    ? [
        `${title(product)}は在庫がありますが、残りわずかです。`,
        `${title(product)}は在庫あり、ただし残り${product.stock}点です。`,
      ]
    : [`${title(product)}は在庫がございます。`, `はい、${title(product)}は在庫ありです。`]
}

const author: Fact = (product) => {
  const { writer, artist, author: both, original } = product
  const source = original === undefined ? '' : `もとになったのは${original.ja}です。`
  if (writer !== undefined && artist !== undefined && writer.ja !== artist.ja)
    return [
      `${title(product)}の原作は${writer.ja}さん、作画は${artist.ja}さんです。${source}`,
      `${title(product)}は、${writer.ja}さんの原作を${artist.ja}さんが描いています。${source}`,
    ]
  const name = both?.ja ?? writer?.ja ?? artist?.ja
  return name === undefined
    ? unknown(product, '作者')
    : [`${title(product)}の作者は${name}さんです。${source}`, `${title(product)}は${name}さんの作品です。${source}`]
}

const content: Fact = (product) => {
  if (product.content === undefined) return unknown(product, '描写')
  if (product.content.length === 0)
    return [`${title(product)}に、特にご注意いただく描写はありません。`, `${title(product)}は安心して読める内容です。`]
  const texts = product.content.slice(0, 4).map((key) => CONTENT[key])
  return [
    `${title(product)}には、${texts.join('、')}があります。`,
    `${title(product)}で気をつけたいのは、${texts.join('、')}です。`,
  ]
}

const age: Fact = (product, years) => {
  if (product.age === undefined) return unknown(product, '対象年齢')
  const from = product.age === 0 ? 'どの年齢でも' : `${product.age}歳くらいから`
  const notes = (product.content ?? []).slice(0, 3).map((key) => CONTENT[key])
  const warning = notes.length === 0 ? '' : `${notes.join('、')}があります。`
  if (years !== undefined && years < product.age)
    return [
      `${title(product)}は${from}が目安なので、${years}歳には少し早いと思います。${warning}`,
      `${years}歳には、${title(product)}はまだ早いかもしれません（目安は${from}）。${warning}`,
    ]
  return years === undefined
    ? [`${title(product)}は${from}楽しめます。${warning}`, `${title(product)}の目安は${from}です。${warning}`]
    : [
        `${title(product)}は${from}が目安なので、${years}歳なら大丈夫です。${warning}`,
        `${years}歳なら${title(product)}は楽しめます（目安は${from}）。${warning}`,
      ]
}

const KINDS = { tv: 'テレビアニメ', film: '映画', ova: 'OVA', 'live-action': '実写', stage: '舞台' } as const

const FACTS: Readonly<Record<Exclude<AskedFact, 'total'>, Fact>> = {
  status: (product) => {
    if (product.status === undefined) return unknown(product, '連載状況')
    const ways = {
      completed: [
        `${title(product)}は${length(product)}で完結しています。`,
        `${title(product)}は完結済みです（${length(product)}）。`,
      ],
      running: [
        `${title(product)}はまだ連載中で、${length(product)}です。`,
        `${title(product)}は連載が続いています（${length(product)}）。`,
      ],
      hiatus: [
        `${title(product)}は休載中で、${length(product)}まで出ています。`,
        `${title(product)}は今お休み中（休載中）です。出ているのは${product.volumes}巻までです。`,
      ],
    }
    return ways[product.status]
  },
  volumes: (product) => [
    `${title(product)}は${length(product)}${product.status === undefined ? '' : `（${STATUS[product.status]}）`}です。`,
    `${title(product)}は${product.volumes}巻${product.status === 'completed' ? 'で完結です' : 'まで出ています'}。`,
  ],
  price: (product) => [
    `${title(product)}は1巻${yen(product.pricePerVolumeYen)}、${length(product)}そろえて${yen(totalYen(product))}です。`,
    `${title(product)}は1巻${yen(product.pricePerVolumeYen)}で、${length(product)}をまとめると${yen(totalYen(product))}になります。`,
  ],
  stock,
  release: (product) => {
    const latest = product.releases?.at(-1)
    if (latest !== undefined) {
      const [year, month, day] = latest.date.split('-').map(Number)
      return [
        `${title(product)}の${latest.volume}巻は、${year}年${month}月${day}日の発売です。`,
        `${title(product)}${latest.volume}巻の発売日は${year}年${month}月${day}日です。`,
      ]
    }
    return product.status === 'completed'
      ? [
          `${title(product)}は${length(product)}で完結しているので、新刊の予定はありません。`,
          `${title(product)}は完結済みで、続きの巻は出ません（${length(product)}）。`,
        ]
      : [
          `${title(product)}は${product.volumes}巻まで扱っています。次の巻の発売日は、まだこちらに情報がありません。`,
          `次の巻の発売日はまだわかりません。${title(product)}は今、${product.volumes}巻までございます。`,
        ]
  },
  author,
  magazine: (product) => {
    if (product.magazine === undefined) return unknown(product, '掲載誌')
    const ends = product.status === 'completed' ? 'に連載されていました' : 'の連載作品です'
    return [
      `${title(product)}は「${product.magazine.ja}」${ends}。`,
      `掲載誌は「${product.magazine.ja}」です（${title(product)}）。`,
    ]
  },
  publisher: (product) =>
    product.publisher === undefined
      ? unknown(product, '出版社')
      : [
          `${title(product)}の出版社は${product.publisher.ja}です。`,
          `${title(product)}は${product.publisher.ja}から出ています。`,
        ],
  year: (product) => {
    const { firstYear, lastYear } = product
    if (firstYear === undefined) return unknown(product, '連載時期')
    const ended = lastYear === undefined ? '' : `、${lastYear}年に完結しました`
    return ended === ''
      ? [`${title(product)}は${firstYear}年に始まった作品です。`, `${title(product)}の連載開始は${firstYear}年です。`]
      : [
          `${title(product)}は${firstYear}年に始まり${ended}。`,
          `${title(product)}の連載は${firstYear}年から${lastYear}年までです。`,
        ]
  },
  age,
  content,
  anime: (product) => {
    const made = (product.adaptations ?? []).slice(0, 3).map(({ kind, year }) => `${year}年に${KINDS[kind]}`)
    return made.length === 0
      ? unknown(product, '映像化')
      : [
          `${title(product)}は${made.join('、')}になっています。`,
          `はい、${title(product)}は${made.join('、')}化されています。`,
        ]
  },
  order: (product) => {
    const related = (product.related ?? []).slice(0, 2).map((other) => `「${other.title.ja}」`)
    const more = related.length === 0 ? '' : `関連作に${related.join('')}があります。`
    return product.readingOrder === undefined
      ? [`${title(product)}は1巻から順に読んで大丈夫です。${more}`, `${title(product)}は1巻からどうぞ。${more}`]
      : [`${product.readingOrder.ja}${more}`, `${title(product)}の順番ですね。${product.readingOrder.ja}`]
  },
  edition: (product) => [
    `${title(product)}の版や言語については、作品ページに出ている以上の情報がありません。[サポート窓口](/support)でお確かめいただけます。`,
    `申し訳ございません、${title(product)}の版や言語の違いはこちらではわかりません。[サポート窓口](/support)へどうぞ。`,
  ],
  synopsis: (product) =>
    product.synopsis === undefined
      ? unknown(product, 'あらすじ')
      : [
          `${title(product)}は、こんなお話です。${product.synopsis.ja}`,
          `${title(product)}のあらすじです。${product.synopsis.ja}`,
        ],
  audience: (product) =>
    product.lovedBy === undefined
      ? unknown(product, '読者層')
      : [
          `${title(product)}は、${sentence(product.lovedBy.ja)}`,
          `${title(product)}が合うのはこんな方です。${sentence(product.lovedBy.ja)}`,
        ],
  ending: (product) => [
    `結末は読んでのお楽しみです。${title(product)}は${length(product)}${product.status === 'completed' ? 'で完結しています' : 'で、まだ続いています'}。`,
    `ネタバレは控えますね。${title(product)}は${length(product)}です。`,
  ],
  popularity: (product) => {
    const made = (product.adaptations ?? [])
      .slice(0, 1)
      .map(({ kind, year }) => `${year}年に${KINDS[kind]}にもなった作品です。`)
    return [
      `売れ行きの順位は持っていませんが、${title(product)}は${made[0] ?? `${product.volumes}巻まで出ている作品です。`}`,
      `${title(product)}の人気の順位はわかりません。${made[0] ?? ''}`,
    ]
  },
  other: (product) => [
    `${title(product)}のその点は、手元の情報ではわかりません。[サポート窓口](/support)でお調べできます。`,
    `あいにく、${title(product)}についてそこまでの情報がありません。[サポート窓口](/support)にご相談ください。`,
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
  fact: ({ fact, product, among, age: years }) => {
    if (fact === 'total') return []
    // Several stories are introduced by their first sentences.
    if (fact === 'synopsis' && among > 1 && product.synopsis !== undefined)
      return [`${title(product)}は、${sentencesOf(product.synopsis.ja)[0] ?? ''}`]
    return FACTS[fact](product, years)
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
