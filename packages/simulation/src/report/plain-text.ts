// Names and descriptions come from files that anyone may have written. Before they reach a terminal or a page, this
// removes characters that move the cursor or change the text direction, and bounds the length; for a page the text is
// also escaped.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns one line of at most `charsMax` characters. */
export function oneLine(text: string, charsMax = 120): string {
  const cleaned = text
    .slice(0, charsMax * 4)
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim()
  const characters = [...cleaned]
  return characters.length <= charsMax ? cleaned : `${characters.slice(0, charsMax - 1).join('')}…`
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** Text of a scenario file, safe for a page. */
export function safeHtml(text: string, charsMax?: number): string {
  return escapeHtml(oneLine(text, charsMax))
}

/** The first and the last items of a long list, and the count of those left out between them. */
export function bounded<T>(items: readonly T[], max: number): { head: readonly T[]; left: number; tail: readonly T[] } {
  if (items.length <= max) return { head: items, left: 0, tail: [] }
  const tail = Math.floor(max / 4)
  return { head: items.slice(0, max - tail), left: items.length - max, tail: items.slice(items.length - tail) }
}
