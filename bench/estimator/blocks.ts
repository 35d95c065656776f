// Texts of every block of Unicode, as unusual as a caller may send: characters drawn at random, the same with spaces
// between them, and each character repeated. A block here is sixty-four code points, assigned or not.
import { seededFloats } from '../../packages/server/src/lib/collections/seeded-floats.ts'

const BLOCK = 0x40
const DRAWN = 200
const REPEATED = 24

export interface BlockText {
  /** Its first code point, such as U+28C0. */
  readonly block: string
  readonly kind: 'mixed' | 'spaced' | 'repeated'
  readonly text: string
}

/** `repeatedMax` bounds how many characters of a block are repeated. */
export function* blockTexts(first: number, last: number, repeatedMax = BLOCK): Generator<BlockText> {
  const float = seededFloats('blocks')
  for (let start = first; start <= last; start += BLOCK) {
    const characters = Array.from({ length: BLOCK }, (_, at) => start + at)
      .filter((codePoint) => codePoint >= 0x20 && (codePoint < 0xd800 || codePoint > 0xdfff))
      .map((codePoint) => String.fromCodePoint(codePoint))
    if (characters.length === 0) continue
    const block = `U+${start.toString(16).toUpperCase().padStart(4, '0')}`
    const drawn = Array.from({ length: DRAWN }, () => characters[Math.floor(float() * characters.length)]!)
    yield { block, kind: 'mixed', text: drawn.join('') }
    yield { block, kind: 'spaced', text: drawn.join(' ') }
    const step = Math.ceil(characters.length / repeatedMax)
    for (let at = 0; at < characters.length; at += step) {
      yield { block, kind: 'repeated', text: characters[at]!.repeat(REPEATED) }
    }
  }
}
