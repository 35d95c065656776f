// The search field of the head: what is stored under the typed text is offered a moment later; Enter opens the likeliest, the arrow keys choose another
// one, Esc leaves.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import { screenFailureOf } from '../data/failure.ts'
import { moveFocus } from '../parts/rove.ts'
import { ConsoleElement } from './console-element.ts'
import { FIND_LENGTH_MAX, findTargets } from './find.ts'
import type { FindApi, FindTarget } from './find.ts'

/** The server is not asked for every letter. */
const PAUSE_MS = 400

/** What is stored under a text. */
type Found =
  | { readonly text: string; readonly targets: readonly FindTarget[] }
  | { readonly text: string; readonly problem: string }

export class FindBox extends ConsoleElement {
  static override properties: PropertyDeclarations = {
    ...ConsoleElement.properties,
    api: { attribute: false },
    text: { state: true },
    found: { state: true },
  }
  declare api: FindApi
  declare private text: string
  declare private found: Found | undefined
  #pause: number | undefined

  constructor() {
    super()
    this.text = ''
  }

  begin(): void {
    this.querySelector('input')?.focus()
    this.querySelector('input')?.select()
  }

  #typed(text: string): void {
    window.clearTimeout(this.#pause)
    this.text = text
    this.found = undefined
    if (text.trim() !== '') this.#pause = window.setTimeout(() => void this.#find(text), PAUSE_MS)
  }

  /** Undefined where the operator has typed on meanwhile. */
  async #find(text: string): Promise<Found | undefined> {
    const found = await findTargets(text, this.api).then(
      (targets) => ({ text, targets }),
      (error: unknown) => ({ text, problem: screenFailureOf(error).message }),
    )
    if (text !== this.text) return undefined
    this.found = found
    return found
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    window.clearTimeout(this.#pause)
    const { text } = this
    if (text.trim() === '') return
    const found = this.found ?? (await this.#find(text))
    const [target] = found !== undefined && 'targets' in found ? found.targets : []
    if (target === undefined) return
    this.dispatchEvent(new CustomEvent('go', { detail: target.href, bubbles: true }))
    this.#leave()
  }

  #leave(): void {
    this.#typed('')
    this.querySelector('input')?.blur()
  }

  #keys(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#leave()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      moveFocus(event, [...this.querySelectorAll<HTMLElement>('input, a')])
  }

  protected override render(): TemplateResult {
    const say = this.shellSay
    return html`<search class="find" @keydown=${(event: KeyboardEvent) => this.#keys(event)}>
      <form role="search" @submit=${(event: SubmitEvent) => void this.#submit(event)}>
        <input
          type="search"
          data-testid="find"
          aria-label=${say('find')}
          placeholder=${say('find')}
          maxlength=${FIND_LENGTH_MAX}
          autocapitalize="off"
          spellcheck="false"
          .value=${this.text}
          @input=${(event: InputEvent) => this.#typed((event.target as HTMLInputElement).value)}
        />
      </form>
      ${this.#foundView()}
    </search>`
  }

  #foundView(): TemplateResult | typeof nothing {
    const { found } = this
    if (found === undefined) return nothing
    const say = this.shellSay
    const text = found.text.trim()
    if ('problem' in found || found.targets.length === 0)
      return html`<p class="find-targets" role="status" data-testid="find-nothing">
        ${'problem' in found ? say('failed', { message: found.problem }) : say('findNothing', { text })}
      </p>`
    return html`<ul class="find-targets" data-testid="find-targets">
      ${found.targets.map(
        ({ href, word }) => html`<li><a href=${href} @click=${() => this.#leave()}>${say(word, { text })}</a></li>`,
      )}
    </ul>`
  }
}

customElements.define('find-box', FindBox)
