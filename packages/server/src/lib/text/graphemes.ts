// Cuts text between graphemes, so that no accent, flag or family emoji is split, and never inside a surrogate pair.

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

const encodedBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2

/** Splits a text into pieces whose JSON encoding takes at most `bytesMax` each; joined they give the text. */
export function splitByEncodedBytes(text: string, bytesMax: number): readonly string[] {
  // A UTF-16 unit takes at most six bytes in JSON, so short text needs no count.
  if (text.length * 6 <= bytesMax || encodedBytes(text) <= bytesMax) return [text]
  const pieces: string[] = []
  let piece = ''
  let pieceBytes = 0
  const add = (unit: string) => {
    const bytes = encodedBytes(unit)
    if (pieceBytes + bytes > bytesMax && piece !== '') {
      pieces.push(piece)
      piece = ''
      pieceBytes = 0
    }
    piece += unit
    pieceBytes += bytes
  }
  for (const { segment } of segmenter.segment(text)) {
    // Combining marks can make one grapheme longer than any frame; it is then cut between code points.
    if (encodedBytes(segment) > bytesMax) for (const codePoint of segment) add(codePoint)
    else add(segment)
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}

/** Separates a trailing half of a surrogate pair from the text. */
export function holdBackHalfPair(text: string): { readonly whole: string; readonly held: string } {
  const last = text.charCodeAt(text.length - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  if (!isHalf) return { whole: text, held: '' }
  return { whole: text.slice(0, -1), held: text.slice(-1) }
}
