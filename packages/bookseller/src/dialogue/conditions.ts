// The conditions that a shopper has stated, and whether a product meets them. Everything that is shown passes this check,
// whatever a search returned: no series against a stated dislike, age or limit.
import { totalYen } from '../catalogue/catalogue.ts'
import type { Product } from '../catalogue/catalogue.ts'
import { fold } from '../text/words.ts'
import { isGenreName } from '../understanding/aspects.ts'
import { authorNames } from '../understanding/people.ts'
import type { Aspect, Limits } from '../understanding/reading.ts'

export interface Conditions {
  readonly want: readonly Aspect[]
  readonly avoid: readonly Aspect[]
  /** Ids of series that the suggestions should resemble. */
  readonly like: readonly string[]
  readonly by: readonly string[]
  readonly notBy: readonly string[]
  readonly publishedIn: readonly string[]
  readonly notPublishedIn: readonly string[]
  readonly limits: Limits
  /** For whom, as written. */
  readonly audience?: string
}

export const NO_CONDITIONS: Conditions = {
  want: [],
  avoid: [],
  like: [],
  by: [],
  notBy: [],
  publishedIn: [],
  notPublishedIn: [],
  limits: {},
}

/** The names of the conditions, as an answer names the ones that it had to relax. */
export const CONDITION_NAMES = [
  'inStock',
  'demographic',
  'year',
  'publishedIn',
  'volumes',
  'status',
  'volumeYen',
  'totalYen',
  'by',
  'want',
  'avoid',
  'age',
  'notBy',
  'notPublishedIn',
] as const
export type ConditionName = (typeof CONDITION_NAMES)[number]

/**
 * In this order conditions are relaxed when nothing meets them all; the others never are. A wish is a matter of degree and the
 * search orders by it; a number was meant as it was said.
 */
export const RELAXED_FIRST: readonly ConditionName[] = [
  'want',
  'inStock',
  'demographic',
  'year',
  'publishedIn',
  'volumes',
  'status',
  'volumeYen',
  'totalYen',
]

/** The conditions that the product does not meet; none when it may be shown. */
export function unmetBy(product: Product, conditions: Conditions): readonly ConditionName[] {
  const { limits } = conditions
  const unmet: Readonly<Record<Exclude<ConditionName, 'want'>, boolean>> = {
    inStock: limits.inStock === true && product.stock === 0,
    demographic: limits.demographic !== undefined && product.demographic !== limits.demographic,
    year: !isWithin(product.firstYear, limits.yearFrom, limits.yearTo),
    publishedIn: conditions.publishedIn.length > 0 && !isPublishedIn(product, conditions.publishedIn),
    volumes: !isWithin(product.volumes, limits.volumesMin, limits.volumesMax),
    status: limits.status !== undefined && !hasStatus(product, limits.status),
    volumeYen: !isWithin(product.pricePerVolumeYen, limits.volumeYenMin, limits.volumeYenMax),
    totalYen: limits.totalYenMax !== undefined && totalYen(product) > limits.totalYenMax,
    by: conditions.by.length > 0 && !isBy(product, conditions.by),
    avoid: conditions.avoid.some((aspect) => hasAspect(product, aspect)),
    age: limits.age !== undefined && !isSuitableFor(product, limits.age),
    notBy: isBy(product, conditions.notBy),
    notPublishedIn: isPublishedIn(product, conditions.notPublishedIn),
  }
  const isMissing = missesWish(product, conditions)
  return CONDITION_NAMES.filter((name) => (name === 'want' ? isMissing : unmet[name]))
}

/** Moods that spoil the one that is wished for. */
const OPPOSITES: Readonly<Partial<Record<string, readonly string[]>>> = {
  light: ['dark', 'gritty', 'sad'],
  cosy: ['dark', 'gritty', 'tense'],
  heartwarming: ['dark', 'gritty'],
  quiet: ['thrilling', 'gritty'],
  hopeful: ['dark'],
}

/** A named genre must match exactly. A mood may match in part, unless the wish states nothing but moods. */
function missesWish(product: Product, { want, like }: Conditions): boolean {
  if (want.some((aspect) => isGenreName(aspect) && !hasAspect(product, aspect))) return true
  const moods = want.filter(({ genres, moods: keys }) => genres.length === 0 && keys.length > 0)
  const opposed = (key: string) =>
    !product.moods.includes(key) && OPPOSITES[key]?.some((mood) => product.moods.includes(mood))
  if (moods.some(({ moods: keys }) => keys.some(opposed))) return true
  const isOfKeys = like.length === 0 && want.every((aspect) => moods.includes(aspect) || isGenreName(aspect))
  return isOfKeys && moods.length > 0 && !moods.some((aspect) => hasAspect(product, aspect))
}

