// The Japanese names of numbers, states, conditions and content.
import type { Product } from '../../catalogue/catalogue.ts'
import { totalYen } from '../../catalogue/catalogue.ts'
import { isKeyed } from '../../dialogue/conditions.ts'
import type { ConditionName, Conditions } from '../../dialogue/conditions.ts'
import { alikeShape } from '../../dialogue/reason-shape.ts'
import type { Reason } from '../../dialogue/reason-shape.ts'
import type { Limits, Measure } from '../../understanding/reading.ts'
import { labelOf, READERSHIPS } from '../../understanding/vocabulary.ts'
import type { Part, Pick, PickFact } from '../lines.ts'
import { linked } from '../link.ts'

const title = (product: Product): string => linked(`『${product.title.ja}』`, `/series/${product.id}`)
const titles = (products: readonly Product[], joined = 'と'): string => products.map(title).join(joined)
const yen = (amount: number): string => `${amount.toLocaleString('en-US')}円`

/** 全23巻, or 既刊 while it may continue. */
const length = ({ status, volumes }: Product): string => `${status === 'completed' ? '全' : '既刊'}${volumes}巻`

const STATUS = { completed: '完結', running: '連載中', hiatus: '休載中' } as const

const PICK_FACTS: Readonly<Record<PickFact, (product: Product) => string>> = {
  total: (product) => `${length(product)}で${yen(totalYen(product))}`,
  volumes: length,
  status: ({ status }) => (status === undefined ? '' : STATUS[status]),
  price: ({ pricePerVolumeYen }) => `1巻${yen(pricePerVolumeYen)}`,
  age: ({ age }) => (age === undefined || age === 0 ? 'どの年齢でも' : `${age}歳から`),
  year: ({ firstYear }) => `${firstYear}年開始`,
  'sold-out': () => 'ただいま在庫切れ',
  hiatus: () => '休載中',
}

/** What stands in brackets after a title: figures and the status. */
const IN_BRACKETS: ReadonlySet<PickFact> = new Set(['total', 'volumes', 'status', 'price', 'age', 'year'])

function figures({ product, facts }: Pick): string {
  const parts = facts.filter((fact) => IN_BRACKETS.has(fact)).map((fact) => PICK_FACTS[fact](product))
  return parts.length === 0 ? '' : `（${parts.join('・')}）`
}

/** The title with the figures that answer a condition. */
const pick = (one: Pick): string => `${title(one.product)}${figures(one)}`

/** What a buyer must know: 「ただいま在庫切れ」. */
const drawback = ({ product, facts }: Pick): string =>
  facts
    .filter((fact) => !IN_BRACKETS.has(fact))
    .map((fact) => PICK_FACTS[fact](product))
    .join('で、')

/** A reason as a sentence of its own. */
function reason(one: Reason | undefined): string {
  if (one === undefined) return ''
  const { kind, text } = one
  switch (kind) {
    case 'pitch':
      return `${text}です。`
    case 'protagonist':
      return `${text}が主人公です。`
    case 'setting':
      return `舞台は${text}です。`
    case 'themes':
      return `${text}を描いた作品です。`
    case 'art':
      return `絵の見どころは${text}です。`
    case 'labels':
      return `${text}作品です。`
    case 'lovedBy':
      return `${text}おすすめです。`
    case 'alike':
      return `${ALIKE[alikeShape(text)](text)}。`
    case 'story':
      return `${text}。`
  }
}

const ALIKE: Readonly<Record<ReturnType<typeof alikeShape>, (text: string) => string>> = {
  clause: (text) => `${text}ところが近い作品です`,
  people: (text) => `どちらにも、${text}が登場します`,
  noun: (text) => `${text}が共通しています`,
}

const MEASURES: Readonly<Record<Measure, string>> = {
  cheaper: 'もっとお手頃なもの',
  shorter: 'もっと短いもの',
  longer: 'もっと長く楽しめるもの',
  newer: 'もっと新しいもの',
  older: 'もっと昔のもの',
  easier: 'もっと読みやすいもの',
  darker: 'もっとダークなもの',
  better: '別のもの',
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
      return limits.inStock === true ? ['在庫あり'] : []
    case 'demographic':
      return limits.demographic === undefined ? [] : [labelOf(READERSHIPS, limits.demographic, 'ja')]
    case 'year':
      return range([limits.yearFrom, limits.yearTo], (year) => `${year}年`, ['以降', '以前'])
    case 'volumes':
      return range([limits.volumesMin, limits.volumesMax], (volumes) => `${volumes}巻`, ['以上', '以内'])
    case 'status':
      return limits.status === undefined ? [] : [STATUS[limits.status]]
    case 'volumeYen':
      return range([limits.volumeYenMin, limits.volumeYenMax], (amount) => `1巻${yen(amount)}`, ['以上', '以内'])
    case 'totalYen':
      return limits.totalYenMax === undefined ? [] : [`全巻で${yen(limits.totalYenMax)}以内`]
    case 'publishedIn':
      return publishedIn.slice(0, 1)
    case 'want':
      return want.filter(isKeyed).map(({ text }) => text)
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
  return [...(min === undefined ? [] : [`${unit(min)}${from}`]), ...(max === undefined ? [] : [`${unit(max)}${to}`])]
}

/** The words of Japanese answers. */
export const japanese = {
  title,
  titles,
  yen,
  length,
  STATUS,
  pick,
  drawback,
  reason,
  MEASURES,
  limitTexts,
  conditionTexts,
}
