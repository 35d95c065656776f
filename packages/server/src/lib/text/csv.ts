// Comma-separated values by RFC 4180. The writer escapes texts that a spreadsheet would take for formulas. The reader accepts
// what other programs write: either line end, a byte order mark, quotes, and semicolons or tabs instead of commas.

/** The first characters of a spreadsheet formula. */
const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

export function csvLine(values: readonly (string | number | boolean | undefined)[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: string | number | boolean | undefined): string {
  if (value === undefined) return ''
  // Only texts come from outside and need escaping: a negative number is not a formula.
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
      // A separator at the end of the text is followed by an empty field.
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

/** The separator that occurs most often in the first line. */
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
