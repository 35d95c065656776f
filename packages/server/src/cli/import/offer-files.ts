// The files of prices and stock and of release dates: a row for each product or volume. They change products that the catalogue has, or
// complete those of a catalogue file.
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { changedOffer, partsOf } from '@mangaassist/bookseller/catalogue/offer'
import type { OfferChange } from '@mangaassist/bookseller/catalogue/offer'
import { isDay } from './check-product.ts'
import { csvRows } from './rows.ts'
import type { Cells, Problem } from './rows.ts'

export interface OfferChanges {
  readonly changes: ReadonlyMap<string, { readonly change: OfferChange; readonly line: number; readonly path: string }>
  readonly rows: number
  readonly problems: readonly (Problem & { readonly path: string })[]
}

interface Offered {
  readonly id: string
  readonly change: Omit<OfferChange, 'id'>
}

const STOCK_COLUMNS = ['id', 'volume', 'priceYen', 'stock']
const RELEASE_COLUMNS = ['id', 'volume', 'date']
const VOLUME_MAX = 9999

export async function readOfferFiles(files: {
  readonly stock?: string
  readonly releases?: string
}): Promise<OfferChanges> {
  const changes = new Map<string, { change: OfferChange; line: number; path: string }>()
  const problems: (Problem & { path: string })[] = []
  let rows = 0
  const read = async (path: string, columns: readonly string[], of: (cells: Cells) => Offered | string) => {
    for await (const row of csvRows(path, columns)) {
      rows += 1
      const read = 'value' in row ? of(row.value) : undefined
      if ('problems' in row) problems.push(...row.problems.map((problem) => ({ ...problem, path })))
      else if (typeof read === 'string') problems.push({ line: row.line, field: '', message: read, path })
      else if (read !== undefined) {
        const before = changes.get(read.id)
        changes.set(read.id, {
          change: joined(before?.change, read),
          line: before?.line ?? row.line,
          path: before?.path ?? path,
        })
      }
    }
  }
  if (files.stock !== undefined) await read(files.stock, STOCK_COLUMNS, stockOf)
  if (files.releases !== undefined) await read(files.releases, RELEASE_COLUMNS, releaseOf)
  return { changes, rows, problems }
}

export function withOffer(product: Product, change: OfferChange | undefined): Product {
  if (change === undefined) return product
  const { facts, offer } = partsOf(product)
  return { ...facts, ...changedOffer(offer, change) }
}

function joined(before: OfferChange | undefined, { change, id }: Offered): OfferChange {
  const volumeOffers = [...(before?.volumeOffers ?? []), ...(change.volumeOffers ?? [])]
  const releases = [...(before?.releases ?? []), ...(change.releases ?? [])]
  return {
    id,
    ...before,
    ...change,
    ...(volumeOffers.length === 0 ? {} : { volumeOffers }),
    ...(releases.length === 0 ? {} : { releases }),
  }
}

function stockOf(cells: Cells): Offered | string {
  const id = cells.get('id')
  if (id === undefined) return 'id is missing'
  const volume = integerIn(cells, 'volume', { min: 1, max: VOLUME_MAX })
  const priceYen = integerIn(cells, 'priceYen', { min: 1 })
  const stock = integerIn(cells, 'stock', { min: 0 })
  for (const read of [volume, priceYen, stock]) if (typeof read === 'string') return read
  if (priceYen === undefined && stock === undefined) return 'has neither priceYen nor stock'
  const numbers = { priceYen, stock } as { readonly priceYen?: number; readonly stock?: number }
  const offer = numbers.stock === undefined ? {} : { stock: numbers.stock }
  if (typeof volume !== 'number')
    return {
      id,
      change: { ...offer, ...(numbers.priceYen === undefined ? {} : { pricePerVolumeYen: numbers.priceYen }) },
    }
  const priced = numbers.priceYen === undefined ? {} : { priceYen: numbers.priceYen }
  return { id, change: { volumeOffers: [{ volume, ...priced, ...offer }] } }
}

function releaseOf(cells: Cells): Offered | string {
  const [id, date] = [cells.get('id'), cells.get('date')]
  if (id === undefined) return 'id is missing'
  const volume = integerIn(cells, 'volume', { min: 1, max: VOLUME_MAX })
  if (typeof volume === 'string') return volume
  if (volume === undefined) return 'volume is missing'
  if (date === undefined || !isDay(date))
    return `date must be a day such as 2026-12-04, not ${JSON.stringify(date ?? '')}`
  return { id, change: { releases: [{ volume, date }] } }
}

/** A text is the problem. */
function integerIn(cells: Cells, name: string, { max = 1_000_000_000, min }: { min: number; max?: number }) {
  const cell = cells.get(name)
  if (cell === undefined) return undefined
  const value = Number(cell)
  const isFit = /^\d+$/.test(cell) && value >= min && value <= max
  return isFit ? value : `${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(cell)}`
}
