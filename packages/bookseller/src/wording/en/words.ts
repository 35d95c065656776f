// The English names of numbers, states, conditions and content.
import type { Product } from '../../catalogue/catalogue.ts'
import { totalYen } from '../../catalogue/catalogue.ts'
import { isKeyed } from '../../dialogue/conditions.ts'
import type { ConditionName, Conditions } from '../../dialogue/conditions.ts'
import type { Reason } from '../../dialogue/reason-shape.ts'
import type { Limits, Measure } from '../../understanding/reading.ts'
import { labelOf, READERSHIPS } from '../../understanding/vocabulary.ts'
import type { Part, Pick, PickFact } from '../lines.ts'
import { linked } from '../link.ts'

const title = (product: Product): string => linked(product.title.en, `/series/${product.id}`)
const yen = (amount: number): string => `¥${amount.toLocaleString('en-US')}`
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const length = ({ volumes }: Product): string => plural(volumes, 'volume')

const wholeOf = (product: Product): string =>
  product.volumes === 1 ? 'the single volume' : product.volumes === 2 ? 'both volumes' : `all ${length(product)}`

/** "a", "a and b", "a, b and c". */
function joined(parts: readonly string[], word = 'and'): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1) ?? ''}`
}
const titles = (products: readonly Product[], word = 'and'): string => joined(products.map(title), word)

const STATUS = { completed: 'complete', running: 'still running', hiatus: 'on hiatus' } as const

const PICK_FACTS: Readonly<Record<PickFact, (product: Product) => string>> = {
  total: (product) => `${length(product)}, ${yen(totalYen(product))} in all`,
  volumes: length,
  status: ({ status }) => (status === undefined ? '' : STATUS[status]),
  price: ({ pricePerVolumeYen }) => `${yen(pricePerVolumeYen)} a volume`,
  age: ({ age }) => (age === undefined || age === 0 ? 'for any age' : `ages ${age} and up`),
  year: ({ firstYear }) => `from ${firstYear}`,
  'sold-out': () => 'sold out just now',
  hiatus: () => 'on hiatus',
}

/** What stands in brackets after a title: figures and the status. */
const IN_BRACKETS: ReadonlySet<PickFact> = new Set(['total', 'volumes', 'status', 'price', 'age', 'year'])

function figures({ product, facts }: Pick): string {
  const parts = facts.filter((fact) => IN_BRACKETS.has(fact)).map((fact) => PICK_FACTS[fact](product))
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`
}

/** The title with the figures that answer a condition. */
const pick = (one: Pick): string => `${title(one.product)}${figures(one)}`

/** What a buyer must know: "sold out just now and on hiatus". */
const drawback = ({ product, facts }: Pick): string =>
  joined(facts.filter((fact) => !IN_BRACKETS.has(fact)).map((fact) => PICK_FACTS[fact](product)))

const PROPER =
  /^(?:[A-Z]{2}|I\b|Japan|Edo|Tokyo|Tezuka|Western|European|English|French|American|Chinese|Meiji|Taisho|Showa|Kansai|Osaka|Kyoto|Jump|Jojo|Gundam|Ribon|Shinsengumi)/u

