// The turns before those that are shown: loaded page by page when the reader comes near the first one. A page of a conversation
// that is no longer shown is dropped, and a page that could not be loaded is asked for again at the next movement. No DOM.
import type { LoadSession, StoredTurn } from './sessions.ts'

export interface EarlierTurns {
  /** The cursor of the page before the shown turns; undefined when there is none. */
  set(cursor: string | undefined): void
  load(): Promise<void>
}

export interface EarlierTurnsParts {
  readonly load: LoadSession
  readonly sessionId: () => string | undefined
  /** Puts turns before all that are shown. */
  readonly show: (turns: readonly StoredTurn[]) => void
}

export function createEarlierTurns({ load, sessionId, show }: EarlierTurnsParts): EarlierTurns {
  let cursor: string | undefined
  /** The cursor that is being loaded. */
  let loading: string | undefined

  return {
    set(next) {
      cursor = next
      loading = undefined
    },
    async load() {
      const id = sessionId()
      const mine = cursor
      if (id === undefined || mine === undefined || loading !== undefined) return
      loading = mine
      const session = await load(id, mine).catch(() => undefined)
      // Another conversation is shown now.
      if (loading !== mine) return
      loading = undefined
      if (session === undefined || session === 'gone') return
      cursor = session.earlier
      show(session.turns)
    },
  }
}
