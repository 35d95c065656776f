// Pagination cursors: the position where a page ended, as text that a caller sends back to get the next page. It encodes a
// list of strings and numbers and is opaque to the caller.

type Values = readonly (string | number)[]

export function toCursor(values: Values): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Undefined when the text is not a cursor of this shape. */
export function fromCursor(text: string, shape: readonly ('string' | 'number')[]): Values | undefined {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (!Array.isArray(values) || values.length !== shape.length) return undefined
    return values.every((value, index) => typeof value === shape[index]) ? (values as Values) : undefined
  } catch {
    return undefined
  }
}
