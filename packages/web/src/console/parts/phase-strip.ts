// The phases of a lane's circuit over time, as a strip. It repeats in colours what the words beside it and the list of changes say.
import { html, svg } from 'lit'
import type { TemplateResult } from 'lit'
import type { LanePhasesView } from '@mangaassist/protocol/admin'

/** The coordinates of the strip; the element scales them to its width. */
const WIDTH = 1000
const HEIGHT = 18
/** A span of seconds in a day would not be seen. */
const WIDTH_MIN = 2

interface StripParts {
  readonly spans: LanePhasesView['spans']
  readonly from: string
  readonly to: string
}

export function phaseStrip({ from, spans, to }: StripParts): TemplateResult {
  const begin = Date.parse(from)
  const x = (at: string): number => ((Date.parse(at) - begin) / (Date.parse(to) - begin)) * WIDTH
  // Phases other than closed are drawn last, so that nothing covers them.
  const drawn = spans.toSorted((one, other) => Number(other.phase === 'closed') - Number(one.phase === 'closed'))
  return html`<svg
    class="phase-strip"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    ${drawn.map(
      (span) =>
        svg`<rect class=${span.phase} x=${x(span.from)} y="0" width=${Math.max(x(span.to) - x(span.from), WIDTH_MIN)} height=${HEIGHT}></rect>`,
    )}
  </svg>`
}
