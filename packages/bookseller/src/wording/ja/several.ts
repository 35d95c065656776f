// Sums, facts of several series in one sentence, and whether a series is what is asked about, in Japanese.
import { totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import type { Summed } from '../../dialogue/money/price-of.ts'
import type { Shipping } from '../../dialogue/shop.ts'
import { GENRES, labelOf, MOODS } from '../../understanding/vocabulary.ts'
import type { BriefFact, LineOf, Part, Wording } from '../lines.ts'
import { japanese } from './words.ts'

const { CONTENT, length, STATUS, title, titles, yen } = japanese

function shipped(amount: number, shipping: Shipping | undefined): string {
  if (shipping === undefined) return ''
  return amount >= shipping.freeFromYen
    ? '送料は無料です。'
    : `送料は別に${yen(shipping.feeYen)}かかります（送料込みで${yen(amount + shipping.feeYen)}）。`
}

/** 1巻, 1〜3巻, 12セット. */
function amountOf({ amount: { from, to, copies }, product }: Summed): string {
  const volumes =
    from === undefined || to === undefined ? length(product) : from === to ? `${from}巻` : `${from}〜${to}巻`
  return copies === undefined ? volumes : `${volumes}×${copies}セット`
}

const isWhole = ({ amount }: Summed): boolean => amount.from === undefined && amount.copies === undefined

const BRIEF: Readonly<Record<BriefFact, (product: Product) => string>> = {
  status: ({ status }) => (status === undefined ? '連載状況は不明' : STATUS[status]),
  volumes: length,
  price: ({ pricePerVolumeYen }) => `1巻${yen(pricePerVolumeYen)}`,
  total: (product) => `${length(product)}で${yen(totalYen(product))}`,
  stock: ({ stock }) => (stock > 0 ? '在庫あり' : '在庫切れ'),
  author: ({ author, writer, artist }) => {
    const name = author?.ja ?? writer?.ja ?? artist?.ja
    return name === undefined ? '作者は不明' : `作者は${name.replaceAll(' / ', '・')}さん`
  },
  year: ({ firstYear }) => (firstYear === undefined ? '連載時期は不明' : `${firstYear}年開始`),
  age: ({ age }) => (age === undefined ? '対象年齢は不明' : age === 0 ? 'どの年齢でも' : `${age}歳くらいから`),
  magazine: ({ magazine }) => (magazine === undefined ? '掲載誌は不明' : `「${magazine.ja}」掲載`),
  publisher: ({ publisher }) => (publisher === undefined ? '出版社は不明' : `${publisher.ja}刊`),
}

function facts({ facts: asked, products }: LineOf<'facts'>): readonly string[] {
  const each = products.map((product) => `${title(product)}は${asked.map((fact) => BRIEF[fact](product)).join('・')}`)
  return [`${each.join('、')}です。`, `順に、${each.join('、')}となっています。`]
}

function fit(line: LineOf<'fit'>): readonly string[] {
  const { product, has, content, genres, moods } = line
  const warned = (product.content ?? []).slice(0, 4).map((key) => CONTENT[key])
  const notes = warned.length === 0 ? '' : `気をつけたい点は、${warned.join('、')}です。`
  if (has === undefined)
    return [
      `${title(product)}の描写については、手元に情報がありません。`,
      `${title(product)}にそうした描写があるかは、あいにくわかりません。`,
    ]
  const labels = [...genres.map((key) => labelOf(GENRES, key, 'ja')), ...moods.map((key) => labelOf(MOODS, key, 'ja'))]
  const kind = `${product.genres
    .slice(0, 2)
    .map((key) => labelOf(GENRES, key, 'ja'))
    .join('・')}の作品です。`
  if (content.length > 0) {
    const named = content.map((key) => CONTENT[key]).join('、')
    const rest = (product.content ?? []).filter((key) => !content.includes(key)).slice(0, 3)
    const more = rest.length === 0 ? '' : `ほかに${rest.map((key) => CONTENT[key]).join('、')}があります。`
    return has
      ? [`はい、${title(product)}には${named}があります。${more}`, `${title(product)}には${named}が含まれます。${more}`]
      : [
          `いいえ、${title(product)}に${named}は特にありません。${notes || kind}`,
          `${title(product)}は、${named}の心配はいらないと思います。${notes || kind}`,
        ]
  }
  const named = labels.join('・')
  return has
    ? [
        `はい、${title(product)}には${named}の要素があります。${notes}`,
        `${title(product)}は${named}の面がある作品です。${notes}`,
      ]
    : [
        `いいえ、${title(product)}は${named}が中心の作品ではありません。${kind}`,
        `${title(product)}に${named}の色はあまりありません。${kind}`,
      ]
}

export const JA_SEVERAL: Part<Wording, 'total' | 'sum' | 'shipping' | 'facts' | 'fit' | 'missing' | 'named'> = {
  total: ({ product, yen: amount, shipping }) => [
    `${title(product)}は${length(product)}そろえて${yen(amount)}です。${shipped(amount, shipping)}`,
    `${title(product)}を全部そろえると、${length(product)}で${yen(amount)}になります。${shipped(amount, shipping)}`,
  ],
  sum: ({ items, yen: amount, shipping }) => {
    const [only] = items
    if (items.length === 1 && only !== undefined)
      return [
        `${title(only.product)}の${amountOf(only)}で${yen(amount)}です。${shipped(amount, shipping)}`,
        `${title(only.product)}は、${amountOf(only)}で合計${yen(amount)}になります。${shipped(amount, shipping)}`,
      ]
    const each = items
      .map((item) => `${title(item.product)}${isWhole(item) ? '' : `（${amountOf(item)}）`}が${yen(item.yen)}`)
      .join('、')
    return [
      `${items.length === 2 ? '両方で' : ''}合計${yen(amount)}です（${each}）。${shipped(amount, shipping)}`,
      `合計は${yen(amount)}になります。内訳は${each}です。${shipped(amount, shipping)}`,
    ]
  },
  shipping: ({ yen: amount, shipping }) =>
    amount >= shipping.freeFromYen
      ? [`先ほどの${yen(amount)}でしたら、送料はかかりません。`, `${yen(amount)}のご注文なら送料無料です。`]
      : [
          `先ほどの${yen(amount)}には送料${yen(shipping.feeYen)}がかかり、${yen(amount + shipping.feeYen)}になります。`,
          `${yen(amount)}のご注文ですと、送料${yen(shipping.feeYen)}が加わります。`,
        ],
  facts,
  fit,
  missing: ({ names }) => {
    const all = names.map((name) => `「${name}」`).join('')
    return [`${all}は当店では扱っておりません。`, `あいにく${all}は棚にありません。`]
  },
  named: ({ products }) => [`${titles(products, '、')}です。`, `${titles(products, '、')}という作品です。`],
}
