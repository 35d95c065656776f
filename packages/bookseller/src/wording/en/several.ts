// Sums, facts of several series in one sentence, and whether a series is what is asked about, in English.
import { totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import type { Summed } from '../../dialogue/money/price-of.ts'
import type { Within } from '../../dialogue/money/within.ts'
import type { Shipping } from '../../dialogue/shop.ts'
import { GENRES, labelOf, MOODS } from '../../understanding/vocabulary.ts'
import type { BriefFact, LineOf, Part, Wording } from '../lines.ts'
import { ledInEnglish, namedInEnglish } from './naming.ts'
import { english } from './words.ts'

const { CONTENT, joined, length, STATUS, title, titles, yen } = english

function shipped(amount: number, shipping: Shipping | undefined): string {
  if (shipping === undefined) return ''
  return amount >= shipping.freeFromYen
    ? ' Shipping within Japan is free.'
    : ` Shipping within Japan adds ${yen(shipping.feeYen)}, ${yen(amount + shipping.feeYen)} in all.`
}

/** "volume 1", "volumes 1–3", "12 full sets". */
function amountOf({ amount: { from, to, copies, volumes: listed } }: Summed): string {
  const volumes =
    listed !== undefined
      ? `volumes ${joined(listed.map(String))}`
      : from === undefined || to === undefined
        ? ''
        : from === to
          ? `volume ${from}`
          : `volumes ${from}–${to}`
  if (copies === undefined) return volumes
  return volumes === '' ? `${copies} full sets` : `${copies} copies of ${volumes}`
}

const wholeOf = (product: Product): string =>
  product.volumes === 1 ? 'the single volume' : product.volumes === 2 ? 'both volumes' : `all ${length(product)}`

const BRIEF: Readonly<Record<BriefFact, (product: Product) => string>> = {
  status: ({ status }) => (status === undefined ? 'status unknown' : STATUS[status]),
  volumes: length,
  price: ({ pricePerVolumeYen }) => `${yen(pricePerVolumeYen)} a volume`,
  total: (product) => `${length(product)} for ${yen(totalYen(product))}`,
  stock: ({ stock }) => (stock > 0 ? 'in stock' : 'out of stock'),
  author: ({ author, writer, artist }) => {
    const name = author?.en ?? writer?.en ?? artist?.en
    return name === undefined ? 'author unknown' : `by ${name.replaceAll(' / ', ' and ')}`
  },
  year: ({ firstYear }) => (firstYear === undefined ? 'year unknown' : `from ${firstYear}`),
  age: ({ age }) => (age === undefined ? 'age unknown' : age === 0 ? 'for any age' : `ages ${age} and up`),
  magazine: ({ magazine }) => (magazine === undefined ? 'magazine unknown' : `from ${magazine.en}`),
  publisher: ({ publisher }) => (publisher === undefined ? 'publisher unknown' : `published by ${publisher.en}`),
}

/** What several series have in common is said once. */
const COMMON: Readonly<Partial<Record<BriefFact, (product: Product) => string>>> = {
  stock: BRIEF.stock,
  author: BRIEF.author,
  status: ({ status }) =>
    ({ completed: 'finished', running: 'still running', hiatus: 'on hiatus' })[status ?? 'running'],
}

function common({ facts: [fact, ...more], products, isAgain }: LineOf<'facts'>): string | undefined {
  const say = fact === undefined || more.length > 0 ? undefined : COMMON[fact]
  const [first] = products
  if (say === undefined || first === undefined || fact === undefined) return undefined
  const isSame = products.every((product) => BRIEF[fact](product) === BRIEF[fact](first))
  if (!isSame || (fact === 'status' && first.status === undefined)) return undefined
  const all = products.length === 2 ? 'both' : 'all'
  return isAgain === true ? `they are ${all} ${say(first)}.` : `${titles(products)} are ${all} ${say(first)}.`
}

function facts(line: LineOf<'facts'>): readonly string[] {
  const { facts: asked, products, isSo } = line
  const shared = common(line)
  if (shared !== undefined) return ledInEnglish([shared], isSo)
  const each = products.map((product) => `${title(product)}: ${asked.map((fact) => BRIEF[fact](product)).join(', ')}`)
  const lead = isSo === undefined ? '' : isSo ? 'Yes. ' : asked[0] === 'author' ? 'No. ' : 'No, not all of them. '
  return [`${lead}${each.join('; ')}.`]
}

function fit(line: LineOf<'fit'>): readonly string[] {
  const { product, has, content, genres, moods } = line
  const warned = (product.content ?? []).slice(0, 4).map((key) => CONTENT[key])
  const notes = warned.length === 0 ? '' : ` What to know: it has ${joined(warned)}.`
  if (has === undefined)
    return [
      `I don’t know what is shown in ${title(product)}.`,
      `For ${title(product)} I have no information on its content.`,
    ]
  const kind = ` Its kind: ${joined(product.genres.slice(0, 2).map((key) => labelOf(GENRES, key, 'en')))}.`
  if (content.length > 0) {
    const named = joined(
      content.map((key) => CONTENT[key]),
      has ? 'and' : 'or',
    )
    const rest = (product.content ?? []).filter((key) => !content.includes(key)).slice(0, 3)
    const more = rest.length === 0 ? '' : ` There is also ${joined(rest.map((key) => CONTENT[key]))}.`
    return has
      ? [`Yes, ${title(product)} has ${named}.${more}`, `Yes, ${title(product)} does have ${named}.${more}`]
      : [
          `No, ${title(product)} has no ${named} to speak of.${notes || kind}`,
          `No, I wouldn’t worry about ${named} in ${title(product)}.${notes || kind}`,
        ]
  }
  const named = joined(
    [...genres.map((key) => labelOf(GENRES, key, 'en')), ...moods.map((key) => labelOf(MOODS, key, 'en'))],
    has ? 'and' : 'or',
  )
  return has
    ? [
        `Yes, there is a ${named} side to ${title(product)}.${notes}`,
        `Yes, ${title(product)} does have that: ${named}.${notes}`,
      ]
    : [
        `No, ${title(product)} isn’t really ${named}.${kind}`,
        `No, there is not much of that (${named}) in ${title(product)}.${kind}`,
      ]
}

function sum(line: LineOf<'sum'>): readonly string[] {
  const { items, yen: amount, shipping, within } = line
  const [only] = items
  const each = joined(
    items.map(
      (item) => `${title(item.product)}${amountOf(item) === '' ? '' : ` (${amountOf(item)})`} ${yen(item.yen)}`,
    ),
  )
  const isOne = items.length === 1 && only !== undefined
  const part = isOne ? (amountOf(only) === '' ? wholeOf(only.product) : amountOf(only)) : ''
  const come = part.startsWith('volume ') || part === 'the single volume' ? 'comes' : 'come'
  if (within !== undefined) {
    const what = isOne
      ? `${part} of ${title(only.product)} ${come} to ${yen(amount)}`
      : `${items.length === 2 ? 'both' : 'all of them'} together come to ${yen(amount)} (${each})`
    return [`${compared(what, amount, within)}${shippedWithin(line)}`]
  }
  if (isOne)
    return [
      `For ${title(only.product)}, ${part} ${come} to ${yen(amount)}.${shipped(amount, shipping)}`,
      `That makes ${yen(amount)} for ${part} of ${title(only.product)}.${shipped(amount, shipping)}`,
    ]
  return [
    `${items.length === 2 ? 'Both' : 'All of them'} together come to ${yen(amount)} (${each}).${shipped(amount, shipping)}`,
    `That makes ${yen(amount)} in total: ${each}.${shipped(amount, shipping)}`,
  ]
}

function compared(what: string, amount: number, { yen: cap, isOver }: Within): string {
  const rest = Math.abs(cap - amount)
  if (amount > cap) return `${isOver === true ? 'Yes' : 'No'}, ${what}, ${yen(rest)} more than ${yen(cap)}.`
  const left = rest === 0 ? 'exactly that' : `leaving ${yen(rest)} of your ${yen(cap)}`
  return `${isOver === true ? 'No' : 'Yes'}, ${what}, ${left}.`
}

/** Shipping may exceed the amount that the books alone do not. */
function shippedWithin({ yen: amount, shipping, within }: LineOf<'sum'>): string {
  if (shipping === undefined || within === undefined) return ''
  const all = amount + (amount >= shipping.freeFromYen ? 0 : shipping.feeYen)
  return amount <= within.yen && all > within.yen
    ? ` With ${yen(shipping.feeYen)} of shipping, though, it is ${yen(all)}, ${yen(all - within.yen)} over.`
    : shipped(amount, shipping)
}

function afford({ product, budget, count, yen: cost, left, feeYen }: LineOf<'afford'>): readonly string[] {
  const each = product.pricePerVolumeYen
  if (count === 0)
    return [
      `${yen(budget)} doesn’t quite buy a volume of ${title(product)}${feeYen === undefined ? '' : ' with shipping'}: each is ${yen(each)}.`,
    ]
  const shipping = feeYen === undefined ? '' : feeYen === 0 ? ' with free shipping' : ` plus ${yen(feeYen)} shipping`
  const rest = left === 0 ? 'exactly that' : `leaving ${yen(left)}`
  const what =
    count === product.volumes
      ? product.volumes === 1
        ? 'the single volume'
        : `all ${count} volumes`
      : count === 1
        ? 'one volume'
        : `${count} volumes (1–${count})`
  return [
    `For ${yen(budget)} you could get ${what} of ${title(product)}: ${yen(cost)}${shipping}, ${rest}.`,
    `${yen(budget)} covers ${what} of ${title(product)}: ${yen(cost)}${shipping}, ${rest}.`,
  ]
}

export const EN_SEVERAL: Part<
  Wording,
  'total' | 'sum' | 'afford' | 'shipping' | 'facts' | 'fit' | 'missing' | 'named'
> = {
  total: ({ product, yen: amount, shipping, isAgain }) => {
    const { it } = namedInEnglish(product, isAgain)
    const come = product.volumes === 1 ? 'comes' : 'come'
    const of = it === 'it' ? '' : ` of ${it}`
    return ledInEnglish(
      [
        `${wholeOf(product)}${of} ${come} to ${yen(amount)}.${shipped(amount, shipping)}`,
        `the whole of ${it}, ${length(product)}, is ${yen(amount)}.${shipped(amount, shipping)}`,
      ],
      undefined,
    )
  },
  sum,
  afford,
  shipping: ({ yen: amount, shipping }) =>
    amount >= shipping.freeFromYen
      ? [`At ${yen(amount)}, shipping within Japan is free.`, `Your ${yen(amount)} ships free within Japan.`]
      : [
          `Your ${yen(amount)} would have ${yen(shipping.feeYen)} of shipping on top, ${yen(amount + shipping.feeYen)} in all.`,
          `On ${yen(amount)}, shipping within Japan is ${yen(shipping.feeYen)}.`,
        ],
  facts,
  fit,
  missing: ({ names }) => {
    const all = joined(names.map((name) => `“${name}”`))
    const is = names.length === 1 ? 'is' : 'are'
    return [`${all} ${is} not something we stock, I’m afraid.`, `We don’t carry ${all}.`]
  },
  named: ({ products }) => [`That was ${titles(products)}.`, `It is called ${titles(products)}.`],
}
