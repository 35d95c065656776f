// Keeps what is being written across reloads of the tab, in `sessionStorage`. A browser may refuse storage: then the draft ends
// with the page.
export interface Draft {
  recall(): string
  keep(text: string): void
}

/** Longer than any message that can be sent. */
const charactersMax = 10_000

/** Each server has its own draft: a page may contain chats of two. */
export function createDraft(server: string, storage: () => Storage = () => sessionStorage): Draft {
  const key = `mangaassist:draft:${server}`
  return {
    recall() {
      try {
        return storage().getItem(key)?.slice(0, charactersMax) ?? ''
      } catch {
        return ''
      }
    },
    keep(text) {
      try {
        if (text === '') storage().removeItem(key)
        else storage().setItem(key, text.slice(0, charactersMax))
      } catch {
        // Without storage the draft is kept until the next reload, so the shopper sees no error.
      }
    },
  }
}
