// Decides whether the log scrolls with a growing answer. A question stays at the top while its answer grows below it;
// the log follows only for a reader who scrolled to the end. Pure.

/** `question`: the last question was put at the top; `end`: the reader is at the end; `free`: anywhere else. */
export type Follow = 'question' | 'end' | 'free'

export interface Measures {
  readonly scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
}

/** Closer to the end than this, nothing is hidden that is worth a button. */
const nearEndPx = 60
/** Positions are fractions of a pixel on some screens. */
const samePx = 2

export function isAtEnd(measures: Measures): boolean {
  return belowPx(measures) < nearEndPx
}

/** After a scroll event. Positions that the chat set itself are the last ones already, so they change nothing. */
export function followAfterScroll(follow: Follow, lastTop: number, now: Measures): Follow {
  // A shorter log moves up by itself and is still at its end.
  if (now.scrollTop < lastTop - samePx) return belowPx(now) <= samePx ? follow : 'free'
  if (now.scrollTop > lastTop + samePx && belowPx(now) <= samePx) return 'end'
  return follow
}

function belowPx({ scrollTop, scrollHeight, clientHeight }: Measures): number {
  return scrollHeight - scrollTop - clientHeight
}
