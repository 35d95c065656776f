// The search field of the head: Enter opens the likeliest target, the arrow keys choose another one, Esc leaves.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import { moveFocus } from '../parts/rove.ts'
import { ConsoleElement } from './console-element.ts'
import { findTargets } from './find.ts'

export class FindBox extends ConsoleElement {
  static override properties: PropertyDeclarations = { ...ConsoleElement.properties, text: { state: true } }
  declare private text: string

  constructor() {
    super()
    this.text = ''
  }

  begin(): void {
    this.querySelector('input')?.focus()
    this.querySelector('input')?.select()
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault()
    const [target] = findTargets(this.text)
    if (target === undefined) return
    this.dispatchEvent(new CustomEvent('go', { detail: target.href, bubbles: true }))
    this.#leave()
  }

  #leave(): void {
    this.text = ''
    this.querySelector('input')?.blur()
  }

  #keys(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#leave()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      moveFocus(event, [...this.querySelectorAll<HTMLElement>('input, a')])
  }

  protected override render(): TemplateResult {
    const say = this.shellSay
    const targets = findTargets(this.text)
    return html`<search class="find" @keydown=${(event: KeyboardEvent) => this.#keys(event)}>
      <form role="search" @submit=${(event: SubmitEvent) => this.#submit(event)}>
        <input
          type="search"
          data-testid="find"
          aria-label=${say('find')}
          placeholder=${say('find')}
          maxlength="256"
          autocapitalize="off"
          spellcheck="false"
          .value=${this.text}
          @input=${(event: InputEvent) => (this.text = (event.target as HTMLInputElement).value)}
        />
      </form>
      ${
        targets.length === 0
          ? nothing
          : html`<ul class="find-targets" data-testid="find-targets">
              ${targets.map(
                ({ href, word }) =>
                  html`<li>
                    <a href=${href} @click=${() => this.#leave()}>${say(word, { text: this.text.trim() })}</a>
                  </li>`,
              )}
            </ul>`
      }
    </search>`
  }
}

customElements.define('find-box', FindBox)
