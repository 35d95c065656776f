// What is done to the model's Markdown before it is parsed: nesting without an end is made text, and an answer that is still growing ends in half a mark-up, and
// showing `**bo` or `[title](/ser` for a moment makes the text jump. Pure, and never longer than one mark.

/** For a text that is still growing: closes or hides what is open at its very end. */
export function mendTail(text: string): string {
  const start = text.lastIndexOf('\n\n') + 1
  const tail = text.slice(start)
  // Inside a code block everything is literal.
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
  // Nothing to be bold yet, or the closing pair is half there.
  return bare.length < tail.length && !line.slice(0, -2).includes('**') ? bare : `${bare.trimEnd()}**`
}

/** Quotes and lists in each other, at the beginning of a line: deeper than this nobody reads, and parsers recurse. */
const NESTED_MAX = 8
const DEEP = new RegExp(
  `^((?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${NESTED_MAX}})[ \\t]*(?=[>*+\\d-])`,
  'gm',
)

/** What is nested deeper stands there as it was written. */
export function capNesting(markdown: string): string {
  return markdown.replace(DEEP, '$1 \\')
}

/** The words alone, for those who hear the answer: marks and addresses say nothing aloud. */
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