/** The first letter small, unless the word is a name. */
const lowered = (text: string): string => (PROPER.test(text) ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`)

/** Places mostly begin with a name. */
const COMMON = /^(?:A|An|The|Present|Modern|Contemporary|High|Working|Small|Rural)\b/u
const PLACED = /^(?:from|in|on|at|between|across|aboard|around|under|inside|during|after|before|along)\b/iu
const COUNTED = /^(?:an?|two|three|four|five)\b/iu

/** A reason as a sentence of its own. */
function reason(one: Reason | undefined): string {
  if (one === undefined) return ''
  const { kind, text } = one
  switch (kind) {
    case 'pitch':
      return ` It’s ${text}.`
    case 'protagonist':
      return ` It follows ${text}.`
    case 'setting':
      return PLACED.test(text)
        ? ` It takes place ${lowered(text)}.`
        : ` It’s set in ${COMMON.test(text) ? lowered(text) : text}.`
    case 'themes':
      return ` It’s about ${lowered(text)}.`
    case 'art':
      return ` In the art, expect ${lowered(text)}.`
    case 'labels':
      return ` It’s ${/^[aeiou]/iu.test(text) ? 'an' : 'a'} ${text} story.`
    case 'lovedBy':
      return ` I’d recommend it to ${lowered(text)}.`
    case 'story':
      return ` ${text}.`
    case 'alike':
      return COUNTED.test(text) ? ` Both have ${lowered(text)}.` : ` They share ${lowered(text)}.`
  }
}

const MEASURES: Readonly<Record<Measure, string>> = {
  cheaper: 'cheaper',
  shorter: 'shorter',
  longer: 'longer',
  newer: 'newer',
  older: 'older',
  easier: 'easier to read',
  darker: 'darker',
  better: 'different',
}

/** The stated limits as a shopper would name them. */
function limitTexts(limits: Limits): readonly string[] {
  const names: readonly ConditionName[] = [
    'inStock',
    'demographic',
    'year',
    'volumes',
    'status',
    'volumeYen',
    'totalYen',
  ]
  return names.flatMap((name) => conditionTexts(name, { limits, want: [], publishedIn: [] }))
}

function conditionTexts(
  name: ConditionName,
  { limits, want, publishedIn }: Part<Conditions, 'limits' | 'want' | 'publishedIn'>,
): readonly string[] {
  switch (name) {
    case 'inStock':
      return limits.inStock === true ? ['in stock'] : []
    case 'demographic':
      return limits.demographic === undefined ? [] : [labelOf(READERSHIPS, limits.demographic, 'en')]
    case 'year':
      return range([limits.yearFrom, limits.yearTo], String, ['from', 'up to'])
    case 'volumes':
      return range([limits.volumesMin, limits.volumesMax], (volumes) => plural(volumes, 'volume'), [
        'at least',
        'at most',
      ])
    case 'status':
      return limits.status === undefined ? [] : [limits.status === 'completed' ? 'finished' : STATUS[limits.status]]
    case 'volumeYen':
      return range([limits.volumeYenMin, limits.volumeYenMax], (amount) => `${yen(amount)} a volume`, ['from', 'up to'])
    case 'totalYen':
      return limits.totalYenMax === undefined ? [] : [`under ${yen(limits.totalYenMax)} in all`]
    case 'publishedIn':
      return publishedIn.slice(0, 1)
    case 'want':
      return want.filter(isKeyed).map(({ text }) => `“${text}”`)
    case 'by':
    case 'avoid':
    case 'age':
    case 'notBy':
    case 'notPublishedIn':
      return []
  }
}

/** A condition as the thing that was given up for it. */
function givenUp(
  name: ConditionName,
  conditions: Part<Conditions, 'limits' | 'want' | 'publishedIn'>,
): readonly string[] {
  const { limits } = conditions
  switch (name) {
    case 'inStock':
      return limits.inStock === true ? ['having it in stock'] : []
    case 'volumes':
      return limits.volumesMax === undefined && limits.volumesMin === undefined
        ? []
        : [`the length (${conditionTexts(name, conditions).join(', ')})`]
    case 'status':
      return limits.status === undefined ? [] : [`“${conditionTexts(name, conditions).join('')}”`]
    case 'volumeYen':
    case 'totalYen':
      return conditionTexts(name, conditions).map((text) => `the price (${text})`)
    case 'year':
      return conditionTexts(name, conditions).length === 0
        ? []
        : [`the years (${conditionTexts(name, conditions).join(' ')})`]
    case 'demographic':
      return conditionTexts(name, conditions).map((text) => `“${text}”`)
    case 'publishedIn':
    case 'want':
    case 'by':
    case 'avoid':
    case 'age':
    case 'notBy':
    case 'notPublishedIn':
      return conditionTexts(name, conditions)
  }
}

function range(
  [min, max]: readonly [min: number | undefined, max: number | undefined],
  unit: (value: number) => string,
  [from, to]: readonly [string, string],
): readonly string[] {
  if (min !== undefined && min === max) return [unit(min)]
  return [...(min === undefined ? [] : [`${from} ${unit(min)}`]), ...(max === undefined ? [] : [`${to} ${unit(max)}`])]
}

/** The words of English answers. */
export const english = {
  title,
  yen,
  plural,
  length,
  wholeOf,
  joined,
  titles,
  STATUS,
  pick,
  drawback,
  lowered,
  reason,
  MEASURES,
  limitTexts,
  conditionTexts,
  givenUp,
}
