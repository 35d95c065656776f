// Servers without a parser for reasoning send it inside the answer's text, between <think> and </think> at its beginning.
// Separates the two while the text arrives, wherever its deltas are cut.

const OPENING = '<think>'
const CLOSING = '</think>'

export interface Parted {
  readonly reasoning: string
  readonly text: string
}

export class ThinkTags {
  #state: 'beginning' | 'thinking' | 'after' | 'text' = 'beginning'
  /** Text that may be the first part of a tag. */
  #held = ''

  read(delta: string): Parted {
    const text = this.#held + delta
    this.#held = ''
    switch (this.#state) {
      case 'beginning':
        return this.#begin(text)
      case 'thinking':
        return this.#think(text)
      case 'after':
        return this.#speak(text)
      case 'text':
        return { reasoning: '', text }
    }
  }

  /** Returns the text that is still held back when the stream ends. */
  finish(): Parted {
    const held = this.#held
    this.#held = ''
    return this.#state === 'thinking' ? { reasoning: held, text: '' } : { reasoning: '', text: held }
  }

  #begin(text: string): Parted {
    const words = text.trimStart()
    if (OPENING.startsWith(words)) return this.#hold(text, '')
    this.#state = words.startsWith(OPENING) ? 'thinking' : 'text'
    return this.#state === 'thinking' ? this.#think(words.slice(OPENING.length)) : { reasoning: '', text }
  }

  #think(text: string): Parted {
    const end = text.indexOf(CLOSING)
    if (end >= 0) {
      this.#state = 'after'
      return { reasoning: text.slice(0, end), text: this.#speak(text.slice(end + CLOSING.length)).text }
    }
    const sure = text.length - halfTagLength(text)
    return this.#hold(text.slice(sure), text.slice(0, sure))
  }

  /** Drops the blank lines between the tag and the answer. */
  #speak(text: string): Parted {
    const words = text.trimStart()
    if (words !== '') this.#state = 'text'
    return { reasoning: '', text: words }
  }

  #hold(held: string, reasoning: string): Parted {
    this.#held = held
    return { reasoning, text: '' }
  }
}

/** How many characters at the end of the text may begin the closing tag. */
function halfTagLength(text: string): number {
  for (let length = Math.min(CLOSING.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(CLOSING.slice(0, length))) return length
  }
  return 0
}
