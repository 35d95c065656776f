// The list of conversations as a value: loaded in pages when it is opened, searched by title, and emptied one by one or at once
// after a confirmation. A late response to a list that was closed changes nothing. No DOM.
import type { SessionSummary } from '@mangaassist/protocol'
import type { OwnConversations } from './own-conversations.ts'

/** A conversation, or all of them. */
type Subject = { readonly sessionId: string } | 'everything'

export interface HistoryState {
  readonly phase: 'closed' | 'loading' | 'ready' | 'failed'
  readonly conversations: readonly SessionSummary[]
  readonly next: string | undefined
  readonly search: string
  /** What the reader is asked to confirm the deletion of. */
  readonly asked: Subject | undefined
  /** The outcome of the last deletion, for the live region. */
  readonly outcome: 'historyDeleted' | 'historyEverythingDeleted' | 'historyDeleteFailed' | undefined
}

export interface HistoryList {
  readonly state: HistoryState
  open(): void
  close(): void
  more(): void
  search(text: string): void
  /** Asks for a confirmation first; undefined withdraws the question. */
  ask(subject: Subject | undefined): void
  /** Deletes what was asked for. */
  confirm(): Promise<void>
}

export interface HistoryListParts {
  readonly own: OwnConversations
  readonly changed: () => void
  /** The conversation of this id, or each one, no longer exists. */
  readonly removed: (sessionId: string | undefined) => void
}

const closed: HistoryState = {
  phase: 'closed',
  conversations: [],
  next: undefined,
  search: '',
  asked: undefined,
  outcome: undefined,
}

export function createHistoryList({ own, changed, removed }: HistoryListParts): HistoryList {
  let state = closed
  /** Raised with each opening and closing: a response to an earlier one is ignored. */
  let visit = 0

  function set(next: Partial<HistoryState>): void {
    state = { ...state, ...next }
    changed()
  }

  async function load(after?: string): Promise<void> {
    const mine = visit
    const page = await own.list(after).catch(() => undefined)
    if (mine !== visit) return
    if (page === undefined) return set({ phase: 'failed' })
    const known = new Set(after === undefined ? [] : state.conversations.map(({ sessionId }) => sessionId))
    const fresh = page.conversations.filter(({ sessionId }) => !known.has(sessionId))
    const conversations = after === undefined ? fresh : [...state.conversations, ...fresh]
    set({ phase: 'ready', conversations, next: page.next })
  }

  return {
    get state() {
      return state
    },
    open() {
      visit += 1
      state = closed
      set({ phase: 'loading' })
      void load()
    },
    close() {
      visit += 1
      set(closed)
    },
    more() {
      if (state.next !== undefined) void load(state.next)
    },
    search: (text) => set({ search: text, asked: undefined }),
    ask: (asked) => set({ asked, outcome: undefined }),
    async confirm() {
      const { asked } = state
      if (asked === undefined) return
      const mine = visit
      set({ asked: undefined })
      const sessionId = asked === 'everything' ? undefined : asked.sessionId
      const isDone = await (sessionId === undefined ? own.removeEverything() : own.remove(sessionId)).then(
        () => true,
        () => false,
      )
      if (isDone) removed(sessionId)
      if (mine !== visit) return
      if (!isDone) return set({ outcome: 'historyDeleteFailed' })
      set({
        conversations: sessionId === undefined ? [] : state.conversations.filter((one) => one.sessionId !== sessionId),
        next: sessionId === undefined ? undefined : state.next,
        outcome: sessionId === undefined ? 'historyEverythingDeleted' : 'historyDeleted',
      })
    },
  }
}

/** Those whose title contains every word of the search, without regard to case and width. */
export function matching({
  conversations,
  search,
}: Pick<HistoryState, 'conversations' | 'search'>): readonly SessionSummary[] {
  const words = folded(search)
    .split(/\s+/u)
    .filter((word) => word !== '')
  return conversations.filter(({ title }) => words.every((word) => folded(title).includes(word)))
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
