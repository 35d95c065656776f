// `mangaassist releases`: lists the volumes that come out, by day.
import { byDate, releasesOf } from '@mangaassist/bookseller/catalogue/release-calendar'
import type { Release } from '@mangaassist/bookseller/catalogue/release-calendar'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { dateAfter, weekdayOf } from '#lib/time/date-after.ts'
import { shopProducts } from '#wiring/profiles/shop-products.ts'
import { printFound } from '../output/print-found.ts'
import { parseFlags, UsageError } from '../command.ts'
import type { Command } from '../command.ts'

const flags = {
  from: { type: 'string' },
  days: { type: 'string' },
  json: { type: 'boolean' },
} as const

const DAYS = 28
const DAYS_MAX = 366

export const releases: Command = {
  summary: 'List the volumes that come out, by day',
  usage: `Usage: mangaassist releases [--from DATE] [--days N] [--json]

Lists the new volumes of the catalogue in DATA_DIR, or of the one that comes with the program where
there is none yet. It only reads: a server may be running. Days are those of the shop's time zone
(store.timeZone). The dates that come with the program are invented for its demo shop.

  --from DATE  the first day, such as 2027-01-06 (default: today)
  --days N     how many days from then on (default ${DAYS}, at most ${DAYS_MAX})
  --json       as JSON`,

  async run(args, terminal) {
    const values = parseFlags(args, flags)
    const days = daysOf(values.days)
    const clock = systemClock()
    const { server, store } = await loadConfig({ ...terminal, clock })
    const from = values.from ?? dayOf(clock.now(), store.timeZone).key
    const to = dateAfter(from, days - 1)
    if (to === undefined) throw new UsageError('--from must be a date such as 2027-01-06.')
    const products = new Map((await shopProducts(server.dataDir)).map((product) => [product.id, product]))
    const found = [...products.values()].flatMap((product) => releasesOf(product, { from, to })).toSorted(byDate)
    const listed = found.map((release) => entryOf(release, products.get(release.productId)))
    const output = { stdout: terminal.stdout, isJson: values.json === true }
    printFound(output, { from, to, releases: listed }, () => table(listed, { from, to }))
    return 0
  },
}

interface Entry {
  readonly date: string
  readonly id: string
  readonly volume: number
  readonly title: Pick<Product['title'], 'ja' | 'en'> | undefined
}

function entryOf({ date, productId, volume }: Release, product: Product | undefined): Entry {
  const title = product === undefined ? undefined : { ja: product.title.ja, en: product.title.en }
  return { date, id: productId, volume, title }
}

function daysOf(given: string | undefined): number {
  const days = Number(given ?? DAYS)
  if (Number.isInteger(days) && days >= 1 && days <= DAYS_MAX) return days
  throw new UsageError(`--days must be a whole number from 1 to ${DAYS_MAX}.`)
}

function table(entries: readonly Entry[], { from, to }: { readonly from: string; readonly to: string }): string {
  if (entries.length === 0) return `No release from ${from} to ${to}.`
  const idWidth = Math.max(...entries.map(({ id }) => id.length))
  const volumeWidth = Math.max(...entries.map(({ volume }) => String(volume).length))
  const lines = entries.map(({ date, id, volume, title }) => {
    const names = [title?.en, title?.ja].filter((name) => name !== undefined)
    const day = `${date} ${weekdayOf(date) ?? ''}`
    return [day, id.padEnd(idWidth), `vol. ${String(volume).padStart(volumeWidth)}`, names.join(' / ')].join('  ')
  })
  return lines.join('\n')
}