/** Without the conditions that were relaxed. */
export function relaxed(conditions: Conditions, names: readonly ConditionName[]): Conditions {
  const { inStock, demographic, yearFrom, yearTo, volumesMax, volumesMin, status, ...rest } = conditions.limits
  const { volumeYenMax, volumeYenMin, totalYenMax, age } = rest
  const kept = (name: ConditionName, value: Limits): Limits => (names.includes(name) ? {} : value)
  return {
    ...conditions,
    want: names.includes('want') ? conditions.want.filter((aspect) => !isKeyed(aspect)) : conditions.want,
    by: names.includes('by') ? [] : conditions.by,
    publishedIn: names.includes('publishedIn') ? [] : conditions.publishedIn,
    limits: {
      ...(age === undefined ? {} : { age }),
      ...kept('inStock', defined({ inStock })),
      ...kept('demographic', defined({ demographic })),
      ...kept('year', defined({ yearFrom, yearTo })),
      ...kept('volumes', defined({ volumesMax, volumesMin })),
      ...kept('status', defined({ status })),
      ...kept('volumeYen', defined({ volumeYenMax, volumeYenMin })),
      ...kept('totalYen', defined({ totalYenMax })),
    },
  }
}

/** The fields that have a value. */
export function defined<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>
  }
}

export function isNarrowed({ want, like, by, publishedIn, limits }: Conditions): boolean {
  return [want, like, by, publishedIn, Object.keys(limits)].some((list) => list.length > 0)
}

export const isKeyed = ({ genres, moods, content }: Aspect) => genres.length + moods.length + content.length > 0

/** Whether a series has a quality: by its keys, or, where the words have none, by what is known of its story. */
export function hasAspect(product: Product, aspect: Aspect): boolean {
  if (isKeyed(aspect)) {
    return (
      aspect.genres.some((key) => product.genres.includes(key) || product.demographic === key) ||
      aspect.moods.some((key) => product.moods.includes(key)) ||
      aspect.content.some((key) => product.content?.some((own) => own === key))
    )
  }
  const words = fold(aspect.text).trim()
  return words.length > 1 && knownTexts(product).some((text) => fold(text).includes(words))
}

function knownTexts({ themes, setting, protagonist, synopsis, hooks }: Product): readonly string[] {
  const texts = [setting?.ja, setting?.en, protagonist?.ja, protagonist?.en, synopsis?.ja, synopsis?.en]
  const lists = [themes?.ja, themes?.en, hooks?.ja, hooks?.en]
  return [...texts.filter((text) => text !== undefined), ...lists.flatMap((list) => list ?? [])]
}

/** A running series may be on hiatus; a finished one is only finished. */
function hasStatus(product: Product, status: NonNullable<Limits['status']>): boolean {
  return product.status === status || (status === 'running' && product.status === 'hiatus')
}

/** An unknown number meets no limit. */
function isWithin(value: number | undefined, min: number | undefined, max: number | undefined): boolean {
  if (min === undefined && max === undefined) return true
  return value !== undefined && value >= (min ?? 0) && value <= (max ?? Number.POSITIVE_INFINITY)
}

const isPublishedIn = ({ magazine, publisher }: Product, names: readonly string[]): boolean =>
  names.some((name) => name === magazine?.ja || name === publisher?.ja)

/** All people of a series, as their Japanese names. */
export function peopleOf({ author, writer, artist }: Product): readonly string[] {
  return [...new Set([...authorNames(author).ja, ...[writer?.ja, artist?.ja].filter((name) => name !== undefined)])]
}

const isBy = (product: Product, names: readonly string[]): boolean =>
  peopleOf(product).some((person) => names.includes(person))

const ADULT_FROM = 18
const TEEN_FROM = 13
const NOT_FOR_CHILDREN: ReadonlySet<string> = new Set([
  'dark',
  'gritty',
  'horror',
  'psychological',
  'crime',
  'war',
  'thriller',
  'dark-fantasy',
  'boys-love',
])

/** Where the age is unknown, what the series is about decides for a child. */
export function isSuitableFor({ age, genres, moods, demographic }: Product, years: number): boolean {
  if (age !== undefined) return age <= years
  if (years >= ADULT_FROM) return true
  if (demographic === 'seinen' || demographic === 'josei') return false
  return years >= TEEN_FROM || ![...genres, ...moods].some((key) => NOT_FOR_CHILDREN.has(key))
}
