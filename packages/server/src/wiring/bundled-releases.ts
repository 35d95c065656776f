// Reads the release dates that come with the program, a CSV file with the columns id, volume and date, and joins them to
// the products. A wrong line stops the start and is named. Without the file there are no dates. A line of a series that
// the catalogue does not have is ignored: a shop may replace the catalogue and not this file.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { parseCsv } from '#lib/text/csv.ts'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { StartError } from './start-error.ts'

interface ReleaseRow {
  readonly id: string
  readonly volume: number
  readonly date: string
}

const COLUMNS = 'id,volume,date'
const DATE = /^\d{4}-\d{2}-\d{2}$/

export interface BundledReleases {
  /** Empty when there is no file. */
  readonly text: string
  join(products: readonly Product[]): readonly Product[]
}

export async function readReleases(folder: string): Promise<BundledReleases> {
  const path = join(folder, 'releases.csv')
  const text = await readIfPresent(path)
  const rows = Map.groupBy(rowsOf(path, text), ({ id }) => id)
  return {
    text,
    join: (products) =>
      products.map((product) => {
        const own = rows.get(product.id)?.map(({ volume, date }) => ({ volume, date }))
        return own === undefined ? product : { ...product, releases: [...(product.releases ?? []), ...own] }
      }),
  }
}

async function readIfPresent(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function rowsOf(path: string, text: string): readonly ReleaseRow[] {
  const [head, ...rows] = parsed(path, text)
  if (head === undefined) return []
  if (head.join() !== COLUMNS) throw new StartError(`${path}:1: the columns must be ${COLUMNS}`)
  return rows.map(([id = '', volume = '', date = ''], index) => {
    const row = { id, volume: Number(volume), date }
    const isRight =
      id !== '' && /^[1-9]\d{0,3}$/.test(volume) && DATE.test(date) && fromIsoTime(`${date}T00:00Z`) !== undefined
    if (isRight) return row
    throw new StartError(
      `${path}: entry ${index + 1} (${[id, volume, date].join()}) needs an id, a volume and a YYYY-MM-DD date`,
    )
  })
}

function parsed(path: string, text: string): readonly (readonly string[])[] {
  try {
    return parseCsv(text)
  } catch (error) {
    throw new StartError(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
