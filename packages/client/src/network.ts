// What the browser knows about the network: that it went away, and that it may be back. Outside browsers, nothing.
import type { Page } from './types.ts'

export interface Network {
  readonly isOffline: () => boolean
  /** `back`: online again, or a page that slept is looked at again. Returns the way to unsubscribe. */
  readonly listen: (told: (news: 'offline' | 'back') => void) => () => void
}

export function networkOf(page: Page): Network {
  return {
    isOffline: () => page.navigator?.onLine === false,
    listen(told) {
      const listeners = {
        offline: () => told('offline'),
        online: () => told('back'),
        // Out of the cache of pages, where its sockets were closed or frozen.
        pageshow: () => told('back'),
        // It bubbles from the document to here.
        visibilitychange: () => page.document?.visibilityState === 'visible' && told('back'),
      }
      for (const [type, listener] of Object.entries(listeners)) page.addEventListener?.(type, listener)
      return () => {
        for (const [type, listener] of Object.entries(listeners)) page.removeEventListener?.(type, listener)
      }
    },
  }
}
