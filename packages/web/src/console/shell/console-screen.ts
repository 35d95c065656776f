// Base class of the screens: loads a screen's data through the one poller, shows its age and failures, and keeps showing the last
// data while newer ones cannot be loaded. A screen says what to load and how it is shown; the focus of the keyboard is kept here.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit'
import type { ConsoleAddress } from '../data/address.ts'
import { screenFailureOf } from '../data/failure.ts'
import type { ScreenFailure } from '../data/failure.ts'
import type { PollResult } from '../data/poller.ts'
import '../parts/data-age.ts'
import { ConsoleElement } from './console-element.ts'
import { focusHeading, focusMarked, isFocusFree } from './focus.ts'
import type { FocusMark } from './focus.ts'
import type { Host } from './host.ts'

interface Loaded<Data> {
  readonly data?: Data
  readonly at?: number
  readonly failure?: ScreenFailure
}

export abstract class ConsoleScreen<Data> extends ConsoleElement {
  static override properties: PropertyDeclarations = {
    ...ConsoleElement.properties,
    host: { attribute: false },
    address: { attribute: false },
    loaded: { state: true },
  }
  declare host: Host
  declare address: ConsoleAddress
  declare protected loaded: Loaded<Data>
  /** The control that gets the focus when the data is shown. */
  #wanted: FocusMark | undefined

  constructor() {
    super()
    this.loaded = {}
  }

  /** The heading, in the operator's language. */
  protected abstract get heading(): string
  /** How often the data is loaded again; null for data that does not change by itself. */
  protected abstract get refreshMs(): number | null
  protected abstract fetchData(): Promise<Data>
  protected abstract view(data: Data): TemplateResult

  /** What belongs beside the heading: buttons of the whole screen. */
  protected tools(_data: Data | undefined): TemplateResult | typeof nothing {
    return nothing
  }

  protected override updated(changed: PropertyValues): void {
    if (this.loaded.data !== undefined) this.#giveFocus()
    if (!changed.has('address')) return
    const before = changed.get('address') as ConsoleAddress | undefined
    if (before !== undefined && sameData(before, this.address)) return
    this.#wanted = this.host.focusOnArrival()
    // Another subject: its data must not appear under the heading of the new one.
    if (before !== undefined) this.loaded = {}
    this.host.poll({ everyMs: this.refreshMs, run: (signal) => this.#load(signal) })
  }

  /** While data is loaded the heading has the focus, so that keys work and nothing is read aloud twice. */
  protected override lostFocus(mark: FocusMark | undefined): void {
    if (this.loaded.data !== undefined) return super.lostFocus(mark)
    this.#wanted ??= mark
    focusHeading()
  }

  /** Not where the operator has moved on meanwhile. */
  #giveFocus(): void {
    const wanted = this.#wanted
    this.#wanted = undefined
    if (wanted !== undefined && isFocusFree()) focusMarked(wanted)
  }

  async #load(signal: AbortSignal): Promise<PollResult> {
    try {
      const data = await this.fetchData()
      if (!signal.aborted) this.loaded = { data, at: this.host.now() }
      return { isOk: true }
    } catch (error) {
      const failure = screenFailureOf(error)
      if (signal.aborted) return { isOk: true }
      if (failure.kind === 'signed-out') this.host.lostSession()
      const { at, data } = this.loaded
      this.loaded = { failure, ...(data === undefined ? {} : { data }), ...(at === undefined ? {} : { at }) }
      return { isOk: false, retryAfterMs: failure.retryAfterMs }
    }
  }

  protected override render(): TemplateResult {
    const { at, data, failure } = this.loaded
    return html`<div class="screen-head">
        <h1 tabindex="-1">${this.heading}</h1>
        <div class="screen-tools">
          <span class="age" data-testid="zones">${this.#zones()}</span>
          ${
            at === undefined
              ? nothing
              : html`<data-age .language=${this.language} .at=${at} .isStale=${failure !== undefined}></data-age>`
          }
          ${this.tools(data)}
          <button type="button" class="quiet" data-testid="reload" @click=${() => this.host.reload()}>
            ${this.shellSay('reload')}
          </button>
        </div>
      </div>
      ${failure === undefined ? nothing : this.#failureView(failure)}
      ${
        data === undefined
          ? failure === undefined
            ? html`<p class="loading" role="status">${this.shellSay('loading')}</p>`
            : nothing
          : this.view(data)
      }`
  }

  /** Times are in the operator's zone and days in the shop's, so the two may differ by one. */
  #zones(): string {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
    const { timeZone } = this.host.session
    return this.shellSay(own === timeZone ? 'zone' : 'zones', { own, shop: timeZone })
  }

  #failureView({ kind, message }: ScreenFailure): TemplateResult {
    const say = this.shellSay
    if (kind === 'missing' && this.loaded.data === undefined)
      return html`<div class="note" data-testid="missing">
        <p><strong>${say('notThere')}</strong> ${say('notThereText')}</p>
      </div>`
    const text = kind === 'lost' ? say('lost') : kind === 'forbidden' ? say('forbidden') : say('failed', { message })
    return html`<p class="note warning" role="status" data-testid="failure" data-kind=${kind}>${text}</p>`
  }
}

function sameData(before: ConsoleAddress, now: ConsoleAddress): boolean {
  return JSON.stringify([before.rest, before.query]) === JSON.stringify([now.rest, now.query])
}
