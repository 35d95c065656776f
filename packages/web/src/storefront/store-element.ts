// Base class of the store's pages. They render without a shadow root, so that the stylesheet, find-in-page and anchors
// work; their language is a property.
import { LitElement } from 'lit'
import type { PropertyDeclarations } from 'lit'
import type { Language } from '@mangaassist/protocol'
import { speak, storeWords } from '../i18n.ts'
import type { Say } from '../i18n.ts'

export type SayStore = Say<typeof storeWords>

export class StoreElement extends LitElement {
  static override properties: PropertyDeclarations = { language: { type: String } }
  declare language: Language

  constructor() {
    super()
    this.language = 'ja'
  }

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  protected get say(): SayStore {
    return speak(storeWords, this.language)
  }

  /** The event bubbles to `store-app`, which owns the chat. */
  protected askAssistant(question: string, how: 'send' | 'prefill'): void {
    this.dispatchEvent(new CustomEvent('ask-assistant', { detail: { question, how }, bubbles: true }))
  }

  protected openAssistant(): void {
    this.dispatchEvent(new CustomEvent('ask-assistant', { detail: { how: 'open' }, bubbles: true }))
  }
}

export type AskAssistant = { readonly how: 'open' } | { readonly how: 'send' | 'prefill'; readonly question: string }

declare global {
  interface HTMLElementEventMap {
    'ask-assistant': CustomEvent<AskAssistant>
  }
}
