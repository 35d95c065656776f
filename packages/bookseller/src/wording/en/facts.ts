// Facts of a series in English. What is not known is said to be unknown.
import { priceOfVolume, stockOfVolume, totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import { sentencesOf } from '../../dialogue/said.ts'
import type { AskedFact, Measure } from '../../understanding/reading.ts'
import type { Part } from '../lines.ts'
import type { LineOf, Wording } from '../lines.ts'
import { english } from './words.ts'

const { CONTENT, joined, length, lowered, pick, plural, reason, STATUS, title, titles, yen } = english

type Fact = (product: Product, age?: number) => readonly string[]

const FEW = 3
const unknown = (product: Product, what: string): readonly string[] => [
  `I don’t know ${what} of ${title(product)}.`,
  `For ${title(product)} I have no information on ${what}.`,
]

const stock: Fact = (product) => {
  if (product.stock === 0)
    return [
      `I’m sorry, ${title(product)} is out of stock at the moment.`,
      `${title(product)} is sold out just now, I’m afraid.`,
    ]
  return product.stock <= FEW
    ? [
        `${title(product)} is in stock, but only a few are left.`,
        `${title(product)} is in stock: ${product.stock} left.`,
      ]
    : [`${title(product)} is in stock.`, `Yes, we have ${title(product)} in stock.`]
}

const author: Fact = (product) => {
  const { writer, artist, author: both, original } = product
  const source = original === undefined ? '' : ` It is based on ${original.en}.`
  if (writer !== undefined && artist !== undefined && writer.ja !== artist.ja)
    return [
      `${title(product)} is written by ${writer.en} and drawn by ${artist.en}.${source}`,
      `The story of ${title(product)} is by ${writer.en}, the art by ${artist.en}.${source}`,
    ]
  const name = both?.en ?? writer?.en ?? artist?.en
  return name === undefined
    ? unknown(product, 'the author')
    : [`${title(product)} is by ${name}.${source}`, `${name} is the author of ${title(product)}.${source}`]
}

const content: Fact = (product) => {
  if (product.content === undefined) return unknown(product, 'the content')
  if (product.content.length === 0)
    return [
      `There is nothing in ${title(product)} that I would warn of.`,
      `${title(product)} has no content to worry about.`,
    ]
  const texts = joined(product.content.slice(0, 4).map((key) => CONTENT[key]))
  return [`${title(product)} has ${texts}.`, `Be aware that ${title(product)} contains ${texts}.`]
}

const age: Fact = (product, years) => {
  if (product.age === undefined) return unknown(product, 'the age')
  const from = product.age === 0 ? 'any age' : `about ${product.age} and up`
  const notes = (product.content ?? []).slice(0, 3).map((key) => CONTENT[key])
  const warning = notes.length === 0 ? '' : ` It has ${joined(notes)}.`
  if (years !== undefined && years < product.age)
    return [
      `${title(product)} is for ${from}, so I’d wait a little at ${years}.${warning}`,
      `At ${years} it is a bit early for ${title(product)} (${from}).${warning}`,
    ]
  return years === undefined
    ? [`${title(product)} suits ${from}.${warning}`, `I’d give ${title(product)} to readers of ${from}.${warning}`]
    : [
        `${title(product)} is for ${from}, so it is fine at ${years}.${warning}`,
        `Yes, at ${years} ${title(product)} is fine (${from}).${warning}`,
      ]
}

const KINDS = {
  tv: 'a TV anime',
  film: 'a film',
  ova: 'an OVA',
  'live-action': 'a live-action version',
  stage: 'a stage play',
} as const

const FACTS: Readonly<Record<Exclude<AskedFact, 'total'>, Fact>> = {
  status: (product) => {
    if (product.status === undefined) return unknown(product, 'whether it has ended: the status')
    const ways = {
      completed: [
        `${title(product)} is finished, in ${length(product)}.`,
        `${title(product)} is complete: ${length(product)}.`,
      ],
      running: [
        `${title(product)} is still running, with ${length(product)} so far.`,
        `Not finished yet: ${title(product)} is ongoing, ${length(product)} so far.`,
      ],
      hiatus: [
        `${title(product)} is on hiatus, with ${length(product)} out.`,
        `${title(product)} is paused (on hiatus) after ${length(product)}.`,
      ],
    }
    return ways[product.status]
  },
  volumes: (product) => [
    product.status === 'completed'
      ? `${title(product)} is complete in ${length(product)}.`
      : `${title(product)} has ${length(product)}${product.status === undefined ? '' : ' so far'}.`,
    `There are ${length(product)} of ${title(product)}${product.status === undefined ? '' : ` (${STATUS[product.status]})`}.`,
  ],
  price: (product) => [
    `${title(product)} is ${yen(product.pricePerVolumeYen)} a volume, ${yen(totalYen(product))} for ${product.volumes === 1 ? 'it' : `all ${product.volumes}`}.`,
    `Each volume of ${title(product)} costs ${yen(product.pricePerVolumeYen)}; the whole set of ${product.volumes} comes to ${yen(totalYen(product))}.`,
  ],
  stock,
  release: (product) => {
    const latest = product.releases?.at(-1)
    if (latest !== undefined)
      return [
        `Volume ${latest.volume} of ${title(product)} is dated ${latest.date}.`,
        `The release date of ${title(product)} volume ${latest.volume} is ${latest.date}.`,
      ]
    return product.status === 'completed'
      ? [
          `${title(product)} ended with volume ${product.volumes}, so no new one is coming.`,
          `No new volume: ${title(product)} is complete in ${length(product)}.`,
        ]
      : [
          `We have ${title(product)} up to volume ${product.volumes}; I don’t know the date of the next one yet.`,
          `I have no date for the next volume. ${title(product)} is at ${length(product)}.`,
        ]
  },
  author,
  magazine: (product) => {
    if (product.magazine === undefined) return unknown(product, 'the magazine')
    const { en } = product.magazine
    return product.status === 'completed'
      ? [`${title(product)} ran in ${en}.`, `It was serialised in ${en} (${title(product)}).`]
      : [`${title(product)} is a series of ${en}.`, `${title(product)} belongs to ${en}.`]
  },
  publisher: (product) =>
    product.publisher === undefined
      ? unknown(product, 'the publisher')
      : [
          `${title(product)} is published by ${product.publisher.en}.`,
          `The publisher of ${title(product)} is ${product.publisher.en}.`,
        ],
  year: (product) => {
    const { firstYear, lastYear } = product
    if (firstYear === undefined) return unknown(product, 'the year')
    return lastYear === undefined
      ? [`${title(product)} began in ${firstYear}.`, `${title(product)} dates from ${firstYear}.`]
      : [
          `${title(product)} ran from ${firstYear} to ${lastYear}.`,
          `${title(product)} began in ${firstYear} and ended in ${lastYear}.`,
        ]
  },
  age,
  content,
  anime: (product) => {
    const made = (product.adaptations ?? []).slice(0, 3).map(({ kind, year }) => `${KINDS[kind]} (${year})`)
    return made.length === 0
      ? unknown(product, 'any anime or film')
      : [`There is ${joined(made)} of ${title(product)}.`, `Yes: ${title(product)} became ${joined(made)}.`]
  },
  order: (product) => {
    const related = (product.related ?? []).slice(0, 2).map((other) => `“${other.title.en}”`)
    const more = related.length === 0 ? '' : ` Related: ${joined(related)}.`
    return product.readingOrder === undefined
      ? [
          `Just start ${title(product)} at volume 1.${more}`,
          `With ${title(product)} you can begin at the first volume.${more}`,
        ]
      : [`${product.readingOrder.en}${more}`, `For ${title(product)}: ${product.readingOrder.en}`]
  },
  edition: (product) => [
    `I know no more of the edition or language of ${title(product)} than its page shows; [support](/support) can tell you.`,
    `I’m sorry, I can’t say which edition or language ${title(product)} comes in. Please ask [support](/support).`,
  ],
  synopsis: (product) =>
    product.synopsis === undefined
      ? unknown(product, 'the story')
      : [`${title(product)}: ${product.synopsis.en}`, `Here is the story of ${title(product)}. ${product.synopsis.en}`],
  audience: (product) =>
    product.lovedBy === undefined
      ? unknown(product, 'the readers')
      : [
          `${title(product)} is for ${ended(lowered(product.lovedBy.en))}`,
          `Who enjoys ${title(product)}? ${ended(product.lovedBy.en)}`,
        ],
  ending: (product) => [
    `I won’t spoil the ending. ${title(product)} has ${length(product)}${product.status === 'completed' ? ' and is finished' : ' so far'}.`,
    `You should read how it ends yourself; ${title(product)} is at ${length(product)}${product.status === undefined ? '' : `, ${STATUS[product.status]}`}.`,
  ],
  popularity: (product) => {
    const [made] = (product.adaptations ?? []).map(({ kind, year }) => ` It became ${KINDS[kind]} in ${year}.`)
    return [
      `I have no sales ranks for ${title(product)}.${made ?? ''}`,
      `How popular ${title(product)} is I can’t say in numbers.${made ?? ''}`,
    ]
  },
  other: (product) => [
    `I don’t know that about ${title(product)}; [support](/support) can look it up.`,
    `That is more than I know of ${title(product)}. Our [support](/support) can help.`,
  ],
}

const ended = (text: string): string => `${text.trim().replace(/\.$/u, '')}.`

const SORTED: Readonly<Record<Measure, readonly [two: string, more: string]>> = {
  cheaper: ['cheaper', 'cheapest'],
  shorter: ['shorter', 'shortest'],
  longer: ['longer', 'longest'],
  newer: ['newer', 'newest'],
  older: ['older', 'oldest'],
  easier: ['easier one', 'easiest'],
  darker: ['darker', 'darkest'],
  better: ['better', 'best'],
}

function measuredValue(measure: Measure, product: Product): string {
  switch (measure) {
    case 'cheaper':
      return `${yen(product.pricePerVolumeYen)} a volume, all ${product.volumes} for ${yen(totalYen(product))}`
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

function measured({ measure, best, others, isTie }: LineOf<'measured'>): readonly string[] {
  const value = (product: Product) => `${title(product)} (${measuredValue(measure, product)})`
  const rest = joined(others.map(value))
  if (isTie)
    return [
      `${value(best)} and ${rest} are about the same there.`,
      `No difference there between ${value(best)} and ${rest}.`,
    ]
  const word = SORTED[measure][others.length > 1 ? 1 : 0]
  return [
    `The ${word} is ${value(best)}; ${others.length > 1 ? 'the others are' : 'the other is'} ${rest}.`,
    `${value(best)} is the ${word}, compared with ${rest}.`,
  ]
}

export const EN_FACTS: Part<Wording, 'introduce' | 'fact' | 'volume' | 'measured' | 'contrast' | 'lean'> = {
  introduce: ({ product, isGuessed }) => {
    const about = product.synopsis === undefined ? '' : ` ${product.synopsis.en}`
    const status = product.status === undefined ? '' : ` (${STATUS[product.status]})`
    const money = ` ${plural(product.volumes, 'volume')}${status}, ${yen(product.pricePerVolumeYen)} each.`
    const gone = product.stock === 0 ? ' It is out of stock just now.' : ''
    if (isGuessed) return [`Do you mean ${title(product)}?${about}${money}${gone}`]
    return product.stock === 0
      ? [`We carry ${title(product)}, but it is out of stock just now.${about}${money}`]
      : [`Yes, we have ${title(product)}.${about}${money}`, `${title(product)} is on our shelves.${about}${money}`]
  },
  fact: ({ fact, product, among, age: years }) => {
    if (fact === 'total') return []
    // Several stories are introduced by their first sentences.
    if (fact === 'synopsis' && among > 1 && product.synopsis !== undefined)
      return [`${title(product)}: ${sentencesOf(product.synopsis.en)[0] ?? ''}`]
    return FACTS[fact](product, years)
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
    const note = own === undefined && left > 0 ? ' (I see stock for the series as a whole.)' : ''
    return [
      `Volume ${volume} of ${title(product)} is ${yen(price)} and ${has}.${note}`,
      `${title(product)} volume ${volume}: ${has}, ${yen(price)}.${note}`,
    ]
  },
  measured,
  contrast: ({ picks }) => [
    picks.map((one) => `${title(one.product)} (${length(one.product)}):${reason(one.reason)}`).join(' '),
    `${titles(picks.map(({ product }) => product))} differ like this. ${picks.map((one) => `${pick(one)}:${reason(one.reason)}`).join(' ')}`,
  ],
  lean: ({ pick: one }) => [
    `If I had to choose, I’d begin with ${title(one.product)}.`,
    `My own choice would be ${title(one.product)}.`,
  ],
}
