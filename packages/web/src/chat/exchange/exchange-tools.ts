// What a reader does with shown exchanges, besides asking: edit, ask again, continue, see the time. What belongs to an answer that
// has ended is loaded later (ended.ts). Holds only the state of the page: none of it is sent or survives a reload.
import type { Language } from '@mangaassist/protocol'
import type { Conversation } from '../conversation/conversation.ts'
import type { Exchange } from '../conversation/exchange.ts'
import { createComposer } from '../composer.ts'
import type { Composer } from '../composer.ts'
import { createEndedLoader } from '../later/load-ended.ts'
import type { EndedLoader } from '../later/load-ended.ts'

/** The element that shows the exchanges. */
export interface ToolsHost {
  requestUpdate(): void
  readonly updateComplete: Promise<boolean>
  readonly renderRoot: ParentNode
  dispatchEvent(event: Event): boolean
}

export interface ToolsParts {
  readonly host: ToolsHost
  /** The server's origin. */
  readonly server: string
  readonly conversation: Pick<Conversation, 'askInstead' | 'ask' | 'goOn' | 'desk' | 'sessionId'>
  /** The page offers a cart. */
  readonly hasCart: () => boolean
  /** Moves the keyboard focus to where the next question is written. */
  readonly focusField: () => void
}

export interface ExchangeTools {
  /** The module for ended answers; loaded when the panel is first shown. */
  readonly ended: EndedLoader
  readonly editComposer: Composer
  /** The exchange whose question is being edited. */
  readonly editing: { readonly id: number; readonly draft: string } | undefined
  /** The exchange whose time was asked for by a tap. */
  readonly timeShown: number | undefined
  edit(exchange: Exchange): void
  changeDraft(draft: string): void
  cancelEdit(): void
  sendEdit(): void
  askAgain(id: number): void
  goOn(id: number): void
  showTime(id: number): void
  /** Offers a way to a person at the end of the log. */
  openPerson(language: Language): void
  close(): void
}

export function createExchangeTools(parts: ToolsParts): ExchangeTools {
  const { host, conversation, focusField } = parts
  const changed = (): void => host.requestUpdate()
  let editing: ExchangeTools['editing']
  let timeShown: number | undefined
  const ended = createEndedLoader(parts)

  /** Buttons that were pressed may be gone after the update, and the keyboard focus must not go with them. */
  function focusAfterUpdate(selector: string): void {
    changed()
    void host.updateComplete.then(() => host.renderRoot.querySelector<HTMLElement>(selector)?.focus())
  }

  function sendEdit(): void {
    const question = editing?.draft.trim() ?? ''
    if (editing === undefined || question === '' || !conversation.askInstead(editing.id, question)) return
    editing = undefined
    focusField()
  }

  return {
    ended,
    editComposer: createComposer(sendEdit),
    get editing() {
      return editing
    },
    get timeShown() {
      return timeShown
    },
    edit({ id, question }) {
      editing = { id, draft: question ?? '' }
      focusAfterUpdate(`[data-exchange="${id}"] .edit-field`)
    },
    changeDraft(draft) {
      if (editing !== undefined) editing = { ...editing, draft }
    },
    cancelEdit() {
      const id = editing?.id
      editing = undefined
      if (id !== undefined) focusAfterUpdate(`[data-exchange="${id}"] .edit`)
    },
    sendEdit,
    askAgain: (id) => void (conversation.askInstead(id) && focusField()),
    goOn: (id) => void (conversation.goOn(id) && focusField()),
    showTime(id) {
      timeShown = timeShown === id ? undefined : id
      changed()
    },
    openPerson: (language) => void ended.load().then((loaded) => loaded?.openPerson(language)),
    close: () => ended.close(),
  }
}
