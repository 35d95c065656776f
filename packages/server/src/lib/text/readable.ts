// Characters that control a terminal, reverse the reading order or are invisible: removed from a text, or escaped in JSON.

/** Control characters except tab and newline; direction overrides and isolates; annotations; tags, which can hide text. */
const UNREADABLE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it finds
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\u206A-\u206F\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

export function readable(text: string): string {
  return text.replaceAll(UNREADABLE, '')
}

/** A text of anyone in one line, so that none of it looks like the next one. */
export function oneLine(text: string): string {
  return readable(text).replaceAll(/[\n\t\u2028\u2029]+/g, ' ')
}

/** JSON of the same value, without one of these characters in it. */
export function escapedJson(value: unknown, indent?: number): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, undefined, indent).replaceAll(UNREADABLE, (found) =>
    found.split('').map(escaped).join(''),
  )
}
