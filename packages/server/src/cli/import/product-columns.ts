// The columns of a product in CSV: dotted names for fields inside fields, `|` between the items of a list, and `:` inside an item. A number
// that cannot be read stays a text, so that the check of the product names it.
import type { Cells } from './rows.ts'
import { BILINGUAL, BILINGUAL_LISTS } from './bilingual-fields.ts'

type Read = (cell: string) => unknown

const text: Read = (cell) => cell
const integer: Read = (cell) => (/^-?\d+$/.test(cell) ? Number(cell) : cell)
const list: Read = (cell) => itemsOf(cell)
const listOf = (names: readonly string[], numbers: readonly string[]): Read => {
  return (cell) =>
    itemsOf(cell).map((item) => {
      const parts = item.split(':').map((part) => part.trim())
      const named = names.map((name, at) => [name, parts[at] ?? ''] as const).filter(([, part]) => part !== '')
      return Object.fromEntries(named.map(([name, part]) => [name, numbers.includes(name) ? integer(part) : part]))
    })
}

const itemsOf = (cell: string): readonly string[] =>
  cell
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const inBoth = (names: readonly string[], read: Read): Readonly<Record<string, Read>> =>
  Object.fromEntries(names.flatMap((name) => [`${name}.ja`, `${name}.en`]).map((name) => [name, read]))

const COLUMNS: Readonly<Record<string, Read>> = {
  id: text,
  'title.ja': text,
  'title.en': text,
  'title.romaji': text,
  'title.kana': text,
  ...inBoth(BILINGUAL, text),
  'original.kind': text,
  ...inBoth(BILINGUAL_LISTS, list),
  aliases: list,
  genres: list,
  moods: list,
  content: list,
  demographic: text,
  status: text,
  pace: text,
  firstYear: integer,
  lastYear: integer,
  volumes: integer,
  pricePerVolumeYen: integer,
  stock: integer,
  age: integer,
  volumeOffers: listOf(['volume', 'priceYen', 'stock'], ['volume', 'priceYen', 'stock']),
  releases: listOf(['volume', 'date'], ['volume']),
  adaptations: listOf(['kind', 'year'], ['year']),
}

export const PRODUCT_COLUMNS: readonly string[] = Object.keys(COLUMNS)

/** The cells as a product may be written in JSON, unchecked. */
export function productOf(cells: Cells): object {
  const product: Record<string, unknown> = {}
  for (const [name, cell] of cells) {
    const value = COLUMNS[name]?.(cell)
    const [field = '', part] = name.split('.')
    if (part === undefined) product[field] = value
    else product[field] = { ...(product[field] as object | undefined), [part]: value }
  }
  return product
}
