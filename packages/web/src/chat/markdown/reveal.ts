// How much of a growing answer is shown: whole words, at a pace that follows the stream, so that bursts of the network
// are not seen. Text is never shown later than `behindMaxMs` after it arrived. Pure: time is given.

export interface Reveal {
  /** The answer is `length` characters long now. */
  arrived(length: number, nowMs: number): void
  /** How many characters of the text to show now; never fewer than before, unless the text is shorter. */
  step(text: string, nowMs: number): number
}

export const behindMaxMs = 300
/** The pace: text that has arrived would be shown completely within this time if no more came. */
const paceMs = 150
/** Enough to find the end of a word; a longer one is cut. */
const wordCharactersMax = 64

export function createReveal(segmenter: Intl.Segmenter): Reveal {
  let shown = 0
  let length = 0
  let steppedAtMs: number | undefined
  let arrivals: readonly { readonly length: number; readonly atMs: number }[] = []

  /** What arrived so long ago that it must be shown. */
  function due(nowMs: number): number {
    const old = arrivals.filter(({ atMs }) => nowMs - atMs >= behindMaxMs)
    arrivals = arrivals.slice(old.length)
    return old.at(-1)?.length ?? 0
  }

  /** The end of the last word that ends at `goal` or before; a first word may end after it. */
  function wordEnd(text: string, goal: number): number {
    let end = shown
    for (const { index, segment } of segmenter.segment(text.slice(shown, goal + wordCharactersMax))) {
      const next = shown + index + segment.length
      if (next > goal && end > shown) break
      // The last word may still grow.
      if (next === text.length) break
      end = next
      if (next >= goal) break
    }
    return end
  }

  return {
    arrived(next, nowMs) {
      if (next < length) {
        shown = Math.min(shown, next)
        arrivals = []
      }
      if (next !== length) arrivals = [...arrivals, { length: next, atMs: nowMs }]
      length = next
    },
    step(text, nowMs) {
      const share = steppedAtMs === undefined ? 0 : Math.min(1, (nowMs - steppedAtMs) / paceMs)
      steppedAtMs = nowMs
      const goal = shown + Math.max(1, Math.floor((text.length - shown) * share))
      shown = Math.max(shown, due(nowMs), wordEnd(text, goal))
      return shown
    },
  }
}
