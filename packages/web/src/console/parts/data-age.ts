// How old the shown data is. It counts by itself, so that data which cannot be loaded again visibly grows old.
import { html } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import { ConsoleElement } from '../shell/console-element.ts'

const TICK_MS = 5000

class DataAge extends ConsoleElement {
  static override properties: PropertyDeclarations = {
    ...ConsoleElement.properties,
    at: { type: Number },
    isStale: { type: Boolean },
  }
  declare at: number
  declare isStale: boolean

  #timer: number | undefined

  constructor() {
    super()
    this.at = 0
    this.isStale = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#timer = window.setInterval(() => this.requestUpdate(), TICK_MS)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.clearInterval(this.#timer)
  }

  protected override render(): TemplateResult {
    const age = this.format.ago(Math.min(this.at, Date.now()), Date.now())
    return html`<span class=${this.isStale ? 'age stale' : 'age'} data-testid="age" title=${this.format.time(this.at)}
      >${this.shellSay(this.isStale ? 'stale' : 'asOf', { age })}</span
    >`
  }
}

customElements.define('data-age', DataAge)
