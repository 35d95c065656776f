// The menu in the panel's head: the size of the panel, and the actions for which a narrow panel has no room. Plain
// buttons below a button with `aria-expanded`; Escape and a press elsewhere close it.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import type { chatWords, Say } from '../../i18n.ts'
import { otherThan } from '../../language.ts'
import { layoutIcons, menuIcon, personIcon } from '../icons.ts'
import type { Layout } from './layout.ts'

export interface MenuContext {
  readonly say: Say<typeof chatWords>
  readonly language: Language
  readonly menuOpen: boolean
  readonly layouts: readonly Layout[]
  readonly layout: Layout
  readonly toggleMenu: () => void
  readonly chooseLayout: (layout: Layout) => void
  readonly switchLanguage: () => void
  readonly askForPerson: () => void
}

const names = { float: 'layoutFloat', wide: 'layoutWide', dock: 'layoutDock', full: 'layoutFull' } as const

export function menuView(context: MenuContext): TemplateResult {
  const { say, menuOpen, toggleMenu } = context
  return html`<div class="menu">
    <button
      class="tool"
      type="button"
      data-testid="chat-menu"
      aria-label=${say('menu')}
      title=${say('menu')}
      aria-expanded=${menuOpen ? 'true' : 'false'}
      aria-controls="menu"
      @click=${toggleMenu}
    >
      ${menuIcon}
    </button>
    <div class="menu-items" id="menu" data-testid="chat-menu-items" ?hidden=${!menuOpen}>
      ${layoutsView(context)} ${personItem(context)} ${languageView(context)}
    </div>
  </div>`
}

function layoutsView({ say, layouts, layout, chooseLayout }: MenuContext) {
  if (layouts.length === 0) return nothing
  return html`<div role="group" aria-label=${say('layout')}>
    ${layouts.map(
      (one) =>
        html`<button
          class="menu-item"
          type="button"
          data-testid="chat-layout-${one}"
          aria-pressed=${one === layout ? 'true' : 'false'}
          @click=${() => chooseLayout(one)}
        >
          ${layoutIcons[one]}<span>${say(names[one])}</span>
        </button>`,
    )}
  </div>`
}

function personItem({ say, askForPerson }: MenuContext): TemplateResult {
  return html`<button class="menu-item" type="button" data-testid="chat-menu-person" @click=${askForPerson}>
    ${personIcon}<span>${say('person')}</span>
  </button>`
}

/** In the head of a wide panel the same button stands beside the menu, and styles hide this one. */
function languageView({ say, language, switchLanguage }: MenuContext): TemplateResult {
  return html`<button
    class="menu-item narrow-only"
    type="button"
    data-testid="chat-menu-language"
    lang=${otherThan(language)}
    aria-label=${say('otherLanguageLabel')}
    @click=${switchLanguage}
  >
    <span>${say('otherLanguage')}</span>
  </button>`
}
