// The Japanese names of numbers, states, conditions and content.
import type { Product } from '../../catalogue/catalogue.ts'
import { totalYen } from '../../catalogue/catalogue.ts'
import { isKeyed } from '../../dialogue/conditions.ts'
import type { ConditionName, Conditions } from '../../dialogue/conditions.ts'
import type { Reason } from '../../dialogue/reasons.ts'
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

const factsOf = ({ product, facts }: Pick): readonly string[] => facts.map((fact) => PICK_FACTS[fact](product))
const bracketed = (parts: readonly string[], between = '・'): string =>
  parts.length === 0 ? '' : `（${parts.join(between)}）`

/** The title with the facts that answer a condition. */
const pick = (one: Pick): string => `${title(one.product)}${bracketed(factsOf(one))}`

/** The title with its reason in brackets. */
function shortPick(one: Pick): string {
  const facts = factsOf(one).join('・')
  const reason = one.reason === undefined ? '' : shortReason(one.reason)
  return `${title(one.product)}${bracketed(
    [facts, reason].filter((part) => part !== ''),
    '。',
  )}`
}

function shortReason({ kind, text }: Reason): string {
  if (kind === 'setting') return `舞台は${text}`
  if (kind === 'art') return `絵は${text}`
  return text
}

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
      return `${text.replace(/人に$/u, '人におすすめです')}。`
    case 'alike':
    case 'story':
      return `${text}。`
  }
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

const CONTENT: Readonly<Record<NonNullable<Product['content']>[number], string>> = {
  'violence-mild': '軽い暴力',
  'violence-strong': '激しい暴力',
  gore: '流血や残酷な場面',
  'sexual-mild': '軽い性的な表現',
  'sexual-strong': '性的な描写',
  nudity: '裸の描写',
  frightening: '怖い場面',
  loss: '大切な人との別れや死',
  bullying: 'いじめ',
  suicide: '自死にふれる場面',
  abuse: '虐待の描写',
  drugs: '薬物',
  'alcohol-tobacco': '飲酒や喫煙',
  war: '戦争',
  discrimination: '差別',
  'strong-language': '乱暴な言葉づかい',
  'animal-death': '動物の死',
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
  shortPick,
  reason,
  MEASURES,
  CONTENT,
  limitTexts,
  conditionTexts,
}
