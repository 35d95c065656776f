// The checked products of a catalogue file, completed with prices, stock and dates of other files. Bad rows go to `onProblem`.
import { extname } from 'node:path'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { UsageError } from '../command.ts'
import { checkProduct } from './check-product.ts'
import { withOffer } from './offer-files.ts'
import type { OfferChanges } from './offer-files.ts'
import { PRODUCT_COLUMNS, productOf } from './product-columns.ts'
import { csvRows, jsonRows } from './rows.ts'
import type { Problem, Row } from './rows.ts'

export interface ReadParts {
  readonly path: string
  readonly offers: OfferChanges
  readonly onProblem: (problems: readonly Problem[]) => void
  readonly onBytes?: (bytes: number) => void
}

export async function* readProducts({ offers, onBytes, onProblem, path }: ReadParts): AsyncGenerator<Product> {
  const lines = new Map<string, number>()
  for await (const row of rowsOf(path, onBytes)) {
    const checked = 'problems' in row ? row : checkProduct(row.value, row.line)
    if ('problems' in checked) {
      onProblem(checked.problems)
      continue
    }
    const { product } = checked
    const former = lines.get(product.id)
    if (former === undefined) {
      lines.set(product.id, row.line)
      yield withOffer(product, offers.changes.get(product.id)?.change)
    } else onProblem([{ line: row.line, field: 'id', message: `${product.id} is also that of line ${former}` }])
  }
}

async function* rowsOf(path: string, onBytes?: (bytes: number) => void): AsyncGenerator<Row<object>> {
  const ending = extname(path).toLowerCase()
  if (ending === '.jsonl' || ending === '.ndjson') return yield* jsonRows(path, onBytes)
  if (ending !== '.csv' && ending !== '.tsv') throw new UsageError(`${path} must be a .csv or a .jsonl file.`)
  for await (const row of csvRows(path, PRODUCT_COLUMNS, onBytes))
    yield 'value' in row ? { line: row.line, value: productOf(row.value) } : row
}
