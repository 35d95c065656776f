// Where a page ended, as a word that a caller gives back to get the next: a list of texts and numbers, opaque to everyone
// but whoever made it.

type Values = readonly (string | number)[]

export function toCursor(values: Values): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Undefined when it is none of ours, or not of this shape. */
export function fromCursor(text: string, shape: readonly ('string' | 'number')[]): Values | undefined {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (!Array.isArray(values) || values.length !== shape.length) return undefined
    return values.every((value, index) => typeof value === shape[index]) ? (values as Values) : undefined
  } catch {
    return undefined
  }
}
