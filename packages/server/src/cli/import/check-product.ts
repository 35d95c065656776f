// A row becomes a product: what can be derived is filled in, and everything that is wrong is named by its field. Facts that are not
// there stay unknown.
import { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { Compile } from 'typebox/compile'
import { BILINGUAL, BILINGUAL_LISTS } from './bilingual-fields.ts'
import type { Problem } from './rows.ts'

type Fields = Record<string, unknown>
export type Checked = { readonly product: Product } | { readonly problems: readonly Problem[] }

const validator = Compile(Product)
const REQUIRED = ['id', 'title', 'volumes', 'pricePerVolumeYen', 'stock']
const PROBLEMS_PER_ROW_MAX = 5

export function checkProduct(row: object, line: number): Checked {
  const given = row as Fields
  const problem = (field: string, message: string): Problem => ({ line, field, message })
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(Product.properties, name))
  const missing = REQUIRED.filter((name) => given[name] === undefined)
  const product = completed(given)
  const problems = [
    ...unknown.map((name) => problem(name, 'is not a field of a product')),
    ...missing.map((name) => problem(name, 'is missing')),
    ...[...schemaProblems(product)]
      .filter(([field]) => !missing.includes(field.split('.')[0] ?? ''))
      .map(([field, message]) => problem(field, message)),
    ...contradictions(product as Partial<Product>).map(([field, message]) => problem(field, message)),
  ]
  return problems.length > 0
    ? { problems: problems.slice(0, PROBLEMS_PER_ROW_MAX) }
    : { product: product as unknown as Product }
}

function* schemaProblems(product: Fields): Generator<readonly [field: string, message: string]> {
  if (validator.Check(product)) return
  const seen = new Set<string>()
  for (const { instancePath, message } of validator.Errors(product)) {
    const field = instancePath.slice(1).replaceAll('/', '.')
    if (field === '' || seen.has(field)) continue
    seen.add(field)
    yield [field, `${message}${shown(product, field)}`]
  }
}

function shown(product: Fields, field: string): string {
  const value = field.split('.').reduce<unknown>((inner, key) => (inner as Fields | undefined)?.[key], product)
  return typeof value === 'string' || typeof value === 'number' ? `, not ${JSON.stringify(value).slice(0, 60)}` : ''
}

/** Title, names and texts that are given in one language are used for both; the author is the writer and the artist. */
function completed(given: Fields): Fields {
  const product: Fields = { ...given }
  const title = typeof given['title'] === 'string' ? { ja: given['title'] } : given['title']
  if (isFields(title)) product['title'] = completedTitle(title)
  for (const name of BILINGUAL) if (product[name] !== undefined) product[name] = inBothLanguages(product[name])
  for (const name of BILINGUAL_LISTS) {
    const lists = product[name]
    if (isFields(lists)) product[name] = { ...lists, ja: lists['ja'] ?? [], en: lists['en'] ?? [] }
  }
  product['author'] ??= authorOf(product)
  if (product['author'] === undefined) delete product['author']
  for (const name of ['aliases', 'genres', 'moods']) product[name] ??= []
  return product
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function completedTitle(title: Fields): Fields {
  const { en, ja, romaji } = title
  const any = ja ?? en ?? romaji
  return any === undefined ? title : { ...title, ja: any, en: en ?? romaji ?? any, romaji: romaji ?? en ?? any }
}

function inBothLanguages(value: unknown): unknown {
  if (typeof value === 'string') return { ja: value, en: value }
  if (!isFields(value)) return value
  const any = value['ja'] ?? value['en']
  return any === undefined ? value : { ...value, ja: value['ja'] ?? any, en: value['en'] ?? any }
}

function authorOf({ artist, writer }: Fields): unknown {
  const people = [writer, artist].filter(isFields)
  const [first, second] = people
  if (first === undefined || second === undefined || first['ja'] === second['ja']) return first
  const both = (language: 'ja' | 'en') => `${String(first[language])} / ${String(second[language])}`
  return { ja: both('ja'), en: both('en') }
}

function contradictions(product: Partial<Product>): readonly (readonly [field: string, message: string])[] {
  const { firstYear, lastYear, releases, volumeOffers } = product
  return [
    ...(isAfter(firstYear, lastYear) ? [['lastYear', 'is before firstYear'] as const] : []),
    ...twice('volumeOffers', volumeOffers),
    ...twice('releases', releases),
    ...(Array.isArray(releases) ? releases : []).flatMap(({ date }, at) =>
      isDay(date) ? [] : [[`releases.${at}.date`, `is not a day, such as 2026-12-04`] as const],
    ),
  ]
}

const isAfter = (a: unknown, b: unknown): boolean => typeof a === 'number' && typeof b === 'number' && a > b

function twice(field: string, rows: readonly { readonly volume: number }[] | undefined): (readonly [string, string])[] {
  if (!Array.isArray(rows)) return []
  const volumes = (rows as readonly { readonly volume: number }[]).map(({ volume }) => volume)
  const repeated = volumes.find((volume, at) => volumes.indexOf(volume) !== at)
  return repeated === undefined ? [] : [[field, `has volume ${repeated} twice`]]
}

/** Whether the calendar has the day: 30 February has the right form. */
export function isDay(date: unknown): boolean {
  if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return false
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
