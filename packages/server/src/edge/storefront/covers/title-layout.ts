// Sets a Japanese title in vertical columns, as large as its plate allows. It prefers to break at spaces and
// punctuation, then after a particle, and inside a word last. Pure.

export interface TitleLayout {
  /** From right to left, in reading order. */
  readonly columns: readonly string[]
  readonly size: number
}

export interface Plate {
  readonly width: number
  readonly height: number
  readonly sizeMax: number
}

/** Penalty of a further column, in points of size: a short title is easiest to read in one column. */
const columnCost = 3
const lineFeed = 1.12
/** Most Latin letters that are set upright, one below the other; longer words are rotated. */
const uprightMax = 9

export function layOutTitle(title: string, { width, height, sizeMax }: Plate): TitleLayout {
  const text = upright(title.trim())
  let best: { layout: TitleLayout; worth: number } | undefined
  for (const { columns, cost } of divisions(text)) {
    const longest = Math.max(...columns.map(lengthOf))
    const size = Math.min(sizeMax, height / longest, width / (columns.length * lineFeed))
    const worth = size - cost
    if (best === undefined || worth > best.worth)
      best = { layout: { columns, size: Math.floor(size * 10) / 10 }, worth }
  }
  return best?.layout ?? { columns: [text], size: sizeMax }
}

/** Length in ems: characters that are not Japanese are rotated, and therefore take less room. */
export function lengthOf(column: string): number {
  return Array.from(column).reduce((sum, character) => sum + emsOf(character), 0)
}

/** The room of letters in the widest bold face that a reader may have; the first row that matches counts. */
const LATIN_EMS: readonly (readonly [RegExp, number])[] = [
  [/[MWmw@%]/, 1.05],
  [/[A-Z0-9\xc0-\xde]/, 0.75],
]
const LATIN_EMS_ELSE = 0.62

function emsOf(character: string): number {
  if (character.charCodeAt(0) >= 0x250) return 1
  return LATIN_EMS.find(([letters]) => letters.test(character))?.[1] ?? LATIN_EMS_ELSE
}

function* divisions(text: string): Generator<{ columns: string[]; cost: number }> {
  yield { columns: [text], cost: 0 }
  const breaks = breaksOf(text)
  for (const first of breaks) {
    yield { columns: [text.slice(0, first.at), text.slice(first.at)].map(trimmed), cost: first.cost + columnCost }
    for (const second of breaks) {
      if (second.at <= first.at) continue
      const columns = [text.slice(0, first.at), text.slice(first.at, second.at), text.slice(second.at)]
      yield { columns: columns.map(trimmed), cost: first.cost + second.cost + 2 * columnCost }
    }
  }
}

function breaksOf(text: string): { at: number; cost: number }[] {
  const breaks: { at: number; cost: number }[] = []
  for (let at = 1; at < text.length; at++) {
    const [before, after] = [text[at - 1] as string, text[at] as string]
    const cost = breakCost(before, after)
    if (cost !== undefined) breaks.push({ at, cost })
  }
  return breaks
}

const mark = /[\s　・、。，．！？!?〜～―—–\-:：]/
const neverFirst = /[ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー々、。！？」』）\s!?・]/
const hiragana = /\p{sc=Hiragana}/u
const katakana = /[\p{sc=Katakana}ー]/u
const letter = /[\p{sc=Latin}\d]/u

function breakCost(before: string, after: string): number | undefined {
  if (neverFirst.test(after)) return undefined
  if (mark.test(before)) return 0
  if (mark.test(after) || (letter.test(before) && letter.test(after))) return undefined
  if (hiragana.test(before) && !hiragana.test(after)) return 2
  if (letter.test(before) !== letter.test(after)) return 1
  if (katakana.test(before) !== katakana.test(after) && !hiragana.test(after)) return 3
  return 18
}

function trimmed(column: string): string {
  return column.trim().replace(/^[-–—〜～]+|[-–—〜～]+$/g, '')
}

/** Replaces short Latin words by full-width letters, which browsers set upright in vertical text. */
function upright(title: string): string {
  return title.replace(/[\x21-\x7e]+/g, (run) => {
    if (run.length > uprightMax || !/[A-Za-z0-9]/.test(run)) return run
    return run.replace(/[\x21-\x7e]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0))
  })
}
