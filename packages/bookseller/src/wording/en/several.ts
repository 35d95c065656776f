// Sums, facts of several series in one sentence, and whether a series is what is asked about, in English.
import { totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import type { Summed } from '../../dialogue/money/price-of.ts'
import type { Within } from '../../dialogue/money/within.ts'
import type { Shipping } from '../../dialogue/shop.ts'
import type { BriefFact, LineOf, Part, Wording } from '../lines.ts'
import { fitInEnglish } from './content.ts'
import { ledInEnglish, namedInEnglish } from './naming.ts'
import { english } from './words.ts'

const { joined, length, STATUS, title, titles, wholeOf, yen } = english

function shipped(amount: number, shipping: Shipping | undefined): string {
  if (shipping === undefined) return ''
  return amount >= shipping.freeFromYen
    ? ' Shipping within Japan is free.'
    : ` With ${yen(shipping.feeYen)} for shipping within Japan, that’s ${yen(amount + shipping.feeYen)}.`
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

/** What a sentence says of each of several series; undefined where it is not known. */
const BRIEF: Readonly<Record<BriefFact, (product: Product) => string | undefined>> = {
  status: ({ status }) => status && `is ${STATUS[status]}`,
  volumes: (product) => `has ${length(product)}`,
  price: ({ pricePerVolumeYen }) => `costs ${yen(pricePerVolumeYen)} a volume`,
  total: (product) => `comes to ${yen(totalYen(product))} for ${wholeOf(product)}`,
  stock: ({ stock }) => (stock > 0 ? 'is in stock' : 'is out of stock'),
  author: ({ author, writer, artist }) => {
    const name = author?.en ?? writer?.en ?? artist?.en
    return name && `is by ${name.replaceAll(' / ', ' and ')}`
  },
  year: ({ firstYear }) => (firstYear === undefined ? undefined : `began in ${firstYear}`),
  age: ({ age }) => (age === 0 ? 'is for any age' : age && `is for ages ${age} and up`),
  magazine: ({ magazine }) => magazine && `ran in ${magazine.en}`,
  publisher: ({ publisher }) => publisher && `is published by ${publisher.en}`,
}

const NOT_KNOWN: Readonly<Record<Exclude<BriefFact, 'volumes' | 'price' | 'total' | 'stock'>, string>> = {
  status: 'whether it’s finished',
  author: 'who it’s by',
  year: 'when it began',
  age: 'what age it’s for',
  magazine: 'which magazine it ran in',
  publisher: 'who publishes it',
}

function briefOf(product: Product, asked: readonly BriefFact[]): string {
  const known = asked.flatMap((fact) => BRIEF[fact](product) ?? [])
  const unknown = asked.flatMap((fact) => (fact in NOT_KNOWN && BRIEF[fact](product) === undefined ? [fact] : []))
  const not = joined(
    unknown.map((fact) => NOT_KNOWN[fact as keyof typeof NOT_KNOWN]),
    'or',
  )
  if (known.length === 0) return `For ${title(product)}, I’m not sure ${not}.`
  const isAll = known.every((text) => text.startsWith('is '))
  const said = isAll ? `is ${joined(known.map((text) => text.slice('is '.length)))}` : joined(known)
  return `${title(product)} ${said}.${not === '' ? '' : ` I’m not sure ${not}.`}`
}

/** What several series have in common is said once. */
const COMMON: Readonly<Partial<Record<BriefFact, (product: Product) => string>>> = {
  stock: ({ stock }) => (stock > 0 ? 'in stock' : 'out of stock'),
  author: (product) => (BRIEF.author(product) ?? '').replace(/^is /u, ''),
  status: ({ status }) =>
    ({ completed: 'finished', running: 'still running', hiatus: 'on hiatus' })[status ?? 'running'],
}

function common({ facts: [fact, ...more], products, isAgain }: LineOf<'facts'>): string | undefined {
  const say = fact === undefined || more.length > 0 ? undefined : COMMON[fact]
  const [first] = products
  if (say === undefined || first === undefined || fact === undefined) return undefined
  const isSame = products.every((product) => BRIEF[fact](product) === BRIEF[fact](first))
  if (!isSame || BRIEF[fact](first) === undefined) return undefined
  const all = products.length === 2 ? 'both' : 'all'
  return isAgain === true ? `they are ${all} ${say(first)}.` : `${titles(products)} are ${all} ${say(first)}.`
}

function facts(line: LineOf<'facts'>): readonly string[] {
  const { facts: asked, products, isSo } = line
  const shared = common(line)
  if (shared !== undefined) return ledInEnglish([shared], isSo)
  const each = products.map((product) => briefOf(product, asked))
  const lead = isSo === undefined ? '' : isSo ? 'Yes. ' : asked[0] === 'author' ? 'No. ' : 'No, not all of them. '
  return [`${lead}${each.join(' ')}`]
}

function sum(line: LineOf<'sum'>): readonly string[] {
  const { items, yen: amount, shipping, within } = line
  const [only] = items
  const each = joined(
    items.map(
      (item) => `${title(item.product)}${amountOf(item) === '' ? '' : ` (${amountOf(item)})`} at ${yen(item.yen)}`,
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
    `Together they come to ${yen(amount)}: ${each}.${shipped(amount, shipping)}`,
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
    ? ` With ${yen(shipping.feeYen)} for shipping, though, it’s ${yen(all)}, ${yen(all - within.yen)} over.`
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
        `it’s ${yen(amount)} for ${wholeOf(product)}${of}.${shipped(amount, shipping)}`,
      ],
      undefined,
    )
  },
  sum,
  afford,
  shipping: ({ yen: amount, shipping }) =>
    amount >= shipping.freeFromYen
      ? [`At ${yen(amount)}, shipping within Japan is free.`, `An order of ${yen(amount)} ships free within Japan.`]
      : [
          `On ${yen(amount)} you’d pay ${yen(shipping.feeYen)} shipping, so ${yen(amount + shipping.feeYen)} in all.`,
          `Shipping within Japan would be ${yen(shipping.feeYen)} on top of the ${yen(amount)}.`,
        ],
  facts,
  fit: fitInEnglish,
  missing: ({ names }) => {
    const all = joined(names.map((name) => `“${name}”`))
    return [`I’m afraid we don’t stock ${all}.`, `We don’t carry ${all}, sorry.`]
  },
  named: ({ products }) => [`That was ${titles(products)}.`, `I meant ${titles(products)}.`],
}
