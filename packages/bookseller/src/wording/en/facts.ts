// Facts of a series in English. What is not known is said to be unknown.
import { priceOfVolume, stockOfVolume, totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import { defined } from '../../dialogue/conditions.ts'
import { sentencesOf } from '../../dialogue/said.ts'
import type { AskedFact, Measure } from '../../understanding/reading.ts'
import type { Part, Pick } from '../lines.ts'
import { mainContent } from '../content-order.ts'
import type { LineOf, Wording } from '../lines.ts'
import { ledInEnglish, namedInEnglish } from './naming.ts'
import type { EnglishNaming } from './naming.ts'
import { contentInEnglish, warningInEnglish } from './content.ts'
import { verdictInEnglish } from './verdict.ts'
import { english } from './words.ts'

const { drawback, joined, length, lowered, reason, STATUS, title, wholeOf, yen } = english

type Fact = (product: Product, named: EnglishNaming) => readonly string[]

const FEW = 3
/** `what`: the question, as the end of a sentence. */
const unknown = (what: string): readonly string[] => [
  `I’m not sure ${what}, sorry.`,
  `I’m afraid I don’t know ${what}.`,
]

const stock: Fact = (product, named) => {
  if (product.stock === 0)
    return [`I’m sorry, ${named.it} is out of stock at the moment.`, `${named.it} is sold out just now, I’m afraid.`]
  return product.stock <= FEW
    ? [
        `${named.it} is in stock, but there are only a few left.`,
        `${named.it} is in stock, with ${product.stock} left.`,
      ]
    : [`${named.it} is in stock.`, `We have ${named.it} in stock.`]
}

const author: Fact = (product, named) => {
  const { writer, artist, author: both, original } = product
  const source = original === undefined ? '' : ` It’s based on ${original.en}.`
  if (writer !== undefined && artist !== undefined && writer.ja !== artist.ja)
    return [
      `${named.it} is written by ${writer.en} and drawn by ${artist.en}.${source}`,
      `${writer.en} wrote ${named.it}, and ${artist.en} drew it.${source}`,
    ]
  const name = both?.en ?? writer?.en ?? artist?.en
  return name === undefined
    ? unknown(`who ${named.it} is by`)
    : [`${named.it} is by ${name}.${source}`, `${named.it} was created by ${name}.${source}`]
}

const content: Fact = (product, named) => {
  if (product.content === undefined) return unknown(`how intense ${named.it} gets`)
  if (product.content.length === 0)
    return [`There’s nothing in ${named.it} to worry about.`, `${named.it} has nothing I’d warn you about.`]
  const text = warningInEnglish(named.it, product.content, CONTENT_MAX)
  return [`${text}.`, `just so you know, ${text}.`]
}

const CONTENT_MAX = 3
const ADULT_FROM = 18

const age: Fact = (product, named) => {
  const { age: years, isWarned, it } = named
  if (product.age === undefined) return unknown(`what age ${it} is meant for`)
  const isAdult = years !== undefined && years >= ADULT_FROM
  const main = isWarned === true || isAdult ? [] : mainContent(product.content ?? [], 2)
  const warning = main.length === 0 ? '' : ` ${capital(contentInEnglish('it', main, 'does have'))}.`
  if (product.age === 0) return [`${it} is fine for any age.${warning}`, `any age can enjoy ${it}.${warning}`]
  const from = `about ${product.age} and up`
  if (years !== undefined && years < product.age)
    return [
      `${it} is for ${from}, so ${years} is a bit young for it.${warning}`,
      `I’d hold off at ${years}: ${it} is for ${from}.${warning}`,
    ]
  if (years === undefined || isAdult)
    return [`${it} is for readers of ${from}.${warning}`, `I’d say ${it} suits ${from}.${warning}`]
  return [
    `${it} is for ${from}, so ${years} is fine.${warning}`,
    `${years} is fine for ${it}: it’s for ${from}.${warning}`,
  ]
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const KINDS = {
  tv: 'a TV anime',
  film: 'a film',
  ova: 'an OVA',
  'live-action': 'a live-action version',
  stage: 'a stage play',
} as const

const FACTS: Readonly<Record<Exclude<AskedFact, 'total'>, Fact>> = {
  status: (product, named) => {
    if (product.status === undefined) return unknown(`whether ${named.it} is finished`)
    const ways = {
      completed: [`${named.it} is finished, in ${length(product)}.`, `${named.it} is complete in ${length(product)}.`],
      running: [
        `${named.it} is still running, with ${length(product)} so far.`,
        `${named.it} isn’t finished yet; there are ${length(product)} so far.`,
      ],
      hiatus: [
        `${named.it} is on hiatus, with ${length(product)} out.`,
        `${named.it} has been on hiatus since ${product.volumes === 1 ? 'its first volume' : `volume ${product.volumes}`}.`,
      ],
    }
    return ways[product.status]
  },
  volumes: (product, named) => [
    product.status === 'completed'
      ? `${named.it} is complete in ${length(product)}.`
      : `${named.it} has ${length(product)}${product.status === undefined ? '' : ' so far'}.`,
    `there ${product.volumes === 1 ? 'is' : 'are'} ${length(product)} of ${named.it}${product.status === undefined ? '' : `, and it’s ${STATUS[product.status]}`}.`,
  ],
  price: (product, named) => {
    const { pricePerVolumeYen, volumes } = product
    if (volumes === 1) return [`${named.it} is a single volume at ${yen(totalYen(product))}.`]
    return [
      `${named.it} is ${yen(pricePerVolumeYen)} a volume, ${yen(totalYen(product))} for ${wholeOf(product)}.`,
      `${named.it} costs ${yen(pricePerVolumeYen)} a volume, so ${wholeOf(product)} come to ${yen(totalYen(product))}.`,
    ]
  },
  stock,
  release: (product, named) => {
    const latest = product.releases?.at(-1)
    if (latest !== undefined)
      return [
        `The release date of volume ${latest.volume} of ${named.it} is ${latest.date}.`,
        `For ${named.it}, volume ${latest.volume} has a release date of ${latest.date}.`,
      ]
    return product.status === 'completed'
      ? [
          `${named.it} ended with volume ${product.volumes}, so no new one is coming.`,
          `${named.it} is complete in ${length(product)}, so there won’t be another.`,
        ]
      : [
          `we have ${named.it} up to volume ${product.volumes}, but I don’t know when the next one comes out.`,
          `I don’t know when the next volume of ${named.it} comes out; we have it up to volume ${product.volumes}.`,
        ]
  },
  author,
  magazine: (product, named) => {
    if (product.magazine === undefined) return unknown(`which magazine ${named.it} ran in`)
    const { en } = product.magazine
    return product.status === 'completed'
      ? [`${named.it} ran in ${en}.`, `${named.it} was serialised in ${en}.`]
      : [`${named.it} appears in ${en}.`, `${named.it} is serialised in ${en}.`]
  },
  publisher: (product, named) =>
    product.publisher === undefined
      ? unknown(`who publishes ${named.it}`)
      : [`${named.it} is published by ${product.publisher.en}.`, `${product.publisher.en} publishes ${named.it}.`],
  year: (product, named) => {
    const { firstYear, lastYear } = product
    if (firstYear === undefined) return unknown(`when ${named.it} started`)
    if (firstYear === lastYear) return [`${named.it} came out in ${firstYear}.`]
    return lastYear === undefined
      ? [`${named.it} began in ${firstYear}.`, `${named.it} dates from ${firstYear}.`]
      : [
          `${named.it} ran from ${firstYear} to ${lastYear}.`,
          `${named.it} began in ${firstYear} and ended in ${lastYear}.`,
        ]
  },
  age,
  content,
  anime: (product, named) => {
    const made = (product.adaptations ?? []).slice(0, 3).map(({ kind, year }) => `${KINDS[kind]} in ${year}`)
    return made.length === 0
      ? unknown(`whether ${named.it} has been made into an anime or a film`)
      : [`${named.it} was made into ${joined(made)}.`, `${named.it} became ${joined(made)}.`]
  },
  order: (product, named) => {
    const related = (product.related ?? []).slice(0, 2).map((other) => `“${other.title.en}”`)
    const more = related.length === 0 ? '' : ` ${joined(related)} ${related.length === 1 ? 'is' : 'are'} related to it.`
    return product.readingOrder === undefined
      ? [`Just start ${named.it} at volume 1.${more}`, `You can read ${named.it} from volume 1 onwards.${more}`]
      : [`${product.readingOrder.en}${more}`, product.readingOrder.en]
  },
  edition: (product, named) => [
    `I don’t know which edition or language ${named.it} comes in, sorry. [Support](/support) can tell you.`,
    `I’m not sure which edition or language ${named.it} comes in; please ask [support](/support).`,
  ],
  synopsis: (product, named) => {
    if (product.synopsis === undefined) return unknown(`what ${named.it} is about`)
    const { pitch, synopsis } = product
    // What it is remains where an earlier answer has the story.
    return pitch === undefined
      ? [`Here’s what ${named.it} is about. ${synopsis.en}`, `${named.it} goes like this. ${synopsis.en}`]
      : [`${named.it} is ${pitch.en}. ${synopsis.en}`, `in short, ${named.it} is ${pitch.en}. ${synopsis.en}`]
  },
  audience: (product, named) => {
    if (product.lovedBy === undefined) return unknown(`who ${named.it} is aimed at`)
    const readers = lowered(
      product.lovedBy.en
        .trim()
        .replace(/^for /iu, '')
        .replace(/[;:.].*$/u, ''),
    )
    return [`I’d recommend ${named.it} to ${readers}.`, `${named.it} is a good pick for ${readers}.`]
  },
  ending: (product, named) => {
    const done = product.status === 'completed' ? 'is finished, in' : 'is at'
    return [
      `I won’t spoil the ending, but ${named.it} ${done} ${length(product)}.`,
      `I’ll leave the ending to you; ${named.it} ${done} ${length(product)}.`,
    ]
  },
  popularity: (product, named) => {
    const [made] = (product.adaptations ?? []).map(({ kind, year }) => ` It was made into ${KINDS[kind]} in ${year}.`)
    return [
      `I don’t have sales figures for ${named.it}, sorry.${made ?? ''}`,
      `I’m not sure how popular ${named.it} is in numbers.${made ?? ''}`,
    ]
  },
  other: (product, named) => [
    `I don’t know that about ${named.it}, sorry. [Support](/support) can look it up for you.`,
    `I’m not sure about that for ${named.it}; [support](/support) can check.`,
  ],
}

const SORTED: Readonly<Record<Measure, readonly [two: string, more: string, same: string]>> = {
  cheaper: ['cheaper', 'cheapest', 'cost about the same'],
  shorter: ['shorter', 'shortest', 'are about the same length'],
  longer: ['longer', 'longest', 'are about the same length'],
  newer: ['newer', 'newest', 'started around the same time'],
  older: ['older', 'oldest', 'started around the same time'],
  easier: ['easier', 'easiest', 'are about equally easy to read'],
  darker: ['darker', 'darkest', 'are about equally dark'],
  better: ['better', 'best', 'are equally good choices'],
}

function measuredValue(measure: Measure, product: Product): string {
  switch (measure) {
    case 'cheaper':
      return `${yen(product.pricePerVolumeYen)} a volume, ${wholeOf(product)} for ${yen(totalYen(product))}`
    case 'newer':
    case 'older':
      return `from ${product.firstYear}`
    case 'easier':
      return product.age === undefined || product.age === 0
        ? length(product)
        : `ages ${product.age} and up, ${length(product)}`
    case 'darker':
    case 'better':
    case 'shorter':
    case 'longer':
      return length(product)
  }
}

function measured({ measure, best, others, isTie, isStart }: LineOf<'measured'>): readonly string[] {
  const price = (product: Product) => yen(priceOfVolume(product, 1) ?? product.pricePerVolumeYen)
  const value = (product: Product) =>
    `${title(product)} (${isStart === true ? `${price(product)} for volume 1` : measuredValue(measure, product)})`
  const [two, most, same] = SORTED[measure]
  const [other, ...more] = others
  if (isTie)
    return [
      `${value(best)} and ${joined(others.map(value))} ${same}.`,
      `It’s too close to call: ${value(best)} and ${joined(others.map(value))} ${same}.`,
    ]
  if (other !== undefined && more.length === 0)
    return [
      `${value(best)} is the ${two} of the two; the other one is ${value(other)}.`,
      `Of the two, ${value(best)} is ${two} than ${value(other)}.`,
    ]
  return [
    `${value(best)} is the ${most}. After it ${others.length === 1 ? 'comes' : 'come'} ${joined(others.map(value))}.`,
    `The ${most} is ${value(best)}, followed by ${joined(others.map(value))}.`,
  ]
}

/** What it is, of a series that is compared. */
function isWhat(one: Pick, name: string): string {
  const { product, reason: why } = one
  const but = drawback(one)
  const what = product.pitch === undefined ? `${name}:${reason(why)}` : `${name} is ${product.pitch.en}.`
  return `${what}${but === '' ? '' : ` It’s ${but}.`}`
}

/** "It’s complete in 12 volumes, at ¥528 each." */
function lengthAndPrice(product: Product): string {
  const { status, volumes, pricePerVolumeYen } = product
  if (volumes === 1) return `It’s a single volume at ${yen(pricePerVolumeYen)}.`
  const each = `at ${yen(pricePerVolumeYen)} each`
  if (status === 'completed') return `It’s complete in ${length(product)}, ${each}.`
  const state = status === undefined ? '' : `, and it’s ${STATUS[status]}`
  return `There are ${length(product)}${status === undefined ? '' : ' so far'} ${each}${state}.`
}

export const EN_FACTS: Part<Wording, 'introduce' | 'fact' | 'volume' | 'measured' | 'contrast' | 'verdict'> = {
  introduce: ({ product, isGuessed }) => {
    const about = product.synopsis === undefined ? '' : ` ${product.synopsis.en}`
    const rest = `${about} ${lengthAndPrice(product)}`
    const gone = product.stock === 0 ? ' It’s out of stock just now.' : ''
    if (isGuessed) return [`Do you mean ${title(product)}?${rest}${gone}`]
    return product.stock === 0
      ? [
          `We do carry ${title(product)}, but it’s out of stock just now.${rest}`,
          `${title(product)} is one of ours, though it’s sold out at the moment.${rest}`,
        ]
      : [`Yes, we have ${title(product)}.${rest}`, `Yes, ${title(product)} is on our shelves.${rest}`]
  },
  fact: ({ fact, product, among, age: years, isAgain, isSo, isWarned }) => {
    if (fact === 'total') return []
    // Several stories are introduced by what they are.
    if (fact === 'synopsis' && among > 1 && product.synopsis !== undefined)
      return [
        product.pitch === undefined
          ? `${title(product)}: ${sentencesOf(product.synopsis.en)[0] ?? ''}`
          : `${title(product)} is ${product.pitch.en}.`,
      ]
    const named = { ...namedInEnglish(product, isAgain), ...defined({ age: years, isWarned }) }
    return ledInEnglish(FACTS[fact](product, named), isSo)
  },
  volume: ({ product, volume }) => {
    const price = priceOfVolume(product, volume)
    if (price === undefined)
      return [
        `We don’t have a volume ${volume} of ${title(product)}; ours go up to ${product.volumes}.`,
        `${title(product)} goes up to volume ${product.volumes} here, so there is no volume ${volume}.`,
      ]
    const own = product.volumeOffers?.find((offer) => offer.volume === volume)?.stock
    const left = stockOfVolume(product, volume)
    const has = left > 0 ? 'in stock' : 'out of stock'
    const note = own === undefined && left > 0 ? ' I can only see stock for the series as a whole, though.' : ''
    return [
      `Volume ${volume} of ${title(product)} is ${yen(price)} and ${has}.${note}`,
      `For ${title(product)}, volume ${volume} is ${yen(price)}, and it’s ${has}.${note}`,
    ]
  },
  measured,
  contrast: ({ picks }) => [
    picks.map((one) => isWhat(one, `${title(one.product)} (${length(one.product)})`)).join(' '),
    picks.map((one) => isWhat(one, title(one.product))).join(' '),
  ],
  verdict: verdictInEnglish,
}
