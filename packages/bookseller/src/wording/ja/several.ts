// Sums, facts of several series in one sentence, and whether a series is what is asked about, in Japanese.
import { totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import type { Summed } from '../../dialogue/money/price-of.ts'
import type { Within } from '../../dialogue/money/within.ts'
import type { Shipping } from '../../dialogue/shop.ts'
import type { BriefFact, LineOf, Part, Wording } from '../lines.ts'
import { fitInJapanese } from './content.ts'
import { ledInJapanese, namedInJapanese } from './naming.ts'
import { japanese } from './words.ts'

const { length, STATUS, title, titles, yen } = japanese

function shipped(amount: number, shipping: Shipping | undefined): string {
  if (shipping === undefined) return ''
  return amount >= shipping.freeFromYen
    ? '送料は無料です。'
    : `国内の送料${yen(shipping.feeYen)}を足すと、${yen(amount + shipping.feeYen)}になります。`
}

/** 1巻, 1〜3巻, 12セット. */
function amountOf({ amount: { from, to, copies, volumes: listed }, product }: Summed): string {
  const volumes =
    listed !== undefined
      ? listed.map((volume) => `${volume}巻`).join('と')
      : from === undefined || to === undefined
        ? length(product)
        : from === to
          ? `${from}巻`
          : `${from}〜${to}巻`
  return copies === undefined ? volumes : `${volumes}×${copies}セット`
}

const isWhole = ({ amount }: Summed): boolean =>
  amount.from === undefined && amount.volumes === undefined && amount.copies === undefined

/** What a sentence says of each of several series; undefined where it is not known. */
const BRIEF: Readonly<Record<BriefFact, (product: Product) => string | undefined>> = {
  status: ({ status }) => status && STATUS[status],
  volumes: length,
  price: ({ pricePerVolumeYen }) => `1巻${yen(pricePerVolumeYen)}`,
  total: (product) => `${length(product)}で${yen(totalYen(product))}`,
  stock: ({ stock }) => (stock > 0 ? '在庫あり' : '在庫切れ'),
  author: ({ author, writer, artist }) => {
    const name = author?.ja ?? writer?.ja ?? artist?.ja
    return name && `${name.replaceAll(' / ', '・')}さんの作品`
  },
  year: ({ firstYear }) => (firstYear === undefined ? undefined : `${firstYear}年開始`),
  age: ({ age }) => (age === 0 ? '全年齢向け' : age && `${age}歳くらいから`),
  magazine: ({ magazine }) => magazine && `「${magazine.ja}」の作品`,
  publisher: ({ publisher }) => publisher && `${publisher.ja}の本`,
}

const NOT_KNOWN: Readonly<Record<Exclude<BriefFact, 'volumes' | 'price' | 'total' | 'stock'>, string>> = {
  status: '完結しているかどうか',
  author: '作者',
  year: 'いつ始まったか',
  age: '対象年齢',
  magazine: '掲載誌',
  publisher: '出版社',
}

/** 「『…』は全12巻、1巻715円で、在庫がございます」; one fact of each stands in one sentence. */
function briefOf(product: Product, asked: readonly BriefFact[]): string {
  const known = asked.flatMap((fact) => (fact === 'stock' ? [] : (BRIEF[fact](product) ?? [])))
  const has = product.stock > 0 ? '在庫がございます' : 'ただいま在庫切れです'
  const not = asked
    .filter((fact) => BRIEF[fact](product) === undefined)
    .map((fact) => NOT_KNOWN[fact as keyof typeof NOT_KNOWN])
    .join('や')
  const end = asked.includes('stock')
    ? `${known.length === 0 ? '' : `${known.join('、')}で、`}${has}。`
    : `${known.join('、')}です。`
  if (not === '') return `${title(product)}は${end}`
  return known.length === 0 && !asked.includes('stock')
    ? `${title(product)}は、${not}がわかりません。`
    : `${title(product)}は${end}${not}はわかりません。`
}

/** What several series have in common is said once. */
const COMMON: Readonly<Partial<Record<BriefFact, (product: Product) => string>>> = {
  stock: ({ stock }) => (stock > 0 ? '在庫がございます' : 'ただいま在庫切れです'),
  author: (product) => `${BRIEF.author(product) ?? ''}です`,
  status: ({ status }) =>
    ({ completed: '完結しています', running: 'まだ連載中です', hiatus: '休載中です' })[status ?? 'running'],
}

function common({ facts: [fact, ...more], products, isAgain }: LineOf<'facts'>): string | undefined {
  const say = fact === undefined || more.length > 0 ? undefined : COMMON[fact]
  const [first] = products
  if (say === undefined || first === undefined || fact === undefined) return undefined
  const isSame = products.every((product) => BRIEF[fact](product) === BRIEF[fact](first))
  if (!isSame || BRIEF[fact](first) === undefined) return undefined
  const all = products.length === 2 ? 'どちらも' : 'どれも'
  return isAgain === true ? `${all}${say(first)}。` : `${titles(products)}は${all}${say(first)}。`
}

function facts(line: LineOf<'facts'>): readonly string[] {
  const { facts: asked, products, isSo } = line
  const shared = common(line)
  if (shared !== undefined) return ledInJapanese([shared], isSo)
  const [fact, ...more] = asked
  if (fact !== undefined && more.length === 0 && products.every((product) => BRIEF[fact](product) !== undefined))
    return ledInJapanese(
      [`${products.map((product) => `${title(product)}は${BRIEF[fact](product)}`).join('、')}です。`],
      isSo,
    )
  return ledInJapanese([products.map((product) => briefOf(product, asked)).join('')], isSo)
}

/** 合計…円です（内訳）。 */
function sum(line: LineOf<'sum'>): readonly string[] {
  const { items, yen: amount, shipping, within } = line
  const [only] = items
  const isOne = items.length === 1 && only !== undefined
  const each = items
    .map((item) => `${title(item.product)}${isWhole(item) ? '' : `（${amountOf(item)}）`}が${yen(item.yen)}`)
    .join('、')
  if (within !== undefined) {
    const what = isOne
      ? `${title(only.product)}は${amountOf(only)}で${yen(amount)}`
      : `${items.length === 2 ? '両方で' : ''}合計${yen(amount)}（${each}）`
    return [`${compared(what, amount, within)}${shippedWithin(line)}`]
  }
  if (isOne)
    return [
      `${title(only.product)}の${amountOf(only)}で${yen(amount)}です。${shipped(amount, shipping)}`,
      `${title(only.product)}は、${amountOf(only)}で合計${yen(amount)}になります。${shipped(amount, shipping)}`,
    ]
  return [
    `${items.length === 2 ? '両方で' : '合わせて'}${yen(amount)}です。${each}です。${shipped(amount, shipping)}`,
    `合計は${yen(amount)}になります。内訳は${each}です。${shipped(amount, shipping)}`,
  ]
}

function compared(what: string, amount: number, { yen: cap, isOver }: Within): string {
  const rest = Math.abs(cap - amount)
  if (amount > cap)
    return isOver === true
      ? `はい、${what}で、${yen(cap)}より${yen(rest)}高くなります。`
      : `いいえ、${what}なので、${yen(rest)}足りません。`
  const left = rest === 0 ? 'ちょうどです' : `${yen(rest)}残ります`
  return `${isOver === true ? 'いいえ' : 'はい'}、${what}なので、${yen(cap)}以内に収まります（${left}）。`
}

/** Shipping may exceed the amount that the books alone do not. */
function shippedWithin({ yen: amount, shipping, within }: LineOf<'sum'>): string {
  if (shipping === undefined || within === undefined) return ''
  const all = amount + (amount >= shipping.freeFromYen ? 0 : shipping.feeYen)
  return amount <= within.yen && all > within.yen
    ? `ただし送料${yen(shipping.feeYen)}を入れると${yen(all)}になり、${yen(all - within.yen)}足りません。`
    : shipped(amount, shipping)
}

function afford({ product, budget, count, yen: cost, left, feeYen }: LineOf<'afford'>): readonly string[] {
  const each = product.pricePerVolumeYen
  if (count === 0)
    return [
      `${title(product)}は1巻${yen(each)}なので、${feeYen === undefined ? '' : '送料込みでは'}${yen(budget)}では少し足りません。`,
    ]
  const shipping = feeYen === undefined ? '' : feeYen === 0 ? '・送料無料' : `＋送料${yen(feeYen)}`
  const what =
    count === product.volumes ? `${length(product)}すべて` : count === 1 ? '1巻' : `1〜${count}巻の${count}冊`
  const rest = left === 0 ? 'ちょうどです' : `残りは${yen(left)}です`
  return [
    `${yen(budget)}なら、${title(product)}は${what}が買えます（${yen(cost)}${shipping}）。${rest}。`,
    `${title(product)}でしたら、${yen(budget)}で${what}までそろいます（${yen(cost)}${shipping}）。${rest}。`,
  ]
}

export const JA_SEVERAL: Part<
  Wording,
  'total' | 'sum' | 'afford' | 'shipping' | 'facts' | 'fit' | 'missing' | 'named'
> = {
  total: ({ product, yen: amount, shipping, isAgain }) => {
    const { wa } = namedInJapanese(product, isAgain)
    return [
      `${wa}${length(product)}そろえて${yen(amount)}です。${shipped(amount, shipping)}`,
      `${wa}${length(product)}をまとめて${yen(amount)}になります。${shipped(amount, shipping)}`,
    ]
  },
  sum,
  afford,
  shipping: ({ yen: amount, shipping }) =>
    amount >= shipping.freeFromYen
      ? [`${yen(amount)}でしたら、送料はかかりません。`, `${yen(amount)}のご注文なら送料無料です。`]
      : [
          `${yen(amount)}には送料${yen(shipping.feeYen)}がかかり、${yen(amount + shipping.feeYen)}になります。`,
          `${yen(amount)}のご注文ですと、別に送料${yen(shipping.feeYen)}がかかります。`,
        ],
  facts,
  fit: fitInJapanese,
  missing: ({ names }) => {
    const all = names.map((name) => `「${name}」`).join('')
    return [`${all}は当店では扱っておりません。`, `申し訳ありません、${all}の取り扱いはございません。`]
  },
  named: ({ products }) => [`${titles(products, '、')}です。`, `${titles(products, '、')}という作品です。`],
}
