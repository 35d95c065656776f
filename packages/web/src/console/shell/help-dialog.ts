// The list of keys, and the switch that makes letter keys text again: a speech user or a loose keyboard must not trigger a command.
import { html } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import { ConsoleElement } from './console-element.ts'

export interface HelpKey {
  readonly keys: string
  readonly text: string
}

export class HelpDialog extends ConsoleElement {
  static override properties: PropertyDeclarations = {
    ...ConsoleElement.properties,
    screens: { attribute: false },
    hasShortcuts: { attribute: false },
  }
  declare screens: readonly HelpKey[]
  declare hasShortcuts: boolean

  constructor() {
    super()
    this.screens = []
    this.hasShortcuts = true
  }

  open(): void {
    this.querySelector('dialog')?.showModal()
  }

  #switch(event: Event): void {
    const detail = (event.target as HTMLInputElement).checked
    this.dispatchEvent(new CustomEvent('shortcuts', { detail, bubbles: true }))
  }

  protected override render(): TemplateResult {
    const say = this.shellSay
    const keys: readonly HelpKey[] = [
      { keys: '/', text: say('helpFind') },
      { keys: 'r', text: say('helpReload') },
      { keys: '↑ ↓ j k', text: say('helpRows') },
      { keys: 'Esc', text: say('helpClose') },
      { keys: '?', text: say('helpHelp') },
      ...this.screens,
    ]
    return html`<dialog aria-labelledby="help-title" data-testid="help">
      <h2 id="help-title">${say('help')}</h2>
      <dl class="keys">
        ${keys.map(
          ({ keys: pressed, text }) =>
            html`<div>
              <dt><kbd>${pressed}</kbd></dt>
              <dd>${text}</dd>
            </div>`,
        )}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          data-testid="shortcuts"
          .checked=${this.hasShortcuts}
          @change=${(event: Event) => this.#switch(event)}
        />
        <span>${say('shortcuts')}</span>
      </label>
      <form method="dialog" class="dialog-buttons">
        <button class="primary" data-testid="help-close">${say('close')}</button>
      </form>
    </dialog>`
  }
}

customElements.define('help-dialog', HelpDialog)
