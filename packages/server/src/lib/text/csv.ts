// Comma-separated values by RFC 4180, written so that a spreadsheet takes no text for a formula, and read as they come from
// others: with either line end, a byte order mark, quotes, and semicolons or tabs in place of commas.

/** What a spreadsheet begins a formula with. */
const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

export function csvLine(values: readonly (string | number | boolean | undefined)[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: string | number | boolean | undefined): string {
  if (value === undefined) return ''
  // Only texts are somebody else's words: a negative number is a number.
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Throws a SyntaxError that names the line. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const source = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(source)
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  let line = 1
  while (at < source.length) {
    const field = source[at] === '"' ? quoted(source, at, line) : bare(source, at, separator)
    row.push(field.value)
    line += field.value.split('\n').length - 1
    at = field.end
    const end = source[at]
    if (end === separator) {
      at += 1
      // A separator at the very end of the text still has an empty field behind it.
      if (at === source.length) row.push('')
      continue
    }
    if (end !== undefined && end !== '\n' && end !== '\r') throw new SyntaxError(`line ${line}: text behind a quote`)
    at += end === '\r' && source[at + 1] === '\n' ? 2 : 1
    line += 1
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows.filter((fields) => fields.some((field) => field.trim() !== ''))
}

/** The one that the first line has most of. */
function separatorOf(source: string): string {
  const first = source.slice(0, source.search(/[\r\n]|$/))
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

function bare(source: string, from: number, separator: string): { value: string; end: number } {
  let end = from
  while (end < source.length && source[end] !== separator && source[end] !== '\n' && source[end] !== '\r') end += 1
  return { value: source.slice(from, end), end }
}

function quoted(source: string, from: number, line: number): { value: string; end: number } {
  let value = ''
  let at = from + 1
  for (;;) {
    const close = source.indexOf('"', at)
    if (close === -1) throw new SyntaxError(`line ${line}: a quote that is never closed`)
    value += source.slice(at, close)
    if (source[close + 1] !== '"') return { value, end: close + 1 }
    value += '"'
    at = close + 2
  }
}
