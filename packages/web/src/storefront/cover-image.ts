// The cover of a series on a card in the chat: the server's picture, which the shelves show too. Decoration: the title stands beside it.
import { html } from 'lit'
import type { TemplateResult } from 'lit'

export function coverImage({ id }: { readonly id: string }): TemplateResult {
  return html`<img class="cover" src="/covers/${encodeURIComponent(id)}.svg" alt="" width="200" height="300" />`
}
