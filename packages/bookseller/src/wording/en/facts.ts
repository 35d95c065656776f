// Facts of a series in English. What is not known is said to be unknown.
import { priceOfVolume, stockOfVolume, totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import { defined } from '../../dialogue/conditions.ts'
import { sentencesOf } from '../../dialogue/said.ts'
import type { AskedFact, Measure } from '../../understanding/reading.ts'
import type { Part } from '../lines.ts'
import type { LineOf, Wording } from '../lines.ts'
import { ledInEnglish, namedInEnglish } from './naming.ts'
import type { EnglishNaming } from './naming.ts'
import { english } from './words.ts'

const { CONTENT, joined, length, lowered, pick, plural, reason, STATUS, title, titles, yen } = english

type Fact = (product: Product, named: EnglishNaming) => readonly string[]

const FEW = 3
const unknown = (named: EnglishNaming, what: string): readonly string[] => [
  `I don’t know ${what} of ${named.it}.`,
  `For ${named.it} I have no information on ${what}.`,
]

const stock: Fact = (product, named) => {
  if (product.stock === 0)
    return [`I’m sorry, ${named.it} is out of stock at the moment.`, `${named.it} is sold out just now, I’m afraid.`]
  return product.stock <= FEW
    ? [`${named.it} is in stock, but only a few are left.`, `${named.it} is in stock: ${product.stock} left.`]
    : [`${named.it} is in stock.`, `We have ${named.it} in stock.`]
}

const author: Fact = (product, named) => {
  const { writer, artist, author: both, original } = product
  const source = original === undefined ? '' : ` It is based on ${original.en}.`
  if (writer !== undefined && artist !== undefined && writer.ja !== artist.ja)
    return [
      `${named.it} is written by ${writer.en} and drawn by ${artist.en}.${source}`,
      `The story of ${named.it} is by ${writer.en}, the art by ${artist.en}.${source}`,
    ]
  const name = both?.en ?? writer?.en ?? artist?.en
  return name === undefined
    ? unknown(named, 'the author')
    : [`${named.it} is by ${name}.${source}`, `${name} is the author of ${named.it}.${source}`]
}

const content: Fact = (product, named) => {
  if (product.content === undefined) return unknown(named, 'the content')
  if (product.content.length === 0)
    return [`There is nothing in ${named.it} that I would warn of.`, `${named.it} has no content to worry about.`]
  const texts = joined(product.content.slice(0, 4).map((key) => CONTENT[key]))
  return [`${named.it} has ${texts}.`, `Be aware that ${named.it} contains ${texts}.`]
}

const age: Fact = (product, named) => {
  const { age: years, isWarned, it } = named
  if (product.age === undefined) return unknown(named, 'the age')
  const from = product.age === 0 ? 'any age' : `about ${product.age} and up`
  const notes = isWarned === true ? [] : (product.content ?? []).slice(0, 3).map((key) => CONTENT[key])
  const warning = notes.length === 0 ? '' : ` It has ${joined(notes)}.`
  if (years !== undefined && years < product.age)
    return [
      `${it} is for ${from}, so I’d wait a little at ${years}.${warning}`,
      `${it} comes a bit early at ${years} (${from}).${warning}`,
    ]
  return years === undefined
    ? [`${it} suits ${from}.${warning}`, `I’d give ${it} to readers of ${from}.${warning}`]
    : [`${it} is for ${from}, so it is fine at ${years}.${warning}`, `${it} is fine at ${years} (${from}).${warning}`]
}

const KINDS = {
  tv: 'a TV anime',
  film: 'a film',
  ova: 'an OVA',
  'live-action': 'a live-action version',
  stage: 'a stage play',
} as const

const FACTS: Readonly<Record<Exclude<AskedFact, 'total'>, Fact>> = {
  status: (product, named) => {
    if (product.status === undefined) return unknown(named, 'whether it has ended: the status')
    const ways = {
      completed: [`${named.it} is finished, in ${length(product)}.`, `${named.it} is complete: ${length(product)}.`],
      running: [
        `${named.it} is still running, with ${length(product)} so far.`,
        `${named.it} isn’t finished yet: ${length(product)} so far, and ongoing.`,
      ],
      hiatus: [
        `${named.it} is on hiatus, with ${length(product)} out.`,
        `${named.it} is paused (on hiatus) after ${length(product)}.`,
      ],
    }
    return ways[product.status]
  },
  volumes: (product, named) => [
    product.status === 'completed'
      ? `${named.it} is complete in ${length(product)}.`
      : `${named.it} has ${length(product)}${product.status === undefined ? '' : ' so far'}.`,
    `There are ${length(product)} of ${named.it}${product.status === undefined ? '' : ` (${STATUS[product.status]})`}.`,
  ],
  price: (product, named) => {
    const { pricePerVolumeYen, volumes } = product
    if (volumes === 1) return [`${named.it} is ${yen(totalYen(product))}, in 1 volume.`]
    return [
      `${named.it} is ${yen(pricePerVolumeYen)} a volume, ${yen(totalYen(product))} for all ${volumes} volumes.`,
      `${named.it} costs ${yen(pricePerVolumeYen)} a volume; the whole set of ${volumes} volumes comes to ${yen(totalYen(product))}.`,
    ]
  },
  stock,
  release: (product, named) => {
    const latest = product.releases?.at(-1)
    if (latest !== undefined)
      return [
        `Volume ${latest.volume} of ${named.it} is dated ${latest.date}.`,
        `The release date of ${named.it} volume ${latest.volume} is ${latest.date}.`,
      ]
    return product.status === 'completed'
      ? [
          `${named.it} ended with volume ${product.volumes}, so no new one is coming.`,
          `${named.it} is complete in ${length(product)}, with no new volume to come.`,
        ]
      : [
          `We have ${named.it} up to volume ${product.volumes}; I don’t know the date of the next one yet.`,
          `${named.it} is at ${length(product)}; I have no date for the next one.`,
        ]
  },
  author,
  magazine: (product, named) => {
    if (product.magazine === undefined) return unknown(named, 'the magazine')
    const { en } = product.magazine
    return product.status === 'completed'
      ? [`${named.it} ran in ${en}.`, `${named.it} was serialised in ${en}.`]
      : [`${named.it} is a series of ${en}.`, `${named.it} belongs to ${en}.`]
  },
  publisher: (product, named) =>
    product.publisher === undefined
      ? unknown(named, 'the publisher')
      : [
          `${named.it} is published by ${product.publisher.en}.`,
          `The publisher of ${named.it} is ${product.publisher.en}.`,
        ],
  year: (product, named) => {
    const { firstYear, lastYear } = product
    if (firstYear === undefined) return unknown(named, 'the year')
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
    const made = (product.adaptations ?? []).slice(0, 3).map(({ kind, year }) => `${KINDS[kind]} (${year})`)
    return made.length === 0
      ? unknown(named, 'any anime or film')
      : [`there is ${joined(made)} of ${named.it}.`, `${named.it} became ${joined(made)}.`]
  },
  order: (product, named) => {
    const related = (product.related ?? []).slice(0, 2).map((other) => `“${other.title.en}”`)
    const more = related.length === 0 ? '' : ` Related: ${joined(related)}.`
    return product.readingOrder === undefined
      ? [`Just start ${named.it} at volume 1.${more}`, `With ${named.it} you can begin at the first volume.${more}`]
      : [`${product.readingOrder.en}${more}`, `For ${named.it}: ${product.readingOrder.en}`]
  },
  edition: (product, named) => [
    `I know no more of the edition or language of ${named.it} than its page shows; [support](/support) can tell you.`,
    `I’m sorry, I can’t say which edition or language ${named.it} comes in. Please ask [support](/support).`,
  ],
  synopsis: (product, named) =>
    product.synopsis === undefined
      ? unknown(named, 'the story')
      : [
          `${named.it === 'it' ? 'The story' : named.it}: ${product.synopsis.en}`,
          `Here is the story${named.it === 'it' ? '' : ` of ${named.it}`}. ${product.synopsis.en}`,
        ],
  audience: (product, named) =>
    product.lovedBy === undefined
      ? unknown(named, 'the readers')
      : [
          `${named.it} is for ${ended(lowered(product.lovedBy.en))}`,
          `Who enjoys ${named.it}? ${ended(product.lovedBy.en)}`,
        ],
  ending: (product, named) => [
    `${named.it} has ${length(product)}${product.status === 'completed' ? ' and is finished' : ' so far'}. How it ends I won’t spoil.`,
    `You should read how it ends yourself; ${named.it} is at ${length(product)}${product.status === undefined ? '' : `, ${STATUS[product.status]}`}.`,
  ],
  popularity: (product, named) => {
    const [made] = (product.adaptations ?? []).map(({ kind, year }) => ` It became ${KINDS[kind]} in ${year}.`)
    return [
      `I have no sales ranks for ${named.it}.${made ?? ''}`,
      `How popular ${named.it} is I can’t say in numbers.${made ?? ''}`,
    ]
  },
  other: (product, named) => [
    `I don’t know that about ${named.it}; [support](/support) can look it up.`,
    `That is more than I know of ${named.it}. Our [support](/support) can help.`,
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
  fact: ({ fact, product, among, age: years, isAgain, isSo, isWarned }) => {
    if (fact === 'total') return []
    // Several stories are introduced by their first sentences.
    if (fact === 'synopsis' && among > 1 && product.synopsis !== undefined)
      return [`${title(product)}: ${sentencesOf(product.synopsis.en)[0] ?? ''}`]
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
