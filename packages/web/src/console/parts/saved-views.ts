// Saved views of a list: a name for the filters in the address, kept in this browser. Opening one is navigation.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import { consoleHref } from '../data/address.ts'
import type { ConsoleAddress } from '../data/address.ts'
import { createPreferences, withoutView, withView } from '../data/preferences.ts'
import type { SavedView } from '../data/preferences.ts'
import { ConsoleElement } from '../shell/console-element.ts'
import { formValues } from './form-values.ts'
import { speakFilled } from '../shell/say.ts'
import { viewWords } from '../words/saved-views.ts'

class SavedViews extends ConsoleElement {
  static override properties: PropertyDeclarations = {
    ...ConsoleElement.properties,
    address: { attribute: false },
    views: { state: true },
  }
  declare address: ConsoleAddress
  declare private views: readonly SavedView[]

  #preferences = createPreferences(() => localStorage)

  constructor() {
    super()
    this.views = this.#preferences.read().views ?? []
  }

  #keep(views: readonly SavedView[]): void {
    this.views = this.#preferences.write({ views }).views ?? []
  }

  #save(event: SubmitEvent): void {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const { name = '' } = formValues(form)
    this.#keep(withView(this.views, { name, query: this.#query }))
    form.reset()
  }

  get #query(): string {
    const { after: _, live: __, ...filters } = this.address.query
    return new URLSearchParams(filters).toString()
  }

  protected override render(): TemplateResult | typeof nothing {
    const say = speakFilled(viewWords, this.language)
    const { screen } = this.address
    const query = this.#query
    const isNew = query !== '' && this.views.every((view) => view.query !== query)
    if (this.views.length === 0 && !isNew) return nothing
    return html`<div class="views" data-testid="views">
      ${
        this.views.length === 0
          ? nothing
          : html`<ul aria-label=${say('views')}>
              ${this.views.map(
                (view) =>
                  html`<li>
                    <a
                      href=${consoleHref({ screen, query: Object.fromEntries(new URLSearchParams(view.query)) })}
                      aria-current=${view.query === query ? 'true' : nothing}
                      >${view.name}</a
                    ><button
                      type="button"
                      class="quiet"
                      aria-label=${say('remove', { name: view.name })}
                      @click=${() => this.#keep(withoutView(this.views, view.name))}
                    >
                      ×
                    </button>
                  </li>`,
              )}
            </ul>`
      }
      ${
        isNew
          ? html`<form @submit=${(event: SubmitEvent) => this.#save(event)}>
              <input
                name="name"
                required
                maxlength="60"
                aria-label=${say('name')}
                placeholder=${say('name')}
                data-testid="view-name"
              />
              <button type="submit" data-testid="save-view">${say('save')}</button>
            </form>`
          : nothing
      }
    </div>`
  }
}

customElements.define('saved-views', SavedViews)
