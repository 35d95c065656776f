// What a search found as a table: title, author, length, price, total, and why it was found. In a terminal it fits the
// width; in a pipe nothing is cut.
import type { Language } from '@mangaassist/protocol'
import { totalYen } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { hasAspect } from '@mangaassist/bookseller/dialogue/conditions'
import { reasonFor } from '@mangaassist/bookseller/dialogue/reasons'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { cutTo, displayWidth, padTo } from '../output/display-width.ts'
import { printable } from '../output/screen.ts'
import type { Screen } from '../output/screen.ts'
import { SHOP_WORDS } from '../output/shop-words.ts'
import { wrappedLines } from '../output/wrapped-writer.ts'
import { readingLines } from '#domain/search/reading-line.ts'

const HEADS = {
  en: ['Title', 'Author', 'Volumes', 'Price', 'Total', 'Why'],
  ja: ['作品', '作者', '巻数', '1巻', '合計', '理由'],
} as const
const TEXTS = {
  en: {
    named: (text: string) => `named: “${text}”`,
    guessed: (text: string) => `perhaps meant by “${text}”`,
    nothing: (words: string) => `Nothing found for “${words}”.`,
    hint: 'Try a title, an author, a genre or a mood, for example: search "finished horror under ¥5,000".',
  },
  ja: {
    named: (text: string) => `作品名「${text}」`,
    guessed: (text: string) => `「${text}」からの推測`,
    nothing: (words: string) => `「${words}」では何も見つかりませんでした。`,
    hint: '作品名、作者、ジャンル、気分などでお試しください。例：search "完結したホラー 5000円以内"',
  },
} as const

const GAP = '  '
/** Titles and authors are cut down to these widths before the table is given up. */
const TITLE_MIN = 16
const AUTHOR_MIN = 10
/** A narrower column of reasons is hard to read: they are then below each series. */
const WHY_MIN = 24
/** The column of reasons. */
const WHY = 5
/** Price and total. */
const RIGHT: ReadonlySet<number> = new Set([3, 4])

/** What was read from the words, in lines that fit the screen. */
export function readingText(grounding: Grounding, screen: Screen): string {
  const lines = readingLines(grounding, grounding.language)
  return `${lines.flatMap((line) => wrappedLines(printable(line), screen.columns())).join('\n')}\n`
}

/** The series and the FAQ entries that were found; undefined when there are none. */
export function searchTable(grounding: Grounding, screen: Screen): string | undefined {
  const { language, products, faq } = grounding
  if (products.length + faq.length === 0) return undefined
  const answers = faq.map(({ id, questions }) => `FAQ: ${printable(questions[language][0] ?? '')} (${id})`)
  const blocks = [products.length === 0 ? [] : rowsOf(grounding, screen), answers].filter(({ length }) => length > 0)
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

export function nothingFound({ language }: Grounding, words: string): string {
  return `${TEXTS[language].nothing(printable(words))}\n${TEXTS[language].hint}`
}

function rowsOf(grounding: Grounding, screen: Screen): readonly string[] {
  const { language, products } = grounding
  const whys = whysOf(grounding, language)
  const [...heads] = HEADS[language].slice(0, -1)
  const cells = products.map((product) => cellsOf(product, language))
  const widths = fittedWidths([heads, ...cells], screen.columns())
  if (widths === undefined)
    return products.flatMap((product, index) => stacked(product, whys[index] ?? '', { language, screen }))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => padTo(cutTo(cell, widths[column] ?? 0), widths[column] ?? 0, RIGHT.has(column))).join(GAP)
  const before = widths.reduce((sum, width) => sum + width + GAP.length, 0)
  const isBeside = screen.columns() - before >= Math.min(WHY_MIN, Math.max(...whys.map(displayWidth)))
  const indent = ' '.repeat(isBeside ? before : 2)
  const body = cells.flatMap((row, index) => {
    const [first = '', ...more] = wrappedLines(whys[index] ?? '', screen.columns() - indent.length)
    const lines = isBeside ? [`${line(row)}${GAP}${first}`] : [line(row), `${indent}${first}`]
    return [...lines, ...more.map((text) => `${indent}${text}`)].map((text) => text.trimEnd())
  })
  const header = isBeside ? `${line(heads)}${GAP}${HEADS[language][WHY]}` : line(heads)
  return [screen.paint(header, ['bold']), ...body.filter((text) => text !== '')]
}

/** Title, author, length, price and total. */
function cellsOf(product: Product, language: Language): readonly string[] {
  const words = SHOP_WORDS[language]
  return [
    printable(product.title[language]),
    printable(product.author?.[language] ?? '–'),
    words.volumes(product),
    words.yen(product.pricePerVolumeYen),
    words.yen(totalYen(product)),
  ]
}

/** The widths of the columns, with titles and authors cut to fit; undefined where too little of them would remain. */
function fittedWidths(rows: readonly (readonly string[])[], columns: number): readonly number[] | undefined {
  const [title = 0, author = 0, ...others] = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))),
  )
  const room = columns - others.reduce((sum, width) => sum + width + GAP.length, GAP.length)
  if (title + author <= room) return [title, author, ...others]
  const authorCut = Math.max(AUTHOR_MIN, Math.min(author, Math.floor(room / 3)))
  const titleCut = Math.min(title, room - authorCut)
  return titleCut < TITLE_MIN ? undefined : [titleCut, authorCut, ...others]
}

/** A series in a few lines, for a narrow terminal. */
function stacked(
  product: Product,
  why: string,
  { language, screen }: { readonly language: Language; readonly screen: Screen },
): readonly string[] {
  const words = SHOP_WORDS[language]
  const [title = '', author = '', volumes = ''] = cellsOf(product, language)
  const price = words.price({ ...product, totalYen: totalYen(product) })
  const below = [author, volumes, price, why].flatMap((text) => wrappedLines(text, screen.columns() - 2))
  const titles = wrappedLines(title, screen.columns()).map((text) => screen.paint(text, ['bold']))
  return [...titles, ...below.filter((text) => text !== '').map((text) => `  ${text}`)]
}

/** Why each series was found: its name was written, it has what is wished, or the best that is known of it. */
function whysOf(grounding: Grounding, language: Language): readonly string[] {
  const { reading, liked, state } = grounding
  const conditions = 'quest' in grounding.intent ? grounding.intent.quest.conditions : state.conditions
  const near = grounding.intent.kind === 'unstocked' ? { near: grounding.intent.name } : {}
  const said: string[] = []
  return grounding.products.map((product: Product) => {
    const named = reading.series.find(({ id, role }) => id === product.id && role === 'title')
    if (named !== undefined) return TEXTS[language][named.guessed === true ? 'guessed' : 'named'](printable(named.text))
    const { text = '' } = reasonFor(product, { conditions, liked, language, said, ...near }) ?? {}
    said.push(text)
    const wished = reading.want
      .filter((aspect) => hasAspect(product, aspect) && !text.toLowerCase().includes(aspect.text.toLowerCase()))
      .map((aspect) => aspect.text)
    return printable([...wished, ...(text === '' ? [] : [text])].join(language === 'ja' ? '・' : '; '))
  })
}
