// How many columns a text takes in a terminal: East Asian wide characters and emoji take two, combining marks none.
// Characters of ambiguous width (“ ” … ¥) take one, as terminals show them by default.

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F1E6}-\u{1F1FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\uFE0F/u
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]*$/u
/** The half-width voicing marks belong to the character before them, and have a column of their own. */
const VOICED = /(?<!^)[\uFF9E\uFF9F]/u

export function graphemesOf(text: string): readonly string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment)
}

export function graphemeWidth(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0
  return WIDE.test(grapheme) || VOICED.test(grapheme) ? 2 : 1
}

export function displayWidth(text: string): number {
  return graphemesOf(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0)
}

/** The text in at most `columns`, with … where it was cut. */
export function cutTo(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const grapheme of graphemesOf(text)) {
    width += graphemeWidth(grapheme)
    if (width > columns - 1) break
    kept += grapheme
  }
  return `${kept.trimEnd()}…`
}

/** The text with spaces to `columns`, before it when `isRight`. */
export function padTo(text: string, columns: number, isRight = false): string {
  const spaces = ' '.repeat(Math.max(0, columns - displayWidth(text)))
  return isRight ? `${spaces}${text}` : `${text}${spaces}`
}
