// How much room is left for a message, in characters as people count them. Shown only near the limit. Pure.

export interface Room {
  readonly word: 'charactersLeft' | 'charactersOver'
  readonly n: number
}

/** `MESSAGE_CODE_POINTS_MAX` of the protocol, whose schemas a page need not load; a test compares them. */
export const charactersMax = 5000
const shownFromShare = 0.8

/** Undefined while there is enough room. `limit` is the server's own, where it has said one. */
export function roomFor(text: string, limit: number | undefined): Room | undefined {
  const most = Math.min(limit ?? charactersMax, charactersMax)
  // UTF-16 units are never fewer than code points: a short text need not be counted.
  if (text.length < most * shownFromShare) return undefined
  const length = [...text].length
  if (length < most * shownFromShare) return undefined
  return length > most ? { word: 'charactersOver', n: length - most } : { word: 'charactersLeft', n: most - length }
}
