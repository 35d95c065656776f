// What a terminal shows after some output: text, line breaks, and the codes that move the cursor or erase.
import { graphemesOf, graphemeWidth } from '../output/display-width.ts'

const CODE = /\u001B\[([0-9;?]*)([A-Za-z])/u

/** The lines without the spaces at their ends. */
export function shownOn(output: string): readonly string[] {
  const rows: string[][] = [[]]
  let [row, column] = [0, 0]
  const line = () => (rows[row] ??= [])
  const put = (grapheme: string) => {
    const width = graphemeWidth(grapheme)
    const cells = line()
    while (cells.length < column) cells.push(' ')
    if (width === 0) cells[column - 1] += grapheme
    else cells.splice(column, width, grapheme, ...(width === 2 ? [''] : []))
    column += width
  }
  const obey = (kind: string, count: number) => {
    if (kind === 'G') column = Math.max(0, count - 1)
    if (kind === 'C') column += count
    if (kind === 'D') column = Math.max(0, column - count)
    if (kind === 'A') row = Math.max(0, row - count)
    if (kind === 'B') row += count
    if (kind === 'K' || kind === 'J') line().splice(column)
    if (kind === 'J') rows.splice(row + 1)
  }
  for (const token of tokensOf(output)) {
    const [, parameter = '', kind] = CODE.exec(token) ?? []
    if (kind !== undefined) obey(kind, Number(parameter) || (kind === 'K' || kind === 'J' ? 0 : 1))
    else if (token === '\r') column = 0
    else if (token === '\n' || token === '\r\n') [row, column] = [row + 1, 0]
    else put(token)
  }
  return Array.from(rows, (cells) => (cells ?? []).join('').trimEnd())
}

/** Codes, line breaks and graphemes. */
function tokensOf(output: string): readonly string[] {
  return output.split(/(\u001B\[[0-9;?]*[A-Za-z])/u).flatMap((part) => (CODE.test(part) ? [part] : graphemesOf(part)))
}
