// A chart over time by uPlot, which is loaded when the first chart is shown. The canvas says nothing to a screen reader: the caption
// and a table of the same figures do. Colours are those of the stylesheet at the moment of drawing.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit'
import type uPlot from 'uplot'
import { ConsoleElement } from '../shell/console-element.ts'
import { speakFilled } from '../shell/say.ts'
import { chartWords } from '../words/chart.ts'

interface ChartLine {
  readonly name: string
  /** A colour of the stylesheet. */
  readonly colour: '--accent' | '--good' | '--few' | '--focus'
  /** One value for each time; null leaves a gap. */
  readonly values: readonly (number | null)[]
}

const HEIGHT_PX = 170
const LOCALES = { ja: 'ja-JP', en: 'en-GB' } as const

type Chart = InstanceType<typeof uPlot>

class TimeChart extends ConsoleElement {
  static override properties: PropertyDeclarations = {
    ...ConsoleElement.properties,
    caption: { type: String },
    times: { attribute: false },
    lines: { attribute: false },
    write: { attribute: false },
    isDaily: { type: Boolean },
  }
  declare caption: string
  /** Epoch milliseconds, rising. */
  declare times: readonly number[]
  declare lines: readonly ChartLine[]
  /** How a value is written on the axis and in the table. */
  declare write: (value: number | null) => string
  /** Each time is a day, not a moment. */
  declare isDaily: boolean

  #chart: Chart | undefined
  #size = new ResizeObserver(() => this.#fit())
  #redraw = (): void => void this.#draw()

  constructor() {
    super()
    this.times = []
    this.lines = []
    this.write = String
    this.caption = ''
    this.isDaily = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#size.observe(this)
    window.addEventListener('console-theme', this.#redraw)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#size.disconnect()
    window.removeEventListener('console-theme', this.#redraw)
    this.#chart?.destroy()
    this.#chart = undefined
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('times') || changed.has('lines') || changed.has('language')) void this.#draw()
  }

  #fit(): void {
    const width = this.querySelector('.chart')?.clientWidth ?? 0
    if (width > 0) this.#chart?.setSize({ width, height: HEIGHT_PX })
  }

  #data(): [number[], ...(number | null)[][]] {
    return [this.times.map((at) => at / 1000), ...this.lines.map(({ values }) => [...values])]
  }

  async #draw(): Promise<void> {
    const { default: Plot } = await import('uplot')
    const place = this.querySelector<HTMLElement>('.chart')
    if (place === null || !this.isConnected) return
    this.#chart?.destroy()
    const ink = colourOf(place, '--faint')
    const grid = colourOf(place, '--line')
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } }
    const times = new Intl.DateTimeFormat(
      LOCALES[this.language],
      this.isDaily ? { month: 'numeric', day: 'numeric' } : { timeStyle: 'short' },
    )
    this.#chart = new Plot(
      {
        width: Math.max(place.clientWidth, 60),
        height: HEIGHT_PX,
        legend: { show: false },
        cursor: { show: false },
        scales: { y: { range: (_chart, _low, high) => [0, high === 0 ? 1 : high * 1.1] } },
        axes: [
          { ...axis, values: (_chart, splits) => splits.map((at) => times.format(at * 1000)) },
          { ...axis, size: 70, values: (_chart, splits) => splits.map((value) => this.write(value)) },
        ],
        series: [
          {},
          ...this.lines.map(({ colour, name }) => ({
            label: name,
            stroke: colourOf(place, colour),
            width: 2,
            // A point alone has no line.
            points: { show: true, size: 4 },
          })),
        ],
      },
      this.#data(),
      place,
    )
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.times.length === 0) return nothing
    const say = speakFilled(chartWords, this.language)
    const written = (at: number): string =>
      this.isDaily ? new Date(at).toISOString().slice(0, 10) : this.format.clock(at)
    return html`<figure class="chart-figure">
      <figcaption>
        ${this.caption}
        ${this.lines.map(({ colour, name }) => html`<span class="chart-name" data-colour=${colour}>${name}</span>`)}
      </figcaption>
      <div class="chart" aria-hidden="true"></div>
      <details>
        <summary>${say('asTable')}</summary>
        <table class="data">
          <thead>
            <tr>
              <th scope="col">${say('time')}</th>
              ${this.lines.map(({ name }) => html`<th scope="col" class="figure">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${this.times.map(
              (at, index) =>
                html`<tr>
                  <td data-label=${say('time')}>${written(at)}</td>
                  ${this.lines.map(
                    ({ name, values }) =>
                      html`<td class="figure" data-label=${name}>${this.write(values[index] ?? null)}</td>`,
                  )}
                </tr>`,
            )}
          </tbody>
        </table>
      </details>
    </figure>`
  }
}

/** A custom property with `light-dark()` is resolved only as the value of a real one. */
function colourOf(place: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

customElements.define('time-chart', TimeChart)
