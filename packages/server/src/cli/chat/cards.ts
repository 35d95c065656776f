// The products of an answer as short lines, aligned where the screen is wide enough; each with the reason for it and the address of its page.
import type { Language, ProductCard } from '@mangaassist/protocol'
import { cutTo, displayWidth, padTo } from '../output/display-width.ts'
import { printable } from '../output/screen.ts'
import type { Screen, Style } from '../output/screen.ts'
import { SHOP_WORDS } from '../output/shop-words.ts'

const GAP = '   '
const TITLE_MAX = 40
/** The column of the stock, which has a colour. */
const STOCK = 3

interface CardLine {
  /** Title, length, price and stock. */
  readonly cells: readonly string[]
  readonly hasStock: boolean
  /** Why it was suggested; empty where the shopper named it. */
  readonly why: string
  readonly address: string
}

/** All in one line, the facts below the title, or each fact in its own line. */
type Layout = 'line' | 'title-above' | 'stacked'

export function cardLines(
  products: readonly ProductCard[],
  { language, screen, addressOf }: { language: Language; screen: Screen; addressOf: (url: string) => string },
): readonly string[] {
  const words = SHOP_WORDS[language]
  const titleMax = Math.min(TITLE_MAX, screen.columns() - 4)
  const cards = products.map((product): CardLine => {
    const title = cutTo(printable(product.title[language]), titleMax)
    return {
      cells: [title, words.volumes(product), words.price(product), words.stock(product.stock)],
      hasStock: product.stock > 0,
      why: cutTo(printable(product.why ?? ''), screen.columns() - 4),
      address: addressOf(product.url),
    }
  })
  const widths = [0, 1, 2, STOCK].map((column) =>
    Math.max(...cards.map(({ cells }) => displayWidth(cells[column] ?? ''))),
  )
  const layout = layoutFor(widths, screen.columns())
  return cards.flatMap((card) => linesOf(card, { layout, widths, screen }))
}

function layoutFor([title = 0, ...facts]: readonly number[], columns: number): Layout {
  const factsWidth = facts.reduce((sum, width) => sum + width + GAP.length, -GAP.length)
  if (2 + title + GAP.length + factsWidth <= columns) return 'line'
  return 4 + factsWidth <= columns ? 'title-above' : 'stacked'
}

function linesOf(
  { cells, hasStock, why, address }: CardLine,
  { layout, widths, screen }: { layout: Layout; widths: readonly number[]; screen: Screen },
): readonly string[] {
  const painted = cells.map((cell, column) => {
    const isAligned = layout === 'line' || (layout === 'title-above' && column > 0)
    const padded = isAligned && column !== STOCK ? padTo(cell, widths[column] ?? 0) : cell
    return screen.paint(padded, styleOf(column, hasStock))
  })
  const [title = '', ...facts] = painted
  const below = [...(why === '' ? [] : [`    ${why}`]), `    ${screen.paint(address, ['dim'])}`]
  if (layout === 'line') return [`  ${painted.join(GAP)}`, ...below]
  const lines = layout === 'stacked' ? facts : [facts.join(GAP)]
  return [`  ${title}`, ...lines.map((line) => `    ${line}`), ...below]
}

function styleOf(column: number, hasStock: boolean): readonly Style[] {
  if (column === 0) return ['bold']
  return column === STOCK ? [hasStock ? 'green' : 'red'] : []
}
