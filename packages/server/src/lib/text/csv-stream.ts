// Reads comma-separated values by RFC 4180 from a stream of text, record by record, so that a file of any size needs the memory of one
// record. Strict: text beside a quoted field, an open quote and an overlong record are errors that name the line.

export interface CsvRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number
  readonly fields: readonly string[]
}

const RECORD_LENGTH_MAX = 1_048_576
const SEPARATORS = [',', ';', '\t'] as const

/** Throws a SyntaxError. Skips empty lines; the separator is the one that occurs most often in the first line. */
export async function* csvRecords(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const reader = new RecordReader()
  for await (const chunk of chunks) yield* reader.read(chunk)
  yield* reader.end()
}

type State = 'start' | 'bare' | 'quoted' | 'closed'

class RecordReader {
  #separator: string | undefined
  #head = ''
  #state: State = 'start'
  #field = ''
  #fields: string[] = []
  #length = 0
  #line = 1
  #startLine = 1
  #afterReturn = false

  #add(character: string): void {
    this.#field += character
    this.#length += character.length
    if (this.#length > RECORD_LENGTH_MAX)
      throw new SyntaxError(`line ${this.#startLine}: longer than ${RECORD_LENGTH_MAX} characters; is a quote open?`)
  }

  *read(chunk: string): Generator<CsvRecord> {
    if (this.#separator !== undefined) return yield* this.#take(chunk)
    // The first line decides the separator.
    this.#head += chunk
    const end = this.#head.search(/[\r\n]/)
    if (end === -1 && this.#head.length < RECORD_LENGTH_MAX) return undefined
    yield* this.#takeHead()
  }

  *end(): Generator<CsvRecord> {
    if (this.#separator === undefined) yield* this.#takeHead()
    if (this.#state === 'quoted') throw new SyntaxError(`line ${this.#startLine}: a quote is never closed`)
    yield* this.#endRecord()
  }

  *#takeHead(): Generator<CsvRecord> {
    const first = this.#head.slice(0, this.#head.search(/[\r\n]|$/))
    const count = (separator: string) => first.split(separator).length
    this.#separator = SEPARATORS.toSorted((a, b) => count(b) - count(a))[0]
    yield* this.#take(this.#head)
    this.#head = ''
  }

  *#take(text: string): Generator<CsvRecord> {
    for (const character of text) {
      const isSecondOfPair = this.#afterReturn && character === '\n'
      this.#afterReturn = character === '\r'
      if (this.#state === 'quoted') {
        if (character === '\n') this.#line += 1
        this.#inQuotes(character)
        continue
      }
      if (isSecondOfPair) continue
      if (character === '\r' || character === '\n') {
        yield* this.#endRecord()
        this.#line += 1
        this.#startLine = this.#line
      } else this.#outsideQuotes(character)
    }
  }

  #inQuotes(character: string): void {
    if (character === '"') this.#state = 'closed'
    else this.#add(character)
  }

  #outsideQuotes(character: string): void {
    if (character === this.#separator) return this.#endField()
    if (character === '"' && this.#state === 'start') this.#state = 'quoted'
    else if (character === '"' && this.#state === 'closed') {
      this.#add('"')
      this.#state = 'quoted'
    } else if (this.#state === 'closed') throw new SyntaxError(`line ${this.#line}: text behind a closing quote`)
    else {
      this.#state = 'bare'
      this.#add(character)
    }
  }

  #endField(): void {
    this.#fields.push(this.#field)
    this.#field = ''
    this.#state = 'start'
  }

  *#endRecord(): Generator<CsvRecord> {
    this.#endField()
    const fields = this.#fields
    this.#fields = []
    this.#length = 0
    if (fields.some((field) => field.trim() !== '')) yield { line: this.#startLine, fields }
  }
}
