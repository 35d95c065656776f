// The waterfall of a turn: a row for each stage and call, with its time in words and a bar. The bars repeat what the words say.
import { html, nothing, svg } from 'lit'
import type { TemplateResult } from 'lit'
import type { Format } from '../data/format.ts'
import type { Bar, Waterfall } from '../data/waterfall.ts'

/** The coordinates of a bar; the element scales them to its width. */
const WIDTH = 1000

interface WaterfallParts {
  readonly waterfall: Waterfall
  /** Marked by a line through all rows. */
  readonly firstWordMs: number | null
  readonly format: Format
  readonly words: { readonly part: string; readonly start: string; readonly took: string; readonly label: string }
}

export function waterfallView({
  firstWordMs,
  format,
  waterfall,
  words,
}: WaterfallParts): TemplateResult | typeof nothing {
  const { bars, fromMs, toMs } = waterfall
  if (bars.length === 0) return nothing
  const x = (ms: number): number => ((ms - fromMs) / (toMs - fromMs)) * WIDTH
  const mark = firstWordMs === null ? undefined : x(firstWordMs)
  return html`<table class="waterfall" aria-label=${words.label} data-testid="waterfall">
    <thead class="unseen">
      <tr>
        <th scope="col">${words.part}</th>
        <th scope="col">${words.start}</th>
        <th scope="col">${words.took}</th>
      </tr>
    </thead>
    <tbody>
      ${bars.map(
        (bar) =>
          html`<tr class=${bar.kind}>
            <th scope="row">${bar.name}</th>
            <td class="span">
              ${barView(bar, x, mark)}<span class="unseen">${format.duration(Math.max(bar.startMs, 0))}</span>
            </td>
            <td class="figure">${format.duration(bar.tookMs)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function barView({ startMs, tookMs }: Bar, x: (ms: number) => number, mark: number | undefined): TemplateResult {
  // A bar of no length would not be seen.
  const width = Math.max(x(startMs + tookMs) - x(startMs), 3)
  return html`<svg viewBox="0 0 ${WIDTH} 16" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect x=${x(startMs)} y="2" width=${width} height="12" rx="2"></rect>
    ${mark === undefined ? nothing : svg`<line x1=${mark} x2=${mark} y1="0" y2="16"></line>`}
  </svg>`
}
