// Removes characters from a model's text that control a terminal, reverse the reading order or are invisible.

/** Control characters except tab and newline; direction overrides and isolates; annotations; tags, which can hide text. */
const UNREADABLE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it finds
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\u206A-\u206F\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

export function readable(text: string): string {
  return text.replaceAll(UNREADABLE, '')
}
