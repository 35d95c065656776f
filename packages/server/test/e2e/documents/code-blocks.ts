// The fenced code blocks of a Markdown document, each with its marker. A marker is an HTML comment before the block, such
// as `<!-- not run: reason -->`: invisible on the page, and readable in the source.

/**
 * - `not run`: this block is left out, for the reason that is given.
 * - `fails`: its last command is meant to fail.
 * - `serves`: a configuration; the blocks after it run against a server that was started with it.
 */
type MarkerKind = 'not run' | 'fails' | 'serves'

export interface CodeBlock {
  readonly document: string
  /** Line of the opening fence, from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
  readonly marker?: { readonly kind: MarkerKind; readonly reason: string }
}

const FENCE = /^(?<fence>`{3,}|~{3,})(?<language>[^`\s]*)/
const MARKER = /^<!--\s*(?<kind>not run|fails|serves)\b:?(?<reason>.*?)-->$/
const REASON_LENGTH_MIN = 10

/** Throws when a block is not closed, has no language, or has a marker without a reason. */
export function codeBlocksOf(document: string, markdown: string): readonly CodeBlock[] {
  const lines = markdown.split('\n')
  const blocks: CodeBlock[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const { fence, language } = FENCE.exec(lines[index] ?? '')?.groups ?? {}
    if (fence === undefined || language === undefined) continue
    const end = lines.indexOf(fence, index + 1)
    const place = `${document}:${index + 1}`
    if (end < 0) throw new Error(`${place}: the code block is not closed`)
    if (language === '') throw new Error(`${place}: the code block names no language; for output, write text`)
    const marker = markerBefore(lines, index, place)
    const text = lines.slice(index + 1, end).join('\n')
    blocks.push({ document, line: index + 1, language, text, ...(marker === undefined ? {} : { marker }) })
    index = end
  }
  return blocks
}

function markerBefore(lines: readonly string[], index: number, place: string): CodeBlock['marker'] {
  const above = lines.slice(0, index).findLast((line) => line.trim() !== '') ?? ''
  const { kind, reason = '' } = MARKER.exec(above.trim())?.groups ?? {}
  if (kind === undefined) return undefined
  if (reason.trim().length < REASON_LENGTH_MIN) throw new Error(`${place}: the marker "${kind}" gives no reason`)
  return { kind: kind as MarkerKind, reason: reason.trim() }
}
