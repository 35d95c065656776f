// Parses server-sent events in one pass: text in, the data of complete events out. Bounded, because an event that never
// ends must not fill the memory.

const EVENT_LENGTH_MAX = 4 * 1024 * 1024

export class SseReader {
  #rest = ''
  #data: string | undefined

  /** Adds the data of every event that this text completes to `out`. */
  read(text: string, out: string[]): void {
    const all = this.#rest === '' ? text : this.#rest + text
    let from = 0
    for (let end = all.indexOf('\n'); end !== -1; end = all.indexOf('\n', from)) {
      this.#line(all.slice(from, all.charCodeAt(end - 1) === 13 && end > from ? end - 1 : end), out)
      from = end + 1
    }
    this.#rest = from === 0 ? all : all.slice(from)
    if (this.#rest.length + (this.#data?.length ?? 0) > EVENT_LENGTH_MAX) throw new Error('an event without an end')
  }

  /** The end of the body: a last event may lack its blank line. */
  end(out: string[]): void {
    if (this.#rest !== '') this.#line(this.#rest, out)
    this.#rest = ''
    this.#flush(out)
  }

  #line(line: string, out: string[]): void {
    if (line === '') return this.#flush(out)
    // Comments, event names and ids are not needed.
    if (!line.startsWith('data:')) return
    const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5)
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
  }

  #flush(out: string[]): void {
    if (this.#data === undefined) return
    out.push(this.#data)
    this.#data = undefined
  }
}
