// Text of a model as people may be shown it: without what drives a terminal, turns the reading order round, or is unseen.

/** Controls but tab and newline; overrides and isolates of direction; annotations; tags, in which text can be hidden. */
const UNREADABLE =
  // oxlint-disable-next-line no-control-regex -- finding them is the point
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\u206A-\u206F\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

export function readable(text: string): string {
  return text.replaceAll(UNREADABLE, '')
}
