// Scrolls the log: a new question to the top, along with the answer for a reader at the end, and not at all for anyone else. Turns
// that are put above what is being read do not move it.
import { followAfterScroll, isAtEnd } from './follow.ts'
import type { Follow } from './follow.ts'

export interface LogScroll {
  /** Called when the reader comes to see the beginning of the log. */
  readonly scrolled: () => void
  /** Puts the last question at the top. */
  showQuestion(): void
  toEnd(): void
  /** Before exchanges are put above the shown ones: returns a function to call after that. */
  holdPlace(): () => void
  /** The exchanges have changed: another one may be the last. */
  refresh(): void
  release(): void
}

export interface LogScrollParts {
  readonly scroller: () => HTMLElement | null
  readonly atEndChanged: (isAtEnd: boolean) => void
  readonly nearTop: () => void
}

const aboveQuestionPx = 12
const nearTopPx = 240

export function createLogScroll({ scroller, atEndChanged, nearTop }: LogScrollParts): LogScroll {
  let follow: Follow = 'question'
  let lastTop = 0
  let watched: readonly Element[] = []
  // Words appear, and the keyboard of a phone opens, without an update of the panel.
  const sizes = new ResizeObserver(() => resized())

  function put(log: HTMLElement, top: number): void {
    log.scrollTo({ top, behavior: 'instant' })
    lastTop = log.scrollTop
  }

  function resized(): void {
    const log = scroller()
    if (log === null) return
    if (follow === 'end' && !log.hidden) put(log, log.scrollHeight)
    atEndChanged(isAtEnd(log))
  }

  function watch(log: HTMLElement | null): void {
    const last = log?.querySelector('.exchange:last-of-type')
    const next = log === null ? [] : last === null || last === undefined ? [log] : [log, last]
    if (next.length === watched.length && next.every((element, index) => element === watched[index])) return
    sizes.disconnect()
    for (const element of next) sizes.observe(element)
    watched = next
  }

  return {
    scrolled() {
      const log = scroller()
      if (log === null) return
      follow = followAfterScroll(follow, lastTop, log)
      const isUp = log.scrollTop < lastTop
      lastTop = log.scrollTop
      atEndChanged(isAtEnd(log))
      if (isUp && lastTop < nearTopPx) nearTop()
    },
    showQuestion() {
      const log = scroller()
      const last = log?.querySelector('.exchange:last-of-type')
      if (log === null || last === null || last === undefined) return
      follow = 'question'
      const above = last.getBoundingClientRect().top - log.getBoundingClientRect().top
      put(log, log.scrollTop + above - aboveQuestionPx)
    },
    toEnd() {
      const log = scroller()
      if (log === null) return
      follow = 'end'
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
      log.scrollTo({ top: log.scrollHeight, behavior: isCalm ? 'instant' : 'smooth' })
    },
    holdPlace() {
      const log = scroller()
      if (log === null) return () => {}
      const below = log.scrollHeight - log.scrollTop
      return () => put(log, log.scrollHeight - below)
    },
    // Does not measure: that would force a layout of the page for every part of an answer.
    refresh: () => watch(scroller()),
    release: () => sizes.disconnect(),
  }
}
