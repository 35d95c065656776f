// Opens and closes the list of conversations, and loads it when it is first opened. When that fails the panel says so, and the
// next opening tries again.
import { loadPart } from '../later/load-part.ts'
import type { History, HistoryParts } from './history.ts'

export interface HistoryLoader {
  readonly isOpen: boolean
  /** Undefined until it is loaded. */
  readonly loaded: History | undefined
  readonly hasFailed: boolean
  open(): void
  close(): void
}

/** `server`: its origin. */
export function createHistoryLoader(parts: HistoryParts & { readonly server: string }): HistoryLoader {
  let isOpen = false
  let hasFailed = false
  let loaded: History | undefined

  async function load(): Promise<void> {
    const { createHistory } = await loadPart({
      name: 'history',
      server: parts.server,
      own: () => import('./history.ts'),
    })
    loaded ??= createHistory(parts)
    if (isOpen) loaded.open()
  }

  return {
    get isOpen() {
      return isOpen
    },
    get loaded() {
      return loaded
    },
    get hasFailed() {
      return hasFailed
    },
    open() {
      isOpen = true
      hasFailed = false
      parts.changed()
      load().catch(() => {
        hasFailed = true
        parts.changed()
      })
    },
    close() {
      isOpen = false
      loaded?.close()
      parts.changed()
    },
  }
}
