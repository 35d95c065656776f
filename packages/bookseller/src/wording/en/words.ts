// The English names of numbers, states, conditions and content.
import type { Product } from '../../catalogue/catalogue.ts'
import { totalYen } from '../../catalogue/catalogue.ts'
import { isKeyed } from '../../dialogue/conditions.ts'
import type { ConditionName, Conditions } from '../../dialogue/conditions.ts'
import type { Reason } from '../../dialogue/reasons.ts'
import type { Limits, Measure } from '../../understanding/reading.ts'
import { labelOf, READERSHIPS } from '../../understanding/vocabulary.ts'
import type { Part, Pick, PickFact } from '../lines.ts'
import { linked } from '../link.ts'

const title = (product: Product): string => linked(product.title.en, `/series/${product.id}`)
const yen = (amount: number): string => `¥${amount.toLocaleString('en-US')}`
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const length = ({ volumes }: Product): string => plural(volumes, 'volume')

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

const factsOf = ({ product, facts }: Pick): readonly string[] => facts.map((fact) => PICK_FACTS[fact](product))
const bracketed = (parts: readonly string[]): string => (parts.length === 0 ? '' : ` (${parts.join('; ')})`)

/** The title with the facts that answer a condition. */
const pick = (one: Pick): string => `${title(one.product)}${bracketed(factsOf(one))}`

/** The title with its reason beside it. */
function shortPick(one: Pick): string {
  if (one.reason?.kind === 'pitch') return `${pick(one)}, ${one.reason.text}`
  const reason = one.reason === undefined ? [] : [shortReason(one.reason)]
  return `${title(one.product)}${bracketed([...reason, ...factsOf(one)])}`
}

function shortReason({ kind, text }: Reason): string {
  if (kind === 'setting') return text
  if (kind === 'art' || kind === 'alike') return lowered(text)
  if (kind === 'labels') return text
  return kind === 'lovedBy' ? `for ${lowered(text)}` : text
}

const PROPER =
  /^(?:[A-Z]{2}|I\b|Japan|Edo|Tokyo|Tezuka|Western|European|English|French|American|Chinese|Meiji|Taisho|Showa|Kansai|Osaka|Kyoto|Jump|Jojo|Gundam)/u

/** The first letter small, unless the word is a name. */
const lowered = (text: string): string => (PROPER.test(text) ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`)

/** Places mostly begin with a name. */
const COMMON = /^(?:A|An|The|Present|Modern|Contemporary)\b/u
const PLACED = /^(?:from|in|on|at|between|across|aboard|around|under|inside|during|after|before|along)\b/iu

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
        : ` It is set in ${COMMON.test(text) ? lowered(text) : text}.`
    case 'themes':
      return ` It is about ${text}.`
    case 'art':
      return ` The art: ${lowered(text)}.`
    case 'labels':
      return ` A ${text} story.`
    case 'lovedBy':
      return ` One for ${lowered(text.replace(/^for /iu, ''))}.`
    case 'story':
      return ` ${text}.`
    case 'alike':
      return ` The common thread: ${lowered(text)}.`
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

const CONTENT: Readonly<Record<NonNullable<Product['content']>[number], string>> = {
  'violence-mild': 'mild violence',
  'violence-strong': 'strong violence',
  gore: 'blood and gore',
  'sexual-mild': 'mild sexual content',
  'sexual-strong': 'sexual content',
  nudity: 'nudity',
  frightening: 'frightening scenes',
  loss: 'the death of loved ones',
  bullying: 'bullying',
  suicide: 'suicide',
  abuse: 'abuse',
  drugs: 'drugs',
  'alcohol-tobacco': 'drinking and smoking',
  war: 'war',
  discrimination: 'discrimination',
  'strong-language': 'strong language',
  'animal-death': 'the death of animals',
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
  joined,
  titles,
  STATUS,
  pick,
  shortPick,
  lowered,
  reason,
  MEASURES,
  CONTENT,
  limitTexts,
  conditionTexts,
}
