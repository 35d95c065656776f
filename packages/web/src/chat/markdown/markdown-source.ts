// Prepares the model's Markdown for the parser. Excessive nesting becomes text. The incomplete mark at the end of a
// growing answer (`**bo`, `[title](/ser`) is closed or hidden: shown for a moment, it makes the text jump. Pure.

/** For a growing text: closes or hides the incomplete mark at its end. */
export function closeTail(text: string): string {
  const start = text.lastIndexOf('\n\n') + 1
  const tail = text.slice(start)
  // Marks inside a code block are literal.
  if ((text.match(/^```/gm)?.length ?? 0) % 2 === 1) return text
  return text.slice(0, start) + closeStrong(hideHalfLink(tail))
}

function hideHalfLink(tail: string): string {
  return tail.replace(/!?\[([^[\]\n]*)(\](\([^()\s]*)?)?$/, (whole, label: string) =>
    whole.startsWith('!') ? '' : label,
  )
}

function closeStrong(tail: string): string {
  const line = tail.slice(tail.lastIndexOf('\n') + 1)
  if ((line.match(/\*\*/g)?.length ?? 0) % 2 === 0) return tail.replace(/(^|[^*])\*$/, '$1')
  const bare = tail.replace(/\*+$/, '')
  // Either no text follows the opening pair yet, or half of the closing pair is there.
  return bare.length < tail.length && !line.slice(0, -2).includes('**') ? bare : `${bare.trimEnd()}**`
}

/** Most quotes and lists inside each other: deeper nesting has no use, and parsers recurse. */
const NESTED_MAX = 8
const DEEP = new RegExp(
  `^((?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${NESTED_MAX}})[ \\t]*(?=[>*+\\d-])`,
  'gm',
)

/** Escapes the marks beyond the limit, so that they are shown as they were written. */
export function capNesting(markdown: string): string {
  return markdown.replace(DEEP, '$1 \\')
}

/** The text without marks and addresses, for screen readers. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^```.*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s{0,3}(#{1,6}|>|[-*+]|\d+\.)\s+/gm, '')
    .replace(/^\s*\|?[-:| ]+\|[-:| ]*$/gm, '')
    .replace(/[*_`~]+/g, '')
    .replace(/\|/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
