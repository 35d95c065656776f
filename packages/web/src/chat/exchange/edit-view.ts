// The field in which a question is edited in place: Enter sends it, an Enter of the input method does not, Escape cancels. What was
// written in the field below the log stays as it is.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import type { EndedContext } from './ended.ts'

const questionCharactersMax = 5000

export function editView(draft: string, context: EndedContext): TemplateResult {
  const { say, tools, free } = context
  const { handle, grow } = tools.editComposer
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.isComposing && event.keyCode !== 229) {
      // It ends the edit, and does not close the panel.
      event.stopPropagation()
      return tools.cancelEdit()
    }
    handle(event)
  }
  const onInput = (event: Event): void => {
    const field = event.target as HTMLTextAreaElement
    tools.changeDraft(field.value)
    grow(field)
  }
  const onSubmit = (event: Event): void => {
    event.preventDefault()
    tools.sendEdit()
  }
  return html`<form class="edit-form" data-testid="chat-edit-form" @submit=${onSubmit}>
    <textarea
      class="edit-field"
      rows="2"
      maxlength=${questionCharactersMax}
      enterkeyhint="send"
      aria-label=${say('editLabel')}
      data-testid="chat-edit-field"
      .value=${draft}
      @keydown=${onKey}
      @keyup=${handle}
      @compositionstart=${handle}
      @compositionend=${handle}
      @blur=${handle}
      @pointerdown=${handle}
      @input=${onInput}
    ></textarea>
    <span class="edit-buttons">
      <button class="small-button" type="button" data-testid="chat-edit-cancel" @click=${() => tools.cancelEdit()}>
        ${say('cancel')}
      </button>
      <button class="small-button primary" type="submit" data-testid="chat-edit-send" ?disabled=${!free}>
        ${say('editSend')}
      </button>
    </span>
  </form>`
}
