// A way to a person of the shop: reads what would be passed on, to which desk and when it answers, asks for a person, and shows
// the state of the request. Nothing is sent before the shopper confirms. No DOM.
import { ChatError } from '@mangaassist/client'
import type { Client } from '@mangaassist/client'
import type { HandoverAsk, HandoverPreview, HandoverView, Language } from '@mangaassist/protocol'

export type PersonState =
  | { readonly type: 'closed' }
  /** There is nothing to pass on yet. */
  | { readonly type: 'no-conversation' }
  | { readonly type: 'loading' }
  | { readonly type: 'unavailable' }
  /** `problem`: why the last attempt failed; the server's own words where it has any. */
  | { readonly type: 'offered'; readonly preview: HandoverPreview; readonly problem?: PersonProblem }
  | { readonly type: 'sending'; readonly preview: HandoverPreview }
  | { readonly type: 'asked'; readonly preview: HandoverPreview; readonly request: HandoverView }

export type PersonProblem = { readonly word: 'personFailed' | 'personEmail' } | { readonly text: string }

export interface PersonDesk {
  readonly state: PersonState
  /** Also reads the state of a request again. Resolves when the state is there. */
  open(language: Language): Promise<void>
  ask(asked: HandoverAsk): void
  close(): void
}

export type DeskCalls = Pick<Client['conversations'], 'previewHandover' | 'askForPerson'>

export interface PersonDeskParts {
  readonly calls: DeskCalls
  readonly sessionId: () => string | undefined
  readonly changed: () => void
}

const closed: PersonState = { type: 'closed' }
/** The server's rule for addresses, so that an address that it would refuse is not sent. */
const emailPattern = /^[^\s@<>"]+@[^\s@<>"]+$/

export function createPersonDesk({ calls, sessionId, changed }: PersonDeskParts): PersonDesk {
  let state: PersonState = closed
  /** A request belongs to its conversation: in another one it is not shown. */
  let openedIn: string | undefined

  function become(next: PersonState): PersonState {
    state = next
    changed()
    return next
  }

  async function load(session: string, language: Language): Promise<void> {
    const mine = become({ type: 'loading' })
    const preview = await calls.previewHandover(session, { language }).catch(() => undefined)
    // Closed, or another conversation was opened meanwhile.
    if (state !== mine) return
    if (preview === undefined) return void become({ type: 'unavailable' })
    const { request } = preview
    become(
      request === undefined || request.state === 'closed'
        ? { type: 'offered', preview }
        : { type: 'asked', preview, request },
    )
  }

  async function send(session: string, preview: HandoverPreview, asked: HandoverAsk): Promise<void> {
    const mine = become({ type: 'sending', preview })
    try {
      const request = await calls.askForPerson(session, asked)
      if (state === mine) become({ type: 'asked', preview, request })
    } catch (error) {
      if (state === mine) become({ type: 'offered', preview, problem: problemOf(error) })
    }
  }

  return {
    get state() {
      return openedIn === sessionId() ? state : closed
    },
    async open(language) {
      const session = sessionId()
      openedIn = session
      if (session === undefined) become({ type: 'no-conversation' })
      else await load(session, language)
    },
    ask(asked) {
      const session = sessionId()
      if (state.type !== 'offered' || session === undefined) return
      const { preview } = state
      if (asked.email !== undefined && !emailPattern.test(asked.email))
        return void become({ type: 'offered', preview, problem: { word: 'personEmail' } })
      void send(session, preview, asked)
    },
    close: () => void become(closed),
  }
}

function problemOf(error: unknown): PersonProblem {
  const isRefusal = error instanceof ChatError && error.code !== 'CONNECTION_LOST' && error.code !== 'CLIENT_CLOSED'
  return isRefusal ? { text: error.message } : { word: 'personFailed' }
}
