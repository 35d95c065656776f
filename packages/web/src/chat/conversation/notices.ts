// Notices outside the exchanges: about the connection, the conversation and a busy server. One notice is shown at a
// time. `busy` is separate and lasts until the server lifts it.
import type { ClientOptions, ConnectionState } from '@mangaassist/client'
import type { Word } from './exchange.ts'

export type Notice = { readonly word: Word } | { readonly text: string }
/** The server asks for patience; shown while there is no other notice. */
export type Busy = { readonly notice: Notice }
type Backpressure = Extract<Parameters<NonNullable<ClientOptions['onNotice']>>[0], { readonly type: 'backpressure' }>

export interface Notices {
  readonly notice: Notice | undefined
  readonly busy: Busy | undefined
  show(notice: Notice | undefined): void
  /** Replaces the notice `shown` by `word`, if it is the one that is shown. */
  correct(shown: Word, word: Word): void
  showConnection(state: ConnectionState): void
  showBackpressure(frame: Backpressure): void
  close(): void
}

const backShownMs = 3000

export function createNotices(changed: () => void): Notices {
  let notice: Notice | undefined
  let busy: Busy | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function show(next: Notice | undefined): void {
    clearTimeout(timer)
    notice = next
    changed()
    if (isWord(next, 'connectionBack')) timer = setTimeout(() => show(undefined), backShownMs)
  }

  return {
    get notice() {
      return notice
    },
    get busy() {
      return busy
    },
    show,
    correct: (shown, word) => isWord(notice, shown) && show({ word }),
    showConnection(state) {
      const isShownLost = isWord(notice, 'connectionLost')
      if (state === 'lost') show({ word: 'connectionLost' })
      else if (state === 'open' && isShownLost) show({ word: 'connectionBack' })
      else if (state === 'idle' && isShownLost) show(undefined)
    },
    showBackpressure({ action, message }) {
      const words: Notice = message === '' ? { word: 'busy' } : { text: message }
      busy = action === 'none' ? undefined : { notice: words }
      changed()
    },
    close: () => clearTimeout(timer),
  }
}

function isWord(notice: Notice | undefined, word: Word): boolean {
  return notice !== undefined && 'word' in notice && notice.word === word
}
